/**
 * Records the answers of the `bitcoind` on the PATH that the tests replay where there is none, in
 * testing/fixtures/btc-answers.
 *
 *     node testing/coins/record-answers.ts
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const COINS = join(import.meta.dirname, '..', '..', 'server', 'src', 'coins')
const TESTS = [
  'serve/btc-wallets.chain.test.ts',
  'http/tx-routes.chain.test.ts',
  'descriptors/descriptor.chain.test.ts',
]

const { status } = spawnSync(process.execPath, ['--test', ...TESTS.map((file) => join(COINS, file))], {
  stdio: 'inherit',
  env: { ...process.env, RECORD_ANSWERS: '1' },
})
process.exitCode = status ?? 1
