/**
 * States of contracts for tests, without a chain.
 *
 * An address without a description is an account without code. A call without a description reverts.
 */
import {
  encodeAbiParameters,
  encodeFunctionData,
  encodeFunctionResult,
  type Hex,
  keccak256,
  multicall3Abi,
  parseAbiParameters,
  stringToHex,
} from 'viem'
import { MULTICALL3 } from '../../server/src/control/chains/chains.ts'
import type { Effect } from '../../server/src/control/code/effects.ts'
import { NO_POWERS } from '../../server/src/control/powers/code-powers.ts'
import { toWord } from '../../server/src/control/profile/abi-values.ts'
import { CALL_NAMES, type CallName } from '../../server/src/control/profile/calls.ts'
import type { CodeFacts } from '../../server/src/control/profile/code-facts.ts'
import { type Profile, profileOf } from '../../server/src/control/profile/profile.ts'
import { DEFAULT_ADMIN, PROPOSER } from '../../server/src/control/profile/roles.ts'
import { SINGLETONS } from '../../server/src/control/profile/safe-account.ts'
import { SLOT_NAMES, SLOTS, type SlotName } from '../../server/src/control/profile/slots.ts'
import {
  ABSENT,
  type ContractState,
  callKey,
  contentsKey,
  driveKey,
  firstSlotKey,
  type History,
  type ManagerMember,
  type Need,
  type Read,
  type RoleMembers,
  refKey,
  sameCodeKey,
  slotKey,
  trialKey,
  unread,
  value,
} from '../../server/src/control/profile/state.ts'
import type { ContractRef } from '../../server/src/control/registry/contracts.ts'

export const SINGLETON = [...SINGLETONS.keys()].at(-1) as Hex
/** The proxy of a Safe, whose singleton is in a slot, with further effects. */
export function safeProxy(slot: Hex, ...others: readonly Effect[]): Partial<CodeFacts> {
  const target = { type: 'slot', slot, shift: 0 } as const
  const forward: Effect = { kind: 'delegatecall', at: 0, target, isForwarded: true, isUnchanged: true, conditions: [] }
  return {
    delegates: [{ from: 'slot', slot }],
    delegating: true,
    effects: { effects: [forward, ...others], asks: [], answers: [{ is: { type: 'forwarded' } }], settled: true },
  }
}
export const SAFE_PROXY = safeProxy(SLOTS.slot0)
/** Code of a proxy that delegates to the standard slot and can write it, for the caller in its admin slot. */
export const TRANSPARENT: Partial<CodeFacts> = {
  delegates: [{ from: 'slot', slot: SLOTS.implementation }],
  delegating: true,
  writes: [SLOTS.implementation, SLOTS.admin],
  senderSlots: [SLOTS.admin],
}
/** Code of a proxy that only delegates. */
export const FORWARDER: Partial<CodeFacts> = {
  delegates: [{ from: 'slot', slot: SLOTS.implementation }],
  delegating: true,
}
export const UUPS: Partial<CodeFacts> = {
  selectors: new Set<Hex>(['0x4f1ef286', '0x52d1902d']),
  writes: [SLOTS.implementation],
}

/** The address of a name: its hash. */
export function at(name: string): Hex {
  return `0x${keccak256(stringToHex(name)).slice(-40)}`
}

export type Described = {
  readonly code?: Partial<CodeFacts> | 'none'
  readonly slots?: Readonly<Partial<Record<SlotName, Hex | number>>>
  readonly calls?: Readonly<Partial<Record<CallName, Hex | number | bigint>>>
  readonly roles?: Readonly<Record<Hex, readonly Hex[]>>
  readonly rolesComplete?: boolean
  /** Roles whose admin is not the default admin. */
  readonly roleAdmins?: Readonly<Record<Hex, Hex>>
  readonly manager?: Readonly<Record<string, readonly ManagerMember[]>>
  readonly governors?: readonly Hex[]
  readonly wards?: readonly Hex[]
  readonly history?: Partial<History>
  readonly more?: Readonly<Record<string, Hex>>
  /**
   * The storage holds more than what is listed, more than is listed but no more than events name, or no endpoint proves what
   * it holds.
   */
  readonly contents?: 'others' | 'used' | 'unread'
  /** Whether a simulated call succeeds. By default every call reverts. */
  readonly allows?: (from: Hex | undefined, data: Hex) => boolean
}

export const addresses = (list: readonly Hex[]): Hex => encodeAbiParameters(parseAbiParameters('address[]'), [list])
export const modulePage = (list: readonly Hex[], next: Hex = '0x0000000000000000000000000000000000000001'): Hex =>
  encodeAbiParameters(parseAbiParameters('address[], address'), [list, next])

