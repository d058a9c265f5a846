/**
 * `npm run hostile -- [requests] [first seed]`: the suite's hostile requests, as many as one has patience for.
 *
 * A request that got a wrong answer is printed with its seed; `npm run hostile -- 1 SEED` sends it again. Ends with
 * `RESULT` lines for `bench/run-all.ts`.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const [requests = '20000', seed = String(Date.now() % 1_000_000_000)] = process.argv.slice(2)
if (![requests, seed].every((text) => /^\d{1,15}$/.test(text))) {
  console.error('npm run hostile -- [requests] [first seed]: two whole numbers')
  process.exit(64)
}
const { status } = spawnSync(
  process.execPath,
  [join(import.meta.dirname, '..', 'run.ts'), 'testing/hostile/hostile-http.int.test.ts'],
  { stdio: 'inherit', env: { ...process.env, HOSTILE_REQUESTS: requests, HOSTILE_SEED: seed } },
)
process.exitCode = status ?? 1
