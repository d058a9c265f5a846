import { test } from 'node:test'
import { simulateWatch } from './watch.sim.ts'

/** Seeds that once failed, each with what it found; `npm run sim -- watch --from SEED --seeds 1` replays one. */
const KEPT: readonly (readonly [number, string])[] = [
  [1, 'a gap after an absence was read from before the start block'],
  [4, 'blocks not yet indexed when a job read them were read again too early'],
  [102, 'the second pass asked one endpoint alone: it was deaf where the first had been early'],
  [136, 'an endpoint without eth_getBlockReceipts spoke for others that were resting'],
]

for (const [seed, lesson] of KEPT)
  test(`seed ${seed}: ${lesson}`, async () => {
    await simulateWatch(seed)
  })

const SEEDS = 300

for (let first = 1_000; first < 1_000 + SEEDS; first += 50)
  test(`seeds ${first} to ${first + 49}: nothing lost, nothing twice`, async () => {
    for (let seed = first; seed < first + 50; seed += 1) await simulateWatch(seed)
  })