const NO_HISTORY: History = {
  granted: new Map(),
  relied: [],
  administrators: [],
  listed: [],
  logics: [],
  logicBlocks: new Map(),
  approvals: [],
  messages: [],
  removed: [],
  operations: [],
  revoked: [],
}

const PLAIN: CodeFacts = {
  hash: keccak256('0x01'),
  effects: { effects: [], asks: [], answers: [], settled: true },
  powers: NO_POWERS,
  selectors: new Set(),
  delegating: false,
  delegates: [],
  writes: [],
  writesAnywhere: false,
  senders: [],
  senderSlots: [],
  looksUpSender: false,
  callsOut: false,
  calledSlots: [],
  unguardedWrites: [],
  settled: true,
}

const asWord = (given: Hex | number | bigint): Hex =>
  typeof given === 'string' && given.length > 42 ? given : toWord(given)

function table<Name extends string, Given extends Hex | number | bigint>(
  names: readonly Name[],
  given: Readonly<Partial<Record<Name, Given>>> | undefined,
): Record<Name, Read<Hex>> {
  const entries = names.map((name): [Name, Read<Hex>] => {
    const known = given?.[name]
    return [name, known === undefined ? ABSENT : value(asWord(known))]
  })
  return Object.fromEntries(entries) as Record<Name, Read<Hex>>
}

export function stateOf(ref: ContractRef, described: Described): ContractState {
  const { roles, manager, governors, wards, history, code } = described
  return {
    ...ref,
    block: { number: 1, hash: keccak256('0x02') },
    code: code === 'none' ? ABSENT : value({ ...PLAIN, ...code }),
    slots: table(SLOT_NAMES, described.slots),
    calls: table(CALL_NAMES, described.calls),
    more: new Map(Object.entries(described.more ?? {}).map(([key, data]) => [key, value(data)])),
    ...(roles === undefined ? {} : { roles: value(roleMembersOf(roles, described)) }),
    ...(manager === undefined ? {} : { manager: value(new Map(Object.entries(manager))) }),
    ...(governors === undefined ? {} : { governors: value(governors) }),
    ...(wards === undefined ? {} : { wards: value(wards) }),
    ...(history === undefined ? {} : { history: value({ ...NO_HISTORY, ...history }) }),
  }
}

function roleMembersOf(
  roles: Readonly<Record<Hex, readonly Hex[]>>,
  { rolesComplete, roleAdmins }: Described,
): RoleMembers {
  const entries = Object.entries(roles) as [Hex, readonly Hex[]][]
  const withAdmin = entries.map(([role, members]): [Hex, { admin: Hex; members: readonly Hex[] }] => [
    role,
    { admin: roleAdmins?.[role] ?? DEFAULT_ADMIN, members },
  ])
  return { complete: rolesComplete ?? true, roles: new Map(withAdmin) }
}

/** Describes Multicall3: a call of `target` with `data` through it reverts because the caller lacks `role`. */
export function refusals(target: Hex, data: Hex, role: Hex): Described {
  const calls = [{ target, allowFailure: true, callData: data }]
  const call = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [calls] })
  const returnData: Hex = `0xe2517d3f${toWord(MULTICALL3).slice(2)}${role.slice(2)}`
  const result = encodeFunctionResult({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    result: [{ success: false, returnData }],
  })
  return { more: { [callKey(call)]: result } }
}

export class SampleWorld {
  readonly #states = new Map<string, ContractState>()
  readonly #allows = new Map<string, NonNullable<Described['allows']>>()
  readonly #contents = new Map<string, Described['contents']>()
  readonly chainId: number

  constructor(chainId = 1) {
    this.chainId = chainId
  }

  add(name: string, described: Described, chainId = this.chainId): Hex {
    return this.addAt(at(name), described, chainId)
  }

  addAt(address: Hex, described: Described, chainId = this.chainId): Hex {
    const ref = { chainId, address }
    this.#states.set(refKey(ref), stateOf(ref, described))
    if (described.allows !== undefined) this.#allows.set(refKey(ref), described.allows)
    this.#contents.set(refKey(ref), described.contents)
    return address
  }

  state(address: Hex, chainId = this.chainId): ContractState | undefined {
    return this.#states.get(refKey({ chainId, address }))
  }

  replace(state: ContractState): void {
    this.#states.set(refKey(state), state)
  }

