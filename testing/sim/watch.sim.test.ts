import { test } from 'node:test'
import { simulateWatch } from './watch.sim.ts'

/** Seeds that found a bug, with the lesson; `npm run sim -- watch --from SEED --seeds 1` replays one. */
const RECORDED: readonly (readonly [number, string])[] = [
  [5004, 'a block was read without a check of its parent'],
  [5007, 'a gap after downtime was read from before the start block'],
  [5009, 'the second pass used one endpoint, which omitted logs of a block that the first had read too early'],
  [5017, 'a rollback kept contract creations of rolled-back blocks'],
  [20947, 'the last ancestor below a short window was deleted too early, and a fork could not be rolled back'],
  [203_101, 'the second pass ran at once on an old head, with one deaf endpoint and one a block behind'],
]

for (const [seed, lesson] of RECORDED)
  test(`seed ${seed}: ${lesson}`, async () => {
    await simulateWatch(seed)
  })

const [FIRST, SEEDS] = [1_000, 50]

test(`seeds ${FIRST} to ${FIRST + SEEDS - 1}: no event lost or duplicated`, async () => {
  for (let seed = FIRST; seed < FIRST + SEEDS; seed += 1) await simulateWatch(seed)
})
