/**
 * Delegatecalls to addresses that the caller chooses: an account that may make one can do anything as the contract, and
 * to its storage.
 */
import type { Hex } from 'viem'
import { addressOf, holds, toWord } from './abi-values.ts'
import { classify } from './account.ts'
import type { DelegateSource } from './code-behavior.ts'
import { controllersOf, rolesOf } from './controllers.ts'
import { each, type Facts } from './facts.ts'
import { incomplete } from './roles.ts'
import { distinctUpgraders, everyRoleMember, type Upgrader, upgrader } from './upgrader.ts'

/** Accounts that may make such a delegatecall; none where there is none; undefined where they are not known. */
export function delegatecallers(facts: Facts, delegates: readonly DelegateSource[]): readonly Upgrader[] | undefined {
  const arbitrary = delegates.flatMap((source) =>
    source.from === 'input' && isPossible(facts, source) ? [source] : [],
  )
  if (arbitrary.length === 0) return []
  const callers = each(arbitrary, ({ sender }) => (sender === undefined ? undefined : callerOf(facts, sender)))
  const known = callers.filter((caller) => caller !== undefined)
  if (known.length === callers.length) return distinctUpgraders(known)
  return classify(facts).kind === 'executor' ? executorsOf(facts) : undefined
}

/** UUPS logic refuses to run at its own address, and a proxy takes its first logic once: the proof protects that slot. */
export function isPossible(facts: Facts, { notAt, unless }: DelegateSource & { readonly from: 'input' }): boolean {
  const isSet = unless !== undefined && BigInt.asUintN(160, BigInt(facts.storage(unless) ?? 0)) !== 0n
  return notAt !== facts.state.address && !isSet
}

const ADDRESS_LENGTH = 42

/** `sender`: an address in the code, or a slot that holds one. */
function callerOf(facts: Facts, sender: Hex): Upgrader | undefined {
  if (sender.length === ADDRESS_LENGTH) return upgrader(sender, { code: 'delegatecaller_in_code' })
  const word = facts.storage(sender) ?? toWord(0)
  const named = controllersOf(facts).find(({ address }) => holds(word, address))
  if (named !== undefined) return upgrader(named.address, { code: 'delegatecaller', name: named.name })
  const address = addressOf(word)
  return address === undefined ? undefined : upgrader(address, { code: 'delegatecaller_in_slot', slot: sender })
}

/** An executor runs the payloads of its members. Its getters do not show what its other roles may do. */
function executorsOf(facts: Facts): readonly Upgrader[] {
  const members = rolesOf(facts)
  if (!members.complete) throw incomplete(members)
  const of = { kind: 'executor', address: facts.state.address } as const
  const named = controllersOf(facts).map(({ name, address }) => upgrader(address, { code: 'controller', name, of }))
  return distinctUpgraders([...everyRoleMember(facts, 'executor'), ...named]).filter(
    ({ address }) => address !== facts.state.address,
  )
}
