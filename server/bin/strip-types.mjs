// Lets Node run the TypeScript of this package inside node_modules, where it strips no types by itself.
import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'

const root = new URL('../../', import.meta.url).href

registerHooks({
  load: (url, context, next) => {
    const isOwn = url.startsWith(root) && url.endsWith('.ts') && !url.slice(root.length).includes('node_modules/')
    if (!isOwn) return next(url, context)
    return { format: 'module', shortCircuit: true, source: stripTypeScriptTypes(readFileSync(new URL(url), 'utf8')) }
  },
})
