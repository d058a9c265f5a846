/**
 * Programs that tests and demo need and npm does not carry: installed on Debian as root, named elsewhere.
 *
 * Plain JavaScript for Node 20, called by the bootstrap. What stays missing is skipped loudly by the tests that need
 * it, and fails them in CI.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Debian package → a file that shows it is there. */
const FOR_TESTS = {
  litecoind: '/usr/lib/litecoin/litecoind',
  'redis-tools': '/usr/bin/redis-check-rdb', // the server itself, without starting a service
  // npm carries a browser for x64 alone.
  ...(process.arch === 'x64' ? {} : { chromium: '/usr/bin/chromium' }),
}

export const installForTests = () => installDebian(FOR_TESTS)

export const missingOf = (packages) => Object.keys(packages).filter((name) => !existsSync(packages[name]))

/** Installs what is missing of `packages`, a Debian package → a file that shows it is there. */
export function installDebian(packages) {
  const missing = missingOf(packages)
  if (missing.length === 0) return
  if (!existsSync('/usr/bin/apt-get') || process.getuid?.() !== 0) {
    console.error(
      `Not installed here: ${missing.join(', ')}. What needs them is left out; on Debian as root they are installed for you.`,
    )
    return
  }
  console.error(`Installing ${missing.join(', ')} from Debian's packages (once) …`)
  if (apt('install', '-y', '--no-install-recommends', ...missing) === 0) return
  apt('update') // the list of packages may be missing or old
  if (apt('install', '-y', '--no-install-recommends', ...missing) !== 0)
    console.error('apt-get failed, see above; what needs these is left out.')
}

function apt(...args) {
  return spawnSync('apt-get', ['-qq', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }).status
}
