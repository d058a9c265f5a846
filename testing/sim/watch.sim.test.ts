import { test } from 'node:test'
import { simulateWatch } from './watch.sim.ts'

/**
 * Few, because exact tests next to the watcher find most faults of one line; these seeds find the others that were
 * planted. `npm run sim -- watch` runs more. A seed of it that fails belongs here if no exact test can show its fault.
 */
const [FIRST, SEEDS] = [1_000, 24]

for (let seed = FIRST; seed < FIRST + SEEDS; seed += 1)
  test(`seed ${seed}: no event lost or duplicated`, async () => {
    await simulateWatch(seed)
  })
