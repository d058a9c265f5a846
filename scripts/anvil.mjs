/**
 * Finds or installs anvil, the EVM node of tests and demo.
 *
 * Plain JavaScript for Node 20, used by the bootstrap. `node scripts/anvil.mjs` installs what is missing and prints the
 * command line. On Linux x64 anvil is an optional dependency from npm. On Debian arm64 the same binary runs under qemu:
 * qemu comes from Debian's packages, and npm fetches the binary with a lock file of its own, because the main lock file
 * cannot contain a package of another architecture. Elsewhere the anvil on the PATH is used.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installDebian, missingOf } from './debian.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const PACKAGE = join('node_modules', '@foundry-rs', 'anvil-linux-amd64', 'bin', 'anvil')
const own = join(root, PACKAGE)
const cache = join(root, 'node_modules', '.cache', 'anvil')
const fetched = join(cache, PACKAGE)
const lockFolder = join(root, 'scripts', 'anvil')

/** Debian package to a file that proves its installation. */
const EMULATION = {
  'qemu-user': '/usr/bin/qemu-x86_64',
  'libc6-amd64-cross': '/usr/x86_64-linux-gnu/lib/libc.so.6',
  'libgcc-s1-amd64-cross': '/usr/x86_64-linux-gnu/lib/libgcc_s.so.1',
}

/** The command that runs anvil on this machine, or the reason why there is none. */
export function findAnvil() {
  const ours = findOurs()
  if ('command' in ours) return ours
  const installed = (process.env.PATH ?? '').split(delimiter).find((folder) => existsSync(join(folder, 'anvil')))
  return installed === undefined ? ours : { command: join(installed, 'anvil'), args: [], env: {} }
}

function findOurs() {
  if (process.platform !== 'linux')
    return {
      reason: `anvil is not installed (npm has it for Linux, this is ${process.platform}: install Foundry, getfoundry.sh, so that anvil is on the PATH)`,
    }
  if (process.arch === 'x64') {
    return existsSync(own)
      ? { command: own, args: [], env: {} }
      : { reason: 'anvil is not installed (npm has it: npm ci --include=optional)' }
  }
  const missing = missingOf(EMULATION)
  if (missing.length > 0)
    return { reason: `on ${process.arch} anvil needs an emulator (Debian: apt-get install ${missing.join(' ')})` }
  if (!existsSync(fetched)) return { reason: 'anvil was not fetched (npm has it: node scripts/anvil.mjs)' }
  return {
    command: EMULATION['qemu-user'],
    args: [fetched],
    env: { QEMU_LD_PREFIX: '/usr/x86_64-linux-gnu' },
  }
}

/** Installs anvil on Linux machines other than x64, as far as possible. `findAnvil` reports the result. */
export function installAnvil() {
  if (process.platform !== 'linux' || process.arch === 'x64' || 'command' in findAnvil()) return
  installDebian(EMULATION)
  if (missingOf(EMULATION).length > 0 || existsSync(fetched)) return
  console.error('Fetching anvil from npm (once) …')
  mkdirSync(cache, { recursive: true })
  for (const file of readdirSync(lockFolder)) copyFileSync(join(lockFolder, file), join(cache, file))
  const npm = process.env.npm_execpath
  const [command, ...prefix] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm']
  // Without --force npm refuses a package of another architecture. The emulator runs it.
  const args = [
    'ci',
    '--force',
    '--cpu=x64',
    '--os=linux',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--fetch-retry-mintimeout=1000', // offline, the demo must not wait half a minute
  ]
  spawnSync(command, [...prefix, ...args], { cwd: cache, stdio: ['ignore', 'ignore', 'inherit'] })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  installAnvil()
  const found = findAnvil()
  if ('reason' in found) {
    console.error(found.reason)
    process.exit(1)
  }
  const settings = Object.entries(found.env).map(([name, value]) => `${name}=${value}`)
  console.log([...settings, found.command, ...found.args].join(' '))
}
