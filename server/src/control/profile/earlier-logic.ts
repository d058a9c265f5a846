/** Logic that events name: of a contract itself, and of the beacons that it takes its logic from. */
import type { Hex } from 'viem'
import type { CodeFacts } from './code-facts.ts'
import { each, type Facts } from './facts.ts'

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
