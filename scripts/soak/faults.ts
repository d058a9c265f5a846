/** What goes wrong while the soak runs: every kind in turn, in an order and for a time drawn from the seed. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Random, randomFrom } from '../../server/test/sim/random.ts'
import { type FaultProxy, MOODS, type Mood } from './fault-proxy.ts'
import { reorganise } from './reorganise.ts'
import type { World } from './world.ts'

type Fault = { readonly name: string; readonly happen: (random: Random) => Promise<void> }

const [SHORTEST_MS, LONGEST_MS] = [3_000, 10_000]
const BETWEEN_MS = 1_500

/** Goes on until the signal; the fault that is under way then ends first. Gives how often each happened. */
export async function causeFaults(
  { nodes, receiver, evm, litecoin }: World,
  { seed, signal, say }: { readonly seed: number; readonly signal: AbortSignal; readonly say: (text: string) => void },
): Promise<ReadonlyMap<string, number>> {
  const ill = async (proxies: readonly FaultProxy[], mood: Mood, random: Random) => {
    for (const proxy of proxies) proxy.setMood(mood)
    await pause(random.between(SHORTEST_MS, LONGEST_MS), undefined, { signal }).catch(() => {})
    for (const proxy of proxies) proxy.setMood('well')
  }
  const faults: readonly Fault[] = [
    ...nodes.flatMap(({ name, endpoints: [first, ...others] }) => [
      ...MOODS.map((mood) => ({ name: `${name} ${mood}`, happen: (random: Random) => ill([first], mood, random) })),
      ...(others.length === 0
        ? []
        : [{ name: `${name} is away`, happen: (random: Random) => ill([first, ...others], 'drops', random) }]),
    ]),
    ...MOODS.map((mood) => ({
      name: `receiver ${mood}`,
      happen: (random: Random) => ill([receiver.proxy], mood, random),
    })),
    ...evm.chains.map(({ slug, chain, betweenBlocks }) => ({
      name: `${slug} reorganises`,
      happen: (random: Random) => betweenBlocks(() => reorganise(chain, random.between(1, 6))),
    })),
    ...(litecoin === undefined
      ? []
      : [
          { name: 'ltc reorganises', happen: (random: Random) => litecoin.reorganise(random.between(1, 3)) },
          { name: 'ltc restarts', happen: () => litecoin.restart() },
        ]),
  ]
  const random = randomFrom(seed)
  const happened = new Map<string, number>()
  while (!signal.aborted) {
    for (const { name, happen } of shuffled(faults, random)) {
      if (signal.aborted) break
      say(name)
      await happen(random)
      happened.set(name, (happened.get(name) ?? 0) + 1)
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
