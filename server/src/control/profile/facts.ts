/**
 * Access to the states of the graph for judgments: slots and call results as addresses and numbers.
 *
 * A missing state becomes a need and ends the judgment that asked for it; so does a failed read. No judgment is made on
 * less than it asked for.
 */
import type { Hex } from 'viem'
import type { ContractRef } from '../registry/contracts.ts'
import { addressOf, uintOf } from './abi-values.ts'
import type { CallName } from './calls.ts'
import type { CodeFacts } from './code-facts.ts'
import { type SlotName, slotAt } from './slots.ts'
import {
  type Contents,
  type ContractState,
  callKey,
  contentsKey,
  driveKey,
  firstSlotKey,
  type Graph,
  MalformedSignal,
  type MembersRead,
  type Need,
  needKey,
  type Run,
  refKey,
  sameCodeKey,
  slotKey,
  take,
  trialKey,
} from './state.ts'

/** Ends a judgment that lacks a state. The judgment is repeated once the state was read. */
export class PendingSignal extends Error {}

/** The graph, and the needs that judgments have collected. */
export class Ledger {
  readonly #graph: Graph
  readonly #needs = new Map<string, Need>()

  constructor(graph: Graph) {
    this.#graph = graph
  }

  get needs(): readonly Need[] {
    return [...this.#needs.values()]
  }

  need(need: Need): never {
    this.#needs.set(needKey(need), need)
    throw new PendingSignal()
  }

  at(ref: ContractRef): Facts {
    const state = this.#graph.get(refKey(ref))
    if (state === undefined) return this.need({ chainId: ref.chainId, address: ref.address, what: 'state' })
    return new Facts(this, state)
  }
}

/** The state of one address. */
export class Facts {
  readonly state: ContractState
  readonly #ledger: Ledger

  constructor(ledger: Ledger, state: ContractState) {
    this.#ledger = ledger
    this.state = state
  }

  get ref(): ContractRef {
    const { chainId, address } = this.state
    return { chainId, address }
  }

  /** Another address of the same chain. */
  sameChain(address: Hex): Facts {
    return this.#ledger.at({ chainId: this.state.chainId, address })
  }

  at(ref: ContractRef): Facts {
    return this.#ledger.at(ref)
  }

  code(): CodeFacts | undefined {
    return take(this.state.code, { item: 'code' })
  }

  word(name: SlotName): Hex | undefined {
    return take(this.state.slots[name], { item: 'slot', slot: name })
  }

  /** The address in a slot that holds nothing else. */
  slot(name: SlotName): Hex | undefined {
    const word = this.word(name)
    if (word === undefined) return undefined
    const address = addressOf(word)
    if (address === undefined) throw new MalformedSignal({ code: 'slot_not_address', slot: name })
    return address
  }

  /** What a getter returns. */
  result(name: CallName): Hex | undefined {
    return take(this.state.calls[name], { item: 'getter', name })
  }

  address(name: CallName): Hex | undefined {
    const data = this.result(name)
    return data === undefined ? undefined : addressOf(data)
  }

  uint(name: CallName): bigint | undefined {
    const data = this.result(name)
    return data === undefined ? undefined : uintOf(data)
  }

  /** What a call with arguments returns, simulated from `from`; undefined where it reverts. */
  call(data: Hex, from?: Hex): Hex | undefined {
    const known = this.state.more.get(callKey(data, from))
    const need: Need = { ...this.ref, what: 'call', data, ...(from === undefined ? {} : { from }) }
    return known === undefined ? this.#ledger.need(need) : take(known, { item: 'call' })
  }

  /**
   * Whether a call succeeds that has funds and a gas price: from this account, or from one without any privilege.
   * Undefined where that could not be tried.
   */
  succeeds(data: Hex, from?: Hex): boolean | undefined {
    const known = this.state.more.get(trialKey(data, from))
    if (known === undefined)
      return this.#ledger.need({ ...this.ref, what: 'trial', data, ...(from === undefined ? {} : { from }) })
    return known.type === 'unread' ? undefined : known.type === 'value'
  }

  /**
   * What the first of these calls that has an effect makes this module execute for the Safe, sent by an unprivileged caller:
   * a word of `module-trial.ts`. Undefined where none has an effect, or where endpoints cannot try it.
   */
  drives(safe: Hex, calls: readonly Hex[]): Hex | undefined {
    const known = this.state.more.get(driveKey(safe, calls))
    if (known === undefined) return this.#ledger.need({ ...this.ref, what: 'drive', safe, calls })
    return take(known, { item: 'call' })
  }

  /** A slot that only this code uses. */
  storage(position: Hex): Hex | undefined {
    const known = this.state.more.get(slotKey(position))
    if (known !== undefined) return take(known, { item: 'slot', slot: position })
    const name = slotAt(position)
    return name === undefined ? this.#ledger.need({ ...this.ref, what: 'slot', position }) : this.word(name)
  }

  /** A slot in the block in which the contract was created; undefined where that block is not known. */
  firstStorage(position: Hex): Hex | undefined {
    const known = this.state.more.get(firstSlotKey(position))
    if (known === undefined) return this.#ledger.need({ ...this.ref, what: 'first', position })
    return take(known, { item: 'contents' })
  }

  /**
   * Whether the storage holds or held nothing outside of these positions; undefined where its creation is not known. `tables`:
   * slots of mappings whose entries for what the events of its first block name are among them.
   */
  holdsOnly(
    positions: readonly Hex[],
    when: Contents['when'] = 'now',
    tables: readonly Hex[] = [],
  ): boolean | undefined {
    const contents = { positions, tables, when }
    const known = this.state.more.get(contentsKey(contents))
    if (known === undefined) return this.#ledger.need({ ...this.ref, what: 'contents', ...contents })
    const word = take(known, { item: 'contents' })
    return word === undefined ? undefined : BigInt(word) !== 0n
  }

  /**
   * Whether there was the present code before it could run on the storage of another contract. Code that was created and
   * destroyed by one transaction is not the one that is there now.
   */
  hadSameCode(run: Run): boolean {
    const known = this.state.more.get(sameCodeKey(run))
    if (known === undefined) return this.#ledger.need({ ...this.ref, what: 'same_code', ...run })
    const word = take(known, { item: 'contents' })
    return word !== undefined && BigInt(word) !== 0n
  }

  /** Transactions that an account without code sent; undefined where that could not be read. */
  sentTransactions(): number | undefined {
    const known = this.state.nonce
    if (known === undefined) return this.#ledger.need({ ...this.ref, what: 'nonce' })
    return known.type === 'value' ? known.value : undefined
  }

  /** Members of roles, of a manager, governors, wards, or what events name; undefined where the contract has none. */
  members<Name extends 'roles' | 'manager' | 'governors' | 'wards' | 'history'>(
    name: Name,
  ): Exclude<ContractState[Name], undefined> extends MembersRead<infer T> ? T | undefined : never {
    const known: MembersRead<unknown> | undefined = this.state[name]
    if (known === undefined) return this.#ledger.need({ ...this.ref, what: name })
    return take(known, { item: name }) as never
  }
}

/** Maps all items and collects every need among them, so that one round of reads serves all. */
export function each<T, R>(items: readonly T[], judge: (item: T) => R): readonly R[] {
  let pending: PendingSignal | undefined
  const results: R[] = []
  for (const item of items) {
    try {
      results.push(judge(item))
    } catch (signal) {
      if (!(signal instanceof PendingSignal)) throw signal
      pending = signal
    }
  }
  if (pending !== undefined) throw pending
  return results
}
