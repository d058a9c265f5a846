/** What following the code has found: where it delegates, which slots it reads and writes, whom it compares its sender with. */
import type { Hex } from 'viem'
import { account, type Held, type Question, type Value, wholeOf, word } from './abstract-value.ts'

export type DelegateSource =
  | { readonly from: 'fixed'; readonly address: Hex }
  | { readonly from: 'slot'; readonly slot: Hex }
  | { readonly from: 'mapping' } // a slot found by hashing: a diamond's table of facets
  | { readonly from: 'self' | 'anything' }
  /** `sender`: only for whoever stands in this slot, or for this address. `notAt`: only where it runs for another. */
  | { readonly from: 'input'; readonly sender?: Hex; readonly notAt?: Hex }

export type CodeBehavior = {
  /** Every delegatecall that can be reached. */
  readonly delegates: readonly DelegateSource[]
  /** Slots at fixed positions that it may write; mappings are not among them. */
  readonly writes: readonly Hex[]
  /** Of these, those it writes for anyone: no way there compares the sender. `unless`: only while that pointer is empty. */
  readonly unguardedWrites: readonly { readonly slot: Hex; readonly unless?: Hex }[]
  /** It may write a slot whose position could not be told. */
  readonly writesAnywhere: boolean
  /** Slots at fixed positions that it reads. */
  readonly reads: readonly Hex[]
  /** Addresses in the code that the sender is compared with. */
  readonly senders: readonly Hex[]
  /** Slots that the sender is compared with. */
  readonly senderSlots: readonly Hex[]
  /** It puts its sender into memory: to look it up in a table, or to ask another contract about it. */
  readonly looksUpSender: boolean
  /** It calls other contracts, or itself for anyone: its logic may then decide what its own code does not. */
  readonly callsOut: boolean
  /** Slots whose contracts it asks something, in a call that can change nothing. */
  readonly calledSlots: readonly Hex[]
  /** Every path was followed to its end. */
  readonly settled: boolean
}

export class Findings {
  readonly #delegates = new Map<string, DelegateSource>()
  readonly #writes = new Set<Hex>()
  readonly #unguardedWrites = new Map<string, CodeBehavior['unguardedWrites'][number]>()
  readonly #reads = new Set<Hex>()
  readonly #senders = new Set<Hex>()
  readonly #senderSlots = new Set<Hex>()
  #anywhere = false
  #looksUpSender = false
  #callsOut = false
  readonly #calledSlots = new Set<Hex>()

  delegated(target: Value, held: Held): void {
    const found = sourceOf(target)
    const source = found.from === 'input' ? { ...found, ...held } : found
    this.#delegates.set(JSON.stringify(source), source)
  }

  read(position: Value): void {
    if (position.from === 'constant') this.#reads.add(word(position.value))
  }

  written(position: Value, { sender, unset }: Held): void {
    if (position.from === 'constant') {
      const slot = word(position.value)
      this.#writes.add(slot)
      if (sender === undefined)
        this.#unguardedWrites.set(`${slot}${unset ?? ''}`, { slot, ...(unset !== undefined && { unless: unset }) })
    } else if (position.from !== 'hash') this.#anywhere = true
  }

  remembered(value: Value): void {
    if (value.from === 'sender') this.#looksUpSender = true
  }

  called(op: number, target: Value, held: Held): void {
    // Past a comparison of its sender it is that sender who has it call itself.
    if (target.from === 'self' && !target.isPart && held.sender !== undefined) return
    if (op === 0xfa && target.from === 'slot' && typeof target.slot === 'bigint')
      this.#calledSlots.add(word(target.slot))
    else this.#callsOut = true
  }

  /** What the comparison asks, where that is whole: a part of an address is one that many have. */
  compared(left: Value, right: Value): Question | undefined {
    const asked =
      [left, right].find(({ from }) => from === 'sender') ?? [left, right].find(({ from }) => from === 'self')
    if (asked === undefined) return undefined
    const other = asked === left ? right : left
    if (asked.from === 'sender') this.#comparedSender(other)
    if ('isPart' in asked || (asked.from !== 'sender' && asked.from !== 'self')) return undefined
    const is = wholeOf(other)
    return is === undefined ? undefined : { about: asked.from, is }
  }

  #comparedSender(other: Value): void {
    // Small numbers are precompiles and flags, not people.
    if (other.from === 'constant' && other.value > 0xffffn && other.value < 1n << 160n)
      this.#senders.add(account(other.value))
    if (other.from === 'slot' && typeof other.slot === 'bigint') this.#senderSlots.add(word(other.slot))
  }

  done(settled: boolean): CodeBehavior {
    return {
      delegates: [...this.#delegates.values()],
      writes: [...this.#writes],
      unguardedWrites: [...this.#unguardedWrites.values()],
      writesAnywhere: this.#anywhere,
      reads: [...this.#reads],
      senders: [...this.#senders],
      senderSlots: [...this.#senderSlots],
      looksUpSender: this.#looksUpSender,
      callsOut: this.#callsOut,
      calledSlots: [...this.#calledSlots],
      settled,
    }
  }
}

function sourceOf(target: Value): DelegateSource {
  switch (target.from) {
    case 'constant':
      return { from: 'fixed', address: account(target.value & ((1n << 160n) - 1n)) }
    case 'slot':
      if (target.slot === 'hashed') return { from: 'mapping' }
      return target.slot === 'any' ? { from: 'anything' } : { from: 'slot', slot: word(target.slot) }
    case 'self':
      return { from: target.isPart ? 'anything' : 'self' }
    case 'input':
      return { from: 'input' }
    case 'sender':
    case 'hash':
    case 'yes':
    case 'no':
    case 'anything':
    default:
      return { from: 'anything' }
  }
}
