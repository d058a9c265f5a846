/**
 * Installs what is missing, before `npm start`, `npm run gatewatch` and `npm test`.
 *
 * Plain JavaScript for Node 20, because the pinned Node 24 is one of the things it installs.
 * `run` installs what running needs; `test` also the development tools. Both build the web app where its sources have
 * changed.
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

/** npm's own record of what it installed; undefined where nothing is. */
const record = existsSync(installed) ? JSON.parse(readFileSync(installed, 'utf8')) : undefined
/** A development tool that nothing at run time brings along. */
const hasTools = record !== undefined && 'node_modules/@biomejs/biome' in record.packages
/** Once a checkout has the tools it keeps them: starting the program must not take them away. */
const wantsTools = purpose === 'test' || hasTools

function isInstalled() {
  if (record === undefined || statSync(installed).mtimeMs < statSync(lock).mtimeMs) return false
  return hasTools || !wantsTools
}

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}

/** A service that runs from this checkout would lose its programs while they are installed anew. */
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
  if (isInUse())
    fail('A Gatewatch is running from this checkout, and what it runs on would be installed anew: stop it first.')
  console.error(`Installing ${wantsTools ? 'what the tests need' : 'what running needs'} (once) …`)
  const npm = process.env.npm_execpath
  const [command, ...prefix] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm']
  const omit = wantsTools ? ['--include=dev'] : ['--omit=dev']
  // No package needs its install script (testing/repository/audit.test.ts says why), so none runs.
  const args = [...prefix, 'ci', ...omit, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) fail('The installation failed: npm said why above. Check the network or proxy and start again.')
}

// Optional packages fail silently, and the pinned Node is one of them.
const hasPinnedNode = linkPinnedNode(join(root, 'node_modules'))
if (!hasPinnedNode && Number(process.versions.node.split('.')[0]) < 24) {
  fail(
    `Gatewatch needs Node 24, npm brings it for Linux only, and this is ${process.version} on ${process.platform}: install Node 24 from nodejs.org and start again.`,
  )
}

if (!buildWebIfStale()) fail('The web app could not be built: the reason stands above.')

if (purpose === 'test') {
  installForTests()
  installAnvil()
}
