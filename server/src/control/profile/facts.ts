/**
 * What a judgement may ask: states of the graph, their slots and answers as addresses and numbers.
 *
 * Whatever is missing becomes a need and ends the judgement that asked; whatever could not be read ends it too. So no
 * judgement is ever made on less than it asked for.
 */
import type { Hex } from 'viem'
import { addressOf, uintOf } from './abi-values.ts'
import type { CallName } from './calls.ts'
import type { CodeFacts } from './code-facts.ts'
import { type BookRead, MalformedSignal, take } from './read.ts'
import type { SlotName } from './slots.ts'
import { type ContractState, callKey, type Graph, type Need, needKey, type Place, placeKey, slotKey } from './state.ts'

/** Ends a judgement that lacks a state; the walk is made again once it is there. */
export class PendingSignal extends Error {}

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

  at(place: Place): Facts {
    const state = this.#graph.get(placeKey(place))
    if (state === undefined) return this.need({ chainId: place.chainId, address: place.address, what: 'state' })
    return new Facts(this, state)
  }
}

export class Facts {
  readonly state: ContractState
  readonly #ledger: Ledger

  constructor(ledger: Ledger, state: ContractState) {
    this.#ledger = ledger
    this.state = state
  }

  get place(): Place {
    const { chainId, address } = this.state
    return { chainId, address }
  }

  /** Another address of the same chain. */
  beside(address: Hex): Facts {
    return this.#ledger.at({ chainId: this.state.chainId, address })
  }

  elsewhere(place: Place): Facts {
    return this.#ledger.at(place)
  }

  code(): CodeFacts | undefined {
    return take(this.state.code, 'its code')
  }

  word(name: SlotName): Hex | undefined {
    return take(this.state.slots[name], `slot ${name}`)
  }

  /** The address in a slot that holds nothing else. */
  slot(name: SlotName): Hex | undefined {
    const word = this.word(name)
    if (word === undefined) return undefined
    const address = addressOf(word)
    if (address === undefined) throw new MalformedSignal(`slot ${name} holds something else than an address`)
    return address
  }

  answer(name: CallName): Hex | undefined {
    return take(this.state.calls[name], `${name}()`)
  }

  address(name: CallName): Hex | undefined {
    const data = this.answer(name)
    return data === undefined ? undefined : addressOf(data)
  }

  uint(name: CallName): bigint | undefined {
    const data = this.answer(name)
    return data === undefined ? undefined : uintOf(data)
  }

  call(data: Hex, from?: Hex): Hex | undefined {
    const known = this.state.more.get(callKey(data, from))
    const need: Need = { ...this.place, what: 'call', data, ...(from === undefined ? {} : { from }) }
    return known === undefined ? this.#ledger.need(need) : take(known, 'a call')
  }

  /** A slot that none but this code uses. */
  storage(position: Hex): Hex | undefined {
    const known = this.state.more.get(slotKey(position))
    return known === undefined
      ? this.#ledger.need({ ...this.place, what: 'slot', position })
      : take(known, `slot ${position}`)
  }

  /** Roles, managers, governors: undefined where the contract has none. */
  book<Name extends 'roles' | 'manager' | 'governors' | 'wards'>(
    name: Name,
  ): Exclude<ContractState[Name], undefined> extends BookRead<infer T> ? T | undefined : never {
    const known: BookRead<unknown> | undefined = this.state[name]
    if (known === undefined) return this.#ledger.need({ ...this.place, what: name })
    return take(known, name === 'roles' ? 'the members of its roles' : `its ${name}`) as never
  }
}

/** Asks for everything that is missing at once, instead of one thing a round. */
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
