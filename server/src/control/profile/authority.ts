/** Who can replace the logic of a contract, and the code that runs as logic. */
import type { Hex } from 'viem'
import type { ContractKind } from '../../../../vocabulary/contract-kinds.ts'
import type { Reason } from '../../../../vocabulary/reasons.ts'
import type { CodeFacts } from './code-facts.ts'
import type { Facts } from './facts.ts'
import type { Upgrader } from './upgrader.ts'

export type Authority = {
  readonly kind: ContractKind
  readonly implementation?: Hex
  readonly notes: readonly Reason[]
} & (
  | { readonly type: 'upgradeable'; readonly upgraders: readonly Upgrader[] }
  | { readonly type: 'immutable'; readonly upgraders?: undefined }
  /** `upgraders`: those that are known. There may be others. */
  | { readonly type: 'unresolved'; readonly upgraders?: readonly Upgrader[] }
)

/** Libraries that call libraries are followed to this depth; what is deeper is not known. */
export const MAX_LIBRARY_DEPTH = 4

/** The code that runs as this logic: a clone runs the code of its target. */
export function runningCode(facts: Facts, address: Hex): CodeFacts | undefined {
  const code = facts.sameChain(address).code()
  return code?.cloneOf === undefined ? code : facts.sameChain(code.cloneOf).code()
}
