/** What the abstract interpreter finds: delegatecalls, slots read and written, and callers that are compared. */
import type { Hex } from 'viem'
import { OP } from '../code/instructions.ts'
import { toWord } from './abi-values.ts'
import { account, type Condition, type Held, type Value, wholeOf } from './abstract-value.ts'

export type DelegateSource =
  | { readonly from: 'fixed'; readonly address: Hex }
  | { readonly from: 'slot'; readonly slot: Hex }
  | { readonly from: 'mapping' } // a slot at a hashed position: a diamond's facet table
  | { readonly from: 'self' | 'anything' }
  /** `sender`: only if the caller is this address or the one in this slot. `notAt`: not if the code runs at this address. */
  | { readonly from: 'input'; readonly sender?: Hex; readonly notAt?: Hex }

export type CodeBehavior = {
  /** Every reachable delegatecall. */
  readonly delegates: readonly DelegateSource[]
  /** Slots at fixed positions that it may write; mappings are not among them. */
  readonly writes: readonly Hex[]
  /** Writes on a path that does not compare the caller. `unless`: only while this pointer is empty. */
  readonly unguardedWrites: readonly { readonly slot: Hex; readonly unless?: Hex }[]
  /** It may write a slot whose position is not known. */
  readonly writesAnywhere: boolean
  /** Slots at fixed positions that it reads. */
  readonly reads: readonly Hex[]
  /** Addresses in the code that the caller is compared with. */
  readonly senders: readonly Hex[]
  /** Slots that the caller is compared with. */
  readonly senderSlots: readonly Hex[]
  /** It writes the caller to memory: to look it up in a mapping, or to pass it to another contract. */
  readonly looksUpSender: boolean
  /** It calls other contracts, or itself for any caller: these may decide about access. */
  readonly callsOut: boolean
  /** Slots whose contracts it calls by STATICCALL. */
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
    if (position.from === 'constant') this.#reads.add(toWord(position.value))
  }

  written(position: Value, { sender, unset }: Held): void {
    if (position.from === 'constant') {
      const slot = toWord(position.value)
      this.#writes.add(slot)
      if (sender === undefined)
        this.#unguardedWrites.set(`${slot}${unset ?? ''}`, { slot, ...(unset !== undefined && { unless: unset }) })
    } else if (position.from !== 'hash') this.#anywhere = true
  }

  remembered(value: Value): void {
    if (value.from === 'sender') this.#looksUpSender = true
  }

  called(op: number, target: Value, held: Held): void {
    // After a comparison of the caller, only that caller can make it call itself.
    if (target.from === 'self' && !target.isPart && held.sender !== undefined) return
    if (op === OP.STATICCALL && target.from === 'slot' && typeof target.slot === 'bigint')
      this.#calledSlots.add(toWord(target.slot))
    else this.#callsOut = true
  }

  /** The condition that a comparison tests, where it compares a whole address. */
  compared(left: Value, right: Value): Condition | undefined {
    const subject =
      [left, right].find(({ from }) => from === 'sender') ?? [left, right].find(({ from }) => from === 'self')
    if (subject === undefined) return undefined
    const other = subject === left ? right : left
    if (subject.from === 'sender') this.#comparedSender(other)
    if ('isPart' in subject || (subject.from !== 'sender' && subject.from !== 'self')) return undefined
    const is = wholeOf(other)
    return is === undefined ? undefined : { about: subject.from, is }
  }

  #comparedSender(other: Value): void {
    // Small numbers are precompiles and flags, not accounts.
    if (other.from === 'constant' && other.value > 0xffffn && other.value < 1n << 160n)
      this.#senders.add(account(other.value))
    if (other.from === 'slot' && typeof other.slot === 'bigint') this.#senderSlots.add(toWord(other.slot))
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
      return target.slot === 'any' ? { from: 'anything' } : { from: 'slot', slot: toWord(target.slot) }
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
