/** Injects every kind of fault in turn; the seed determines their order and duration. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Random, seededRandom } from '../../testing/support/random.ts'
import { FAULT_MODES, type FaultProxy, type Mode } from './fault-proxy.ts'
import type { Fault } from './fault-windows.ts'
import { reorganize } from './reorganize.ts'
import type { World } from './world.ts'

type Injection = { readonly part: string; readonly kind: string; readonly inject: (random: Random) => Promise<void> }

const [SHORTEST_MS, LONGEST_MS] = [3_000, 10_000]
const BETWEEN_MS = 1_500

/** Injects faults until the signal, after which the current fault ends first. Returns the faults. */
export async function injectFaults(
  { nodes, receiver, evm, litecoin }: World,
  {
    seed,
    signal,
    print,
  }: { readonly seed: number; readonly signal: AbortSignal; readonly print: (text: string) => void },
): Promise<readonly Fault[]> {
  const fail = async (proxies: readonly FaultProxy[], mode: Mode, random: Random) => {
    for (const proxy of proxies) proxy.setMode(mode)
    await pause(random.between(SHORTEST_MS, LONGEST_MS), undefined, { signal }).catch(() => {})
    for (const proxy of proxies) proxy.setMode('forwards')
  }
  const injections: readonly Injection[] = [
    ...nodes.flatMap(({ name: part, endpoints: [first, ...others] }) => [
      ...FAULT_MODES.map((kind) => ({ part, kind, inject: (random: Random) => fail([first], kind, random) })),
      ...(others.length === 0
        ? []
        : [{ part, kind: 'is unreachable', inject: (random: Random) => fail([first, ...others], 'drops', random) }]),
    ]),
    ...FAULT_MODES.map((kind) => ({
      part: 'receiver',
      kind,
      inject: (random: Random) => fail([receiver.proxy], kind, random),
    })),
    ...evm.chains.map(({ slug: part, chain, betweenBlocks }) => ({
      part,
      kind: 'reorganizes',
      inject: (random: Random) => betweenBlocks(() => reorganize(chain, random.between(1, 6))),
    })),
    ...(litecoin === undefined
      ? []
      : [
          {
            part: 'ltc',
            kind: 'reorganizes',
            inject: (random: Random) => litecoin.reorganize(random.between(1, 3)),
          },
          { part: 'ltc', kind: 'restarts', inject: () => litecoin.restart() },
        ]),
  ]
  const random = seededRandom(seed)
  const faults: Fault[] = []
  while (!signal.aborted) {
    for (const { part, kind, inject } of shuffled(injections, random)) {
      if (signal.aborted) break
      print(`${part} ${kind}`)
      const from = performance.now()
      await inject(random)
      faults.push({ part, kind, from, to: performance.now() })
      await pause(BETWEEN_MS, undefined, { signal }).catch(() => {})
    }
  }
  return faults
}

function shuffled<T>(items: readonly T[], random: Random): readonly T[] {
  return items
    .map((item) => ({ item, rank: random.next() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item)
}
