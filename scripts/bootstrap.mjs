/**
 * Installs what is missing, before `npm start`, `npm run gatewatch` and `npm test`.
 *
 * Plain JavaScript for Node 20, because the pinned Node 24 is one of the things it installs.
 * `run` installs what running needs; `test` also the development tools.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const purpose = process.argv[2] === 'test' ? 'test' : 'run'
const lock = join(root, 'package-lock.json')
const installed = join(root, 'node_modules', '.package-lock.json')

/** npm writes its own record of what it installed; an older record than the lock is an older installation. */
function isInstalled() {
  if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lock).mtimeMs) return false
  if (purpose === 'run') return true
  const { packages } = JSON.parse(readFileSync(installed, 'utf8'))
  return 'node_modules/typescript' in packages
}

if (!isInstalled()) {
  console.error(`Installing ${purpose === 'run' ? 'what running needs' : 'what the tests need'} (once) …`)
  const npm = process.env.npm_execpath
  const [command, ...prefix] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm']
  const omit = purpose === 'run' ? ['--omit=dev'] : ['--include=dev']
  const { status } = spawnSync(command, [...prefix, 'ci', ...omit, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0) {
    console.error('The installation failed: npm said why above. Check the network or proxy and start again.')
    process.exit(1)
  }
}
