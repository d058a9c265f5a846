/** Logic that events name: of a contract itself, and of the beacons that it takes its logic from. */
import type { Hex } from 'viem'
import type { Effect } from '../code/effects.ts'
import type { CodeFacts } from './code-facts.ts'
import { each, type Facts } from './facts.ts'
import { withPlausibleLengths } from './plausible-lengths.ts'
import type { ProtectedStorage } from './protected-storage.ts'

export type EarlierLogic = { readonly address: Hex; readonly code: CodeFacts | undefined }

/** Logic that a contract ran before and does not run now. `beacons`: contracts whose answers it runs. */
export function earlierLogic(
  facts: Facts,
  running: ReadonlySet<Hex>,
  beacons: ReadonlySet<Hex>,
): readonly EarlierLogic[] {
  const sources = [facts, ...each([...beacons], (beacon) => facts.sameChain(beacon))]
  const named = each(sources, (source) => source.members('history')?.logics ?? []).flat()
  const logics = [...new Set(named)].filter((address) => !running.has(address))
  return each(logics, (address) => ({ address, code: facts.sameChain(address).code() }))
}

type Silent = Pick<Effect, 'at' | 'selector'> & { readonly address: Hex; readonly kind: 'code' | 'silent_store' }

/** Stores of earlier logic into lists that no event reports, and earlier logic that could not be followed. */
export function silentStores(
  facts: Facts,
  storage: ProtectedStorage,
  running: readonly CodeFacts[],
  earlier: readonly EarlierLogic[],
): readonly Silent[] {
  const all = [...running, ...earlier.flatMap(({ code }) => code ?? [])].flatMap((code) => code.effects.effects)
  return earlier.flatMap(({ address, code }): readonly Silent[] => {
    if (code === undefined || !code.effects.settled) return [{ address, at: 0, kind: 'code' }]
    return each(code.effects.effects, (effect) =>
      storage.isSilent(withPlausibleLengths(facts, effect, all))
        ? [{ ...effect, address, kind: 'silent_store' as const }]
        : [],
    ).flat()
  })
}
