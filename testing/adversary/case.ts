/** The table of the adversary suite: systems that are written to get a better label than they deserve. */
import type { Label } from '../../vocabulary/labels.ts'
import type { Attack } from './attack.ts'
import type { Built, Chain, Hardfork } from './chain.ts'
import type { Settings } from './compile.ts'

export const CAUSES = ['second writer', 'trial detector', 'other guard', 'lying getter', 'module', 'forwarder'] as const
export type Cause = (typeof CAUSES)[number]

/** Labels that are still true once the trick is known. `unknown` always is. */
export const WEAK: readonly Label[] = ['single_key', 'unknown']
/** For systems in which several signers decide at once, without the delay that is shown. */
export const WITHOUT_DELAY: readonly Label[] = ['multisig', ...WEAK]

export type Case = {
  /** What the trick is. */
  readonly name: string
  readonly cause: Cause
  /** Who takes control: any account, one account that the system hides, or the signers at once. */
  readonly by: 'anyone' | 'one key' | 'the signers'
  readonly truth: readonly Label[]
  /** Compiler settings to build the system with; all if missing. */
  readonly settings?: readonly Settings[]
  /** Contracts can be destroyed only before the Cancun hard fork, and a few opcodes are newer than Prague. */
  readonly hardfork?: Exclude<Hardfork, 'prague'>
  readonly build: (chain: Chain) => Promise<Built>
  /** Takes control with transactions of the attacker only. */
  readonly exploit: (attack: Attack, built: Built) => Promise<void>
}

/** The same structure without the trick. */
export type Twin = {
  readonly name: string
  readonly cause: Cause
  /** The case whose exploit must fail here. */
  readonly twinOf?: string
  readonly deserves: Label
  readonly settings?: readonly Settings[]
  readonly build: (chain: Chain) => Promise<Built>
}
