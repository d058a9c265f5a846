/**
 * The program for the processes of a whole run: the sources of `gatewatch` and of its packages in a few files, because
 * loading 2,200 modules takes most of the time of a start. Threads and analysis processes run the sources themselves.
 */
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..')

/** The variable with the path of the program. */
export const PROGRAM = 'GATEWATCH_TEST_PROGRAM'

/** Packages with files of their own: native modules, WebAssembly and threads. */
const SEPARATE = ['lmdb', 'zeromq', '@resvg/resvg-wasm', 'pino', 'pino-pretty', 'pg-native']

/** Keeps the place of a source, from which it finds its files and threads. */
const places = {
  name: 'places',
  transform: (code: string, id: string) => {
    if (!id.startsWith(root) || id.includes('node_modules') || !code.includes('import.meta')) return undefined
    return code
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
  },
}

/** Builds the program inside `node_modules`, where it finds the separate packages. */
export async function buildProgram(): Promise<{ readonly path: string; readonly remove: () => void }> {
  const folder = join(root, 'node_modules', '.cache', `test-program-${process.pid}`)
  const { build } = await import('vite') // only the runner needs it
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [places],
    ssr: { noExternal: true, external: SEPARATE },
    build: {
      ssr: true,
      target: 'node24',
      outDir: folder,
      minify: false,
      rolldownOptions: { input: { gatewatch: join(root, 'server', 'src', 'cli', 'gatewatch.ts') } },
    },
  })
  return { path: join(folder, 'gatewatch.js'), remove: () => rmSync(folder, { recursive: true, force: true }) }
}
