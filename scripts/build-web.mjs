/**
 * Builds the web app into web/dist when its sources are newer than what is there.
 *
 * `buildWebIfStale` is for scripts/bootstrap.mjs, which runs on Node 20: it starts this very file with the pinned Node.
 * By itself the file builds, whatever is there.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const web = join(root, 'web')
const dist = join(web, 'dist')
/** What the build was made of. */
const mark = join(dist, '.sources')
const SOURCES = [
  'web/index.html',
  'web/src',
  'web/public',
  'client/src',
  'vocabulary',
  'scripts/build-web.mjs',
  'package-lock.json',
]

function filesOf(path) {
  const entries = readdirSync(path, { withFileTypes: true, recursive: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

function hashOfSources() {
  const hash = createHash('sha256')
  for (const source of SOURCES) {
    const path = join(root, source)
    const files = /\.\w+$/.test(source) ? [path] : filesOf(path).filter((file) => !file.endsWith('.test.ts'))
    for (const file of files.sort()) hash.update(`${file.slice(root.length)}\0`).update(readFileSync(file))
  }
  return hash.digest('hex')
}

/** True when there is a build of the sources as they are. */
export function buildWebIfStale() {
  if (existsSync(mark) && readFileSync(mark, 'utf8') === hashOfSources()) return true
  const pinned = join(root, 'node_modules', '.bin', 'node')
  const node = existsSync(pinned) ? pinned : process.execPath
  return spawnSync(node, [fileURLToPath(import.meta.url)], { cwd: root, stdio: 'inherit' }).status === 0
}

async function build() {
  const hash = hashOfSources()
  const { build: buildWithVite } = await import('vite')
  const { default: react } = await import('@vitejs/plugin-react')
  // Beside the old one, which may be served at this moment, and then in its place.
  const making = join(web, `.dist-${process.pid}`)
  await buildWithVite({
    root: web,
    configFile: false,
    logLevel: 'warn',
    plugins: [react()],
    build: {
      outDir: making,
      emptyOutDir: true,
      assetsInlineLimit: 0, // the content security policy allows fonts and scripts from files only
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  })
  for (const file of filesOf(join(making, 'assets'))) {
    if (!/\.(js|css|svg)$/.test(file)) continue
    const content = readFileSync(file)
    writeFileSync(`${file}.br`, brotliCompressSync(content))
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
  }
  writeFileSync(join(making, '.sources'), hash)
  rmSync(dist, { recursive: true, force: true })
  renameSync(making, dist)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build()
