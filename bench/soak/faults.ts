/** What goes wrong while the soak runs: every kind in turn, in an order and for a time drawn from the seed. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Random, seededRandom } from '../../testing/support/random.ts'
import type { Fault } from './explain.ts'
import { type FaultProxy, MOODS, type Mood } from './fault-proxy.ts'
import { reorganize } from './reorganize.ts'
import type { World } from './world.ts'

type Mishap = { readonly part: string; readonly kind: string; readonly happen: (random: Random) => Promise<void> }

const [SHORTEST_MS, LONGEST_MS] = [3_000, 10_000]
const BETWEEN_MS = 1_500

/** Goes on until the signal; the fault that is under way then ends first. Gives what befell whom, and when. */
export async function causeFaults(
  { nodes, receiver, evm, litecoin }: World,
  { seed, signal, say }: { readonly seed: number; readonly signal: AbortSignal; readonly say: (text: string) => void },
): Promise<readonly Fault[]> {
  const ill = async (proxies: readonly FaultProxy[], mood: Mood, random: Random) => {
    for (const proxy of proxies) proxy.setMood(mood)
    await pause(random.between(SHORTEST_MS, LONGEST_MS), undefined, { signal }).catch(() => {})
    for (const proxy of proxies) proxy.setMood('well')
  }
  const mishaps: readonly Mishap[] = [
    ...nodes.flatMap(({ name: part, endpoints: [first, ...others] }) => [
      ...MOODS.map((kind) => ({ part, kind, happen: (random: Random) => ill([first], kind, random) })),
      ...(others.length === 0
        ? []
        : [{ part, kind: 'is away', happen: (random: Random) => ill([first, ...others], 'drops', random) }]),
    ]),
    ...MOODS.map((kind) => ({
      part: 'receiver',
      kind,
      happen: (random: Random) => ill([receiver.proxy], kind, random),
    })),
    ...evm.chains.map(({ slug: part, chain, betweenBlocks }) => ({
      part,
      kind: 'reorganises',
      happen: (random: Random) => betweenBlocks(() => reorganize(chain, random.between(1, 6))),
    })),
    ...(litecoin === undefined
      ? []
      : [
          {
            part: 'ltc',
            kind: 'reorganises',
            happen: (random: Random) => litecoin.reorganize(random.between(1, 3)),
          },
          { part: 'ltc', kind: 'restarts', happen: () => litecoin.restart() },
        ]),
  ]
  const random = seededRandom(seed)
  const happened: Fault[] = []
  while (!signal.aborted) {
    for (const { part, kind, happen } of shuffled(mishaps, random)) {
      if (signal.aborted) break
      say(`${part} ${kind}`)
      const from = performance.now()
      await happen(random)
      happened.push({ part, kind, from, to: performance.now() })
      await pause(BETWEEN_MS, undefined, { signal }).catch(() => {})
    }
  }
  return happened
}

function shuffled<T>(items: readonly T[], random: Random): readonly T[] {
  return items
    .map((item) => ({ item, place: random.next() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item)
}
