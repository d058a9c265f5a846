/**
 * Starts a real `litecoind -regtest` for one test file.
 *
 * If it is not installed, tests that need it are skipped with the reason; with `CI` set they fail.
 */
import { existsSync } from 'node:fs'
import { type CoreDaemon, startCoreDaemon } from './core-daemon.ts'

/** PATH is not used: it may contain Debian's wrapper, which writes to the home folder. */
const PROGRAMS = ['/usr/lib/litecoin/litecoind', '/usr/local/bin/litecoind', '/usr/bin/litecoind']

export const litecoindPath = PROGRAMS.find((path) => existsSync(path))

/** For the `skip` option of a test: false if litecoind is installed, otherwise the reason. */
export function missingLitecoind(): string | false {
  if (litecoindPath !== undefined) return false
  const reason = 'litecoind is not installed (Debian: apt-get install litecoind)'
  if (process.env['CI'] !== undefined && process.env['CI'] !== '') throw new Error(reason)
  return reason
}

export type Litecoind = CoreDaemon

export const startLitecoind = (options: readonly string[] = []): Promise<Litecoind> =>
  startCoreDaemon(litecoindPath ?? 'litecoind', ['-walletrbf=1', '-mempoolreplacement=1', ...options])
