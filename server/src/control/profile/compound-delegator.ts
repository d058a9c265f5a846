/** Compound's delegators (Unitroller, CErc20Delegator): logic and admin have getters in the delegator's own code. */
import type { Hex } from 'viem'
import type { Reason } from '../../../../vocabulary/reasons.ts'
import { addressOf, holds, toWord } from './abi-values.ts'
import { type Authority, runningCode } from './authority.ts'
import { type CodeFacts, mayWrite, replaceable } from './code-facts.ts'
import { controllersOf, isBurnAddress } from './controllers.ts'
import { each, type Facts } from './facts.ts'
import { SLOTS } from './slots.ts'
import { callersInCode, distinctUpgraders, type Upgrader, upgrader } from './upgrader.ts'

/** `admin()`, `pendingComptrollerImplementation()`. */
const ADMIN: Hex = '0xf851a440'
const PENDING_IMPLEMENTATION: Hex = '0xdcfbc0c7'

export function delegatorAuthority(facts: Facts, code: CodeFacts): Authority | undefined {
  const stored = replaceable(code).flatMap((source) => (source.from === 'slot' ? [source.slot] : []))
  const implementation = facts.address('comptrollerImplementation') ?? facts.address('implementation')
  const admin = facts.address('admin')
  if (stored.length === 0 || implementation === undefined || admin === undefined) return undefined
  // Getters of the logic could be forged, so admin() must be in the delegator's own code.
  if (!code.selectors.has(ADMIN) || stored.length < replaceable(code).length) return undefined
  const of = { kind: 'compound_delegator', address: facts.state.address } as const
  const pending = controllersOf(facts).filter(({ name }) => name === 'pending_admin')
  const { others, isAdminChecked, isPacked, isOffered } = comparedCallers(facts, code, admin)
  const upgraders = [
    upgrader(admin, { code: 'controller', name: 'admin', of }),
    ...pending.map(({ name, address }) => upgrader(address, { code: 'controller', name, of })),
    ...others,
  ]
  const doubts: readonly Reason[] = [
    ...(code.looksUpSender ? [{ code: 'caller_lookup_in_delegator' } as const] : []),
    ...(code.settled && !code.writesAnywhere ? [] : [{ code: 'writes_not_followed' } as const]),
    ...(isPacked ? [{ code: 'caller_slot_packed' } as const] : []),
    ...(stored.some((slot) => logicWrites(facts, slot, implementation))
      ? [{ code: 'pointer_writable_by_logic' } as const]
      : []),
    ...(isOffered ? [{ code: 'implementation_offered' } as const] : []),
    ...(isAdminChecked || !stored.some((slot) => mayWrite(code, slot)) ? [] : [{ code: 'admin_not_checked' } as const]),
  ]
  const base = {
    kind: 'proxy_compound',
    implementation,
    upgraders: distinctUpgraders(upgraders),
    notes: doubts,
  } as const
  return { ...base, type: doubts.length > 0 ? 'unresolved' : 'upgradeable' }
}

/** Whether the logic in a slot writes that slot, as far as was found. The getter may name other logic than the slot. */
function logicWrites(facts: Facts, slot: Hex, named: Hex): boolean {
  const word = facts.storage(slot)
  const address = word === undefined ? named : addressOf(word)
  return address !== undefined && runningCode(facts, address)?.writes.includes(slot) === true
}

type ComparedCallers = {
  readonly others: readonly Upgrader[]
  readonly isAdminChecked: boolean
  readonly isPacked: boolean
  readonly isOffered: boolean
}

/** Accounts that the delegator's code compares its caller with. The admin may share its slot with a small number. */
function comparedCallers(facts: Facts, code: CodeFacts, admin: Hex): ComparedCallers {
  const words = each(code.senderSlots, (slot) => facts.storage(slot) ?? toWord(0))
  const unnamed = words.filter((word) => BigInt(word) !== 0n && !holds(word, admin))
  const isOffered = offersImplementation(facts, code)
  const compared = callersInCode(facts, code, isOffered ? [SLOTS.slot3] : [])
  return {
    others: compared.filter(({ address }) => !isBurnAddress(address) && address !== admin),
    isAdminChecked: code.senders.includes(admin) || words.some((word) => holds(word, admin)),
    isPacked: unnamed.some((word) => addressOf(word) === undefined),
    isOffered,
  }
}

/**
 * A pending implementation accepts by itself, so it is not a key of the contract. An address without code in that slot
 * is a key like any other.
 */
function offersImplementation(facts: Facts, code: CodeFacts): boolean {
  if (!code.selectors.has(PENDING_IMPLEMENTATION) || !code.senderSlots.includes(SLOTS.slot3)) return false
  const word = facts.storage(SLOTS.slot3)
  const address = word === undefined ? undefined : addressOf(word)
  const logic = address === undefined || isBurnAddress(address) ? undefined : facts.sameChain(address).code()
  return logic !== undefined && logic.delegatedTo === undefined
}