  clone(): SampleWorld {
    const copy = new SampleWorld(this.chainId)
    for (const state of this.#states.values()) copy.replace(state)
    for (const [key, allows] of this.#allows) copy.#allows.set(key, allows)
    for (const [key, contents] of this.#contents) copy.#contents.set(key, contents)
    return copy
  }

  get states(): readonly ContractState[] {
    return [...this.#states.values()]
  }

  safe(
    name: string,
    threshold: number,
    owners: readonly Hex[],
    more: Described = {},
    modules: readonly Hex[] = [],
  ): Hex {
    return this.add(name, {
      ...more,
      code: more.code ?? SAFE_PROXY,
      slots: { slot0: SINGLETON, slot3: owners.length, slot4: threshold, ...more.slots },
      calls: {
        getThreshold: threshold,
        getOwners: addresses(owners),
        nonce: 7,
        modules: modulePage(modules),
        ...more.calls,
      },
    })
  }

  timelock(name: string, delay: number, proposers: readonly Hex[], more: Described = {}): Hex {
    const address = at(name)
    return this.add(name, {
      ...more,
      calls: { getMinDelay: delay, hasRole: 0, ...more.calls },
      roles: { [PROPOSER]: proposers, [DEFAULT_ADMIN]: [address], ...more.roles },
    })
  }

  proxyAdmin(name: string, owner: Hex): Hex {
    return this.add(name, {
      calls: { owner },
      code: { selectors: new Set<Hex>(['0x9623609d']) },
      allows: (from) => from === owner,
    })
  }

  transparent(name: string, admin: Hex, more: Described = {}): Hex {
    const implementation = this.add(`${name} logic`, {})
    return this.add(name, { code: TRANSPARENT, ...more, slots: { implementation, admin, ...more.slots } })
  }

  uups(name: string, calls: Described['calls'], more: Described = {}): Hex {
    const implementation = this.add(`${name} logic`, { code: UUPS })
    return this.add(name, {
      code: FORWARDER,
      allows: (from) => from === calls?.owner,
      ...more,
      slots: { implementation, ...more.slots },
      calls: calls ?? {},
    })
  }

  /** Adds the states that are missing, as a poll does, until the profile is final. */
  profile(target: Hex, previous?: Profile, isOverdue = false): Profile {
    for (let round = 0; round < 40; round += 1) {
      const { profile, needs } = profileOf({
        graph: this.#states,
        target: { chainId: this.chainId, address: target },
        previous,
        isOverdue,
      })
      if (needs.length === 0) return profile
      for (const need of needs) this.#addRead(need)
    }
    throw new Error('the profile still has needs after 40 rounds')
  }

  #addRead(need: Need): void {
    const { chainId, address } = need
    const known = this.#states.get(refKey(need))
    if (need.what === 'state' || known === undefined) {
      this.#states.set(refKey(need), stateOf({ chainId, address }, { code: 'none' }))
      return
    }
    if (need.what === 'first') {
      this.replace({ ...known, more: new Map([...known.more, [firstSlotKey(need.position), value(toWord(0))]]) })
      return
    }
    if (need.what === 'same_code') {
      this.replace({ ...known, more: new Map([...known.more, [sameCodeKey(need), value(toWord(1))]]) })
      return
    }
    if (need.what === 'contents') {
      const contents = this.#contents.get(refKey(need))
      const isFirst = ![...known.more.keys()].some((key) => key.startsWith('contents|'))
      const read =
        contents === 'unread'
          ? unread('no endpoint supports eth_getProof')
          : value(toWord(contents === 'others' || (contents === 'used' && isFirst) ? 0 : 1))
      this.replace({ ...known, more: new Map([...known.more, [contentsKey(need), read]]) })
      return
    }
    if (need.what === 'call' || need.what === 'trial' || need.what === 'slot' || need.what === 'drive') {
      const key =
        need.what === 'drive'
          ? driveKey(need.safe, need.calls)
          : need.what === 'slot'
            ? slotKey(need.position)
            : need.what === 'call'
              ? callKey(need.data, need.from)
              : trialKey(need.data, need.from)
      const isAllowed = need.what === 'call' && this.#allows.get(refKey(need))?.(need.from, need.data) === true
      this.replace({ ...known, more: new Map([...known.more, [key, isAllowed ? value('0x' as Hex) : ABSENT]]) })
      return
    }
    this.replace({ ...known, [need.what]: ABSENT })
  }
}

/** Every world that differs from this one by a single failed read. */
export function* withOneFault(world: SampleWorld): Generator<{ readonly what: string; readonly world: SampleWorld }> {
  const failed = unread('the node did not respond')
  for (const state of world.states) {
    const change = (what: string, next: ContractState) => {
      const copy = world.clone()
      copy.replace(next)
      return { what: `${what} of ${state.address}`, world: copy }
    }
    yield change('code', { ...state, code: failed })
    for (const name of SLOT_NAMES) yield change(name, { ...state, slots: { ...state.slots, [name]: failed } })
    for (const name of CALL_NAMES) yield change(name, { ...state, calls: { ...state.calls, [name]: failed } })
    for (const key of state.more.keys()) yield change(key, { ...state, more: new Map([...state.more, [key, failed]]) })
    for (const members of ['roles', 'manager', 'governors', 'wards', 'history'] as const)
      if (state[members] !== undefined) yield change(members, { ...state, [members]: failed })
  }
}
