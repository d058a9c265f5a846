/**
 * Installs missing packages before `npm start`, `npm run gatewatch` and `npm test`.
 *
 * Plain JavaScript for Node 20, because it installs the pinned Node 24. `run` installs the runtime packages, `test` also
 * the development tools. Both build the web app if its sources have changed.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installAnvil } from './anvil.mjs'
import { buildWebIfStale } from './build-web.mjs'
import { installForTests } from './debian.mjs'
import { linkPinnedNode } from './pinned-node.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const purpose = process.argv[2] === 'test' ? 'test' : 'run'
const lock = join(root, 'package-lock.json')
const installed = join(root, 'node_modules', '.package-lock.json')

/** npm's record of the installed packages; undefined if there are none. */
const record = existsSync(installed) ? JSON.parse(readFileSync(installed, 'utf8')) : undefined
/** Biome is a development tool that no runtime package depends on. */
const hasTools = record !== undefined && 'node_modules/@biomejs/biome' in record.packages
/** A checkout with development tools keeps them when the program starts. */
const wantsTools = purpose === 'test' || hasTools

function isInstalled() {
  if (record === undefined || statSync(installed).mtimeMs < statSync(lock).mtimeMs) return false
  return hasTools || !wantsTools
}

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}

/** Whether a service runs from this checkout. An installation would delete its programs. */
function isInUse() {
  const data = join(root, process.env.DATA_DIR ?? 'data')
  if (record === undefined) return false
  return [data, join(data, 'demo')].some((folder) => {
    try {
      process.kill(Number(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]), 0)
      return true
    } catch {
      return false
    }
  })
}

if (!isInstalled()) {
  if (isInUse()) fail('Gatewatch is running from this checkout, and its packages must be updated. Stop it first.')
  console.error(`Installing ${wantsTools ? 'runtime and development' : 'runtime'} packages (once) …`)
  const npm = process.env.npm_execpath
  const [command, ...prefix] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm']
  const omit = wantsTools ? ['--include=dev'] : ['--omit=dev']
  // No package needs its install script (testing/repository/audit.test.ts gives the reasons), so none runs.
  const args = [...prefix, 'ci', ...omit, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) fail('The installation failed; see npm above. Check the network or proxy and try again.')
}

// Optional packages fail silently, and the pinned Node is one of them.
const hasPinnedNode = linkPinnedNode(join(root, 'node_modules'))
if (!hasPinnedNode && Number(process.versions.node.split('.')[0]) < 24) {
  fail(
    `Gatewatch needs Node 24. This is ${process.version} on ${process.platform}, and npm has Node 24 for Linux only. Install Node 24 from nodejs.org and try again.`,
  )
}

if (!buildWebIfStale()) fail('The web app could not be built; see the reason above.')

if (purpose === 'test') {
  installForTests()
  installAnvil()
}
