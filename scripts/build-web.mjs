/**
 * Builds the web app into web/dist.
 *
 * `buildWebIfStale` is called by the bootstrap on Node 20 and runs this file with the pinned Node if a source has changed.
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
/** Holds the hash of the sources of the build. */
const hashFile = join(dist, '.sources')
const SOURCES = [
  'web/index.html',
  'web/src',
  'web/public',
  'web/docs',
  'client/src',
  'vocabulary',
  'scripts/build-web.mjs',
  'scripts/docs-modules.mjs',
  'server/openapi.json',
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

/** Returns whether web/dist is a build of the current sources, after building it if necessary. */
export function buildWebIfStale() {
  if (existsSync(hashFile) && readFileSync(hashFile, 'utf8') === hashOfSources()) return true
  const pinned = join(root, 'node_modules', '.bin', 'node')
  const node = existsSync(pinned) ? pinned : process.execPath
  return spawnSync(node, [fileURLToPath(import.meta.url)], { cwd: root, stdio: 'inherit' }).status === 0
}

async function build() {
  const hash = hashOfSources()
  const { build: buildWithVite } = await import('vite')
  const { default: react } = await import('@vitejs/plugin-react')
  const { docsModules } = await import('./docs-modules.mjs')
  // Built next to the old build, which a service may be serving, then swapped.
  const newDist = join(web, `.dist-${process.pid}`)
  await buildWithVite({
    root: web,
    configFile: false,
    logLevel: 'warn',
    plugins: [react(), docsModules],
    build: {
      outDir: newDist,
      emptyOutDir: true,
      assetsInlineLimit: 0, // the content security policy allows fonts and scripts from files only
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  })
  for (const file of filesOf(join(newDist, 'assets'))) {
    if (!/\.(js|css|svg)$/.test(file)) continue
    const content = readFileSync(file)
    writeFileSync(`${file}.br`, brotliCompressSync(content))
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
  }
  writeFileSync(join(newDist, '.sources'), hash)
  rmSync(dist, { recursive: true, force: true })
  renameSync(newDist, dist)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build()
