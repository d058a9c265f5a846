/** All that is read of one address at one block, and what a judgement asks for beyond it. */
import type { Hex } from '../node/parse.ts'
import { CALL_NAMES, CALLS, type CallName } from '../profile/calls.ts'
import { type CodeFacts, codeFacts } from '../profile/code.ts'
import { ABSENT, type Read, value } from '../profile/read.ts'
import { SLOT_NAMES, SLOTS, type SlotName } from '../profile/slots.ts'
import { type ContractState, callKey, type Need, slotKey } from '../profile/state.ts'
import type { ChainReads } from './chain-reads.ts'
import { type LogHistory, readGovernors, readManager, readRoles } from './role-books.ts'

export type StateDeps = { readonly reads: ChainReads; readonly logs: LogHistory; readonly codes: CodeCache }

/** Following code takes milliseconds, and most contracts share theirs with others. */
export type CodeCache = (code: Hex) => CodeFacts

export function createCodeCache(most = 2_000): CodeCache {
  const known = new Map<Hex, CodeFacts>()
  return (code) => {
    const facts = known.get(code) ?? codeFacts(code)
    known.delete(code)
    known.set(code, facts) // the newest stands last
    if (known.size > most) known.delete(known.keys().next().value as Hex)
    return facts
  }
}

export async function readState({ reads, codes }: StateDeps, address: Hex): Promise<ContractState> {
  const { chainId, block } = reads
  const base = { chainId, address, block, more: new Map<string, Read<Hex>>() }
  const code = await reads.code(address)
  if (code.type !== 'value') {
    // Nothing can be asked of an account; what is asked of one whose code could not be read fails the same way.
    return { ...base, code, slots: every(SLOT_NAMES, code), calls: every(CALL_NAMES, code) }
  }
  const facts = codes(code.value)
  if (facts.delegatedTo !== undefined)
    return { ...base, code: value(facts), slots: every(SLOT_NAMES, ABSENT), calls: every(CALL_NAMES, ABSENT) }
  const [slots, calls] = await Promise.all([
    Promise.all(SLOT_NAMES.map((name) => reads.storage(address, SLOTS[name]))),
    reads.calls(
      address,
      CALL_NAMES.map((name) => CALLS[name]),
    ),
  ])
  return {
    ...base,
    code: value(facts),
    slots: named<SlotName>(SLOT_NAMES, slots),
    calls: named<CallName>(CALL_NAMES, calls),
  }
}

function named<Name extends string>(names: readonly Name[], reads: readonly Read<Hex>[]): Record<Name, Read<Hex>> {
  return Object.fromEntries(names.map((name, at) => [name, reads[at] as Read<Hex>])) as Record<Name, Read<Hex>>
}

const every = <Name extends string>(names: readonly Name[], read: Read<never>): Record<Name, Read<Hex>> =>
  Object.fromEntries(names.map((name) => [name, read])) as Record<Name, Read<Hex>>

/** The state with what was missing in it. */
export async function readMore(deps: StateDeps, state: ContractState, need: Need): Promise<ContractState> {
  const { address } = state
  const withMore = (key: string, read: Read<Hex>): ContractState => ({
    ...state,
    more: new Map([...state.more, [key, read]]),
  })
  switch (need.what) {
    case 'state':
      return state
    case 'call':
      return withMore(callKey(need.data, need.from), await deps.reads.call(address, need.data, need.from))
    case 'slot':
      return withMore(slotKey(need.position), await deps.reads.storage(address, need.position))
    case 'roles':
      return { ...state, roles: await readRoles(deps, address) }
    case 'manager':
      return { ...state, manager: await readManager(deps, address) }
    case 'governors':
    default:
      return { ...state, governors: await readGovernors(deps, address) }
  }
}
