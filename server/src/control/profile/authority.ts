/** What is said about who can replace the logic of a contract, and the code that runs as logic. */
import type { Hex } from 'viem'
import type { ContractKind } from '../registry/kinds.ts'
import type { CodeFacts } from './code-facts.ts'
import type { Facts } from './facts.ts'
import type { Root } from './upgrader.ts'

export type Authority = {
  readonly kind: ContractKind
  readonly implementation?: Hex
  readonly notes: readonly string[]
} & (
  | { readonly type: 'roots'; readonly roots: readonly Root[] }
  | { readonly type: 'immutable'; readonly roots?: undefined }
  /** Whoever is known to be able to, beside those who are not known. */
  | { readonly type: 'unresolved'; readonly roots?: readonly Root[] }
)

/** The code that runs as this logic: a clone's is that of its target. */
export function runningCode(facts: Facts, address: Hex): CodeFacts | undefined {
  const code = facts.beside(address).code()
  return code?.cloneOf === undefined ? code : facts.beside(code.cloneOf).code()
}
