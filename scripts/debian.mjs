/**
 * Installs programs that tests and demo need and npm does not have, on Debian as root.
 *
 * Plain JavaScript for Node 20, used by the bootstrap. Tests whose program is missing are skipped with the reason, and fail
 * in CI.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Debian package to a file that proves its installation. */
const FOR_TESTS = {
  litecoind: '/usr/lib/litecoin/litecoind',
  'redis-tools': '/usr/bin/redis-check-rdb', // the server itself, without starting a service
  // npm has a browser for x64 only.
  ...(process.arch === 'x64' ? {} : { chromium: '/usr/bin/chromium' }),
}

export const installForTests = () => installDebian(FOR_TESTS)

export const missingOf = (packages) => Object.keys(packages).filter((name) => !existsSync(packages[name]))

/** Installs missing packages. `packages` maps a Debian package to a file that proves its installation. */
export function installDebian(packages) {
  const missing = missingOf(packages)
  if (missing.length === 0) return
  if (!existsSync('/usr/bin/apt-get') || process.getuid?.() !== 0) {
    console.error(
      `Not installed: ${missing.join(', ')}. Features that need them are skipped. On Debian, run as root to install them.`,
    )
    return
  }
  console.error(`Installing ${missing.join(', ')} from Debian's packages (once) …`)
  if (apt('install', '-y', '--no-install-recommends', ...missing) === 0) return
  apt('update') // the package list may be missing or old
  if (apt('install', '-y', '--no-install-recommends', ...missing) !== 0)
    console.error('apt-get failed; see above. Features that need these packages are skipped.')
}

function apt(...args) {
  return spawnSync('apt-get', ['-qq', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }).status
}
