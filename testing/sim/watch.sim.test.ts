import { test } from 'node:test'
import { simulateWatch } from './watch.sim.ts'

/** Seeds that found a bug, with the lesson; `npm run sim -- watch --from SEED --seeds 1` replays one. */
const KEPT: readonly (readonly [number, string])[] = [
  [5004, 'a block was read without a look at its parent'],
  [5007, 'a gap after an absence was read from before the start block'],
  [5009, 'the second pass asked one endpoint alone: it was deaf where the first had been early'],
  [5017, 'a rewind kept what undone blocks had told about births'],
  [
    20947,
    'the last ancestor below a young window was forgotten before its blocks stood close: no way back from a fork',
  ],
  [203_101, 'the second pass came at once where the head was old: one endpoint was deaf and the other a block behind'],
]

for (const [seed, lesson] of KEPT)
  test(`seed ${seed}: ${lesson}`, async () => {
    await simulateWatch(seed)
  })

const SEEDS = 300

for (let first = 1_000; first < 1_000 + SEEDS; first += 50)
  test(`seeds ${first} to ${first + 49}: no event lost or duplicated`, async () => {
    for (let seed = first; seed < first + 50; seed += 1) await simulateWatch(seed)
  })
