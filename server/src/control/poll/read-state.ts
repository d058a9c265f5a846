/** Reads the state of one address at one block, and further reads that a judgment needs. */
import type { Hex } from '../../lib/hex.ts'
import { CALL_NAMES, CALLS, type CallName } from '../profile/calls.ts'
import { SLOT_NAMES, type SlotName } from '../profile/slots.ts'
import {
  ABSENT,
  type ContractState,
  callKey,
  contentsKey,
  driveKey,
  firstSlotKey,
  type Need,
  type Read,
  sameCodeKey,
  slotKey,
  trialKey,
} from '../profile/state.ts'
import type { ChainReads } from './chain-reads.ts'
import { type ContractLogs, readGovernors, readHistory, readManager, readRoles, readWards } from './role-members.ts'

export type StateDeps = { readonly reads: ChainReads; readonly logs: ContractLogs }

export async function readState({ reads }: Pick<StateDeps, 'reads'>, address: Hex): Promise<ContractState> {
  const { chainId, block } = reads
  const base = { chainId, address, block, more: new Map<string, Read<Hex>>() }
  const code = await reads.code(address)
  if (code.type !== 'value') {
    // An account without code has no slots and getters; where the code could not be read, nothing else was either.
    return { ...base, code, slots: every(SLOT_NAMES, code), calls: every(CALL_NAMES, code) }
  }
  if (code.value.delegatedTo !== undefined)
    return { ...base, code, slots: every(SLOT_NAMES, ABSENT), calls: every(CALL_NAMES, ABSENT) }
  const [slots, calls] = await Promise.all([
    reads.slots(address),
    reads.calls(
      address,
      CALL_NAMES.map((name) => CALLS[name]),
    ),
  ])
  return { ...base, code, slots: named<SlotName>(SLOT_NAMES, slots), calls: named<CallName>(CALL_NAMES, calls) }
}

function named<Name extends string>(names: readonly Name[], reads: readonly Read<Hex>[]): Record<Name, Read<Hex>> {
  return Object.fromEntries(names.map((name, at) => [name, reads[at] as Read<Hex>])) as Record<Name, Read<Hex>>
}

const every = <Name extends string>(names: readonly Name[], read: Read<never>): Record<Name, Read<Hex>> =>
  Object.fromEntries(names.map((name) => [name, read])) as Record<Name, Read<Hex>>

/** Adds a further read to a state. */
export type Found = (state: ContractState) => ContractState

export async function readMore(deps: StateDeps, need: Need): Promise<Found> {
  const { address } = need
  const found =
    (key: string, read: Read<Hex>): Found =>
    (state) => ({ ...state, more: new Map([...state.more, [key, read]]) })
  switch (need.what) {
    case 'state':
      return (state) => state
    case 'call':
      return found(callKey(need.data, need.from), await deps.reads.call(address, need.data, need.from))
    case 'trial':
      return found(trialKey(need.data, need.from), await deps.reads.trial(address, need.data, need.from))
    case 'drive':
      return found(driveKey(need.safe, need.calls), await deps.reads.drive(address, need.safe, need.calls))
    case 'slot':
      return found(slotKey(need.position), await deps.reads.storage(address, need.position))
    case 'first':
      return found(firstSlotKey(need.position), await deps.reads.firstStorage(address, need.position))
    case 'contents':
      return found(contentsKey(need), await deps.reads.holdsOnly(address, need))
    case 'same_code':
      return found(sameCodeKey(need), await deps.reads.hadSameCode(address, need))
    case 'nonce': {
      const nonce = await deps.reads.nonce(address)
      return (state) => ({ ...state, nonce })
    }
    case 'roles': {
      const roles = await readRoles(deps, address)
      return (state) => ({ ...state, roles })
    }
    case 'manager': {
      const manager = await readManager(deps, address)
      return (state) => ({ ...state, manager })
    }
    case 'wards': {
      const wards = await readWards(deps, address)
      return (state) => ({ ...state, wards })
    }
    case 'history': {
      const history = await readHistory(deps, address)
      return (state) => ({ ...state, history })
    }
    case 'governors':
    default: {
      const governors = await readGovernors(deps, address)
      return (state) => ({ ...state, governors })
    }
  }
}
