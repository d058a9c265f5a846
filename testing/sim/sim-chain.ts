/**
 * A simulated chain in memory: a tree of blocks with one canonical branch.
 *
 * Transactions create contracts, directly or through a factory; contracts log control events, other events and
 * repetitions. The tree keeps stale branches, as nodes do.
 */

import { bloomOf } from '../../server/src/control/watch/bloom-check.ts'
import type { Hex } from '../../server/src/lib/hex.ts'
import type { Random } from '../support/random.ts'

export type SimLog = {
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly txHash: Hex
  readonly txIndex: number
  readonly logIndex: number
}

export type SimTx = {
  readonly hash: Hex
  readonly index: number
  readonly creates: Hex | undefined
  readonly isDirect: boolean
}

export type SimBlock = {
  readonly number: number
  readonly hash: Hex
  readonly parent: SimBlock | undefined
  readonly seconds: number
  readonly minedAt: number
  readonly txs: readonly SimTx[]
  readonly logs: readonly SimLog[]
  readonly bloom: Hex
  /** Contracts that exist after this block, with the transaction that created them. */
  readonly contracts: ReadonlyMap<Hex, Hex>
}

export type SimChain = {
  readonly tip: () => SimBlock
  /** Blocks of a branch by number. */
  readonly at: (tip: SimBlock, number: number) => SimBlock | undefined
  readonly byHash: (hash: Hex) => SimBlock | undefined
  readonly mine: () => SimBlock
  /** Replaces the last `depth` blocks by `depth + growth` others, at least one. */
  readonly reorganise: (depth: number, growth?: number) => void
  /** The tip that the last reorg replaced, and when. */
  readonly replaced: () => { readonly tip: SimBlock; readonly at: number } | undefined
  readonly addresses: readonly Hex[]
}

const word = (hex: string): Hex => `0x${hex.replace('0x', '').padStart(64, '0')}`

export const TOPICS = {
  upgraded: '0xbc7cd75a20ee27fd9adebab32041f755214dbc6bffa90cc0225b39da2e5c2d3b',
  ownership: '0x8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e0',
  paused: '0x62e78cea01bee320cd4e420270b5ea74000d11b0c9f74754ebdbfc544b05a258',
  pausedAll: '0x9e87fac88ff661f02d44f95383c817fece4bce600a3dab7a54406878b965e752',
  minDelay: '0x11c24f4ead16507c69ac467fbd5e4eed5fb5c699626d2cc6d66421df253886d5',
  transfer: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
} as const satisfies Record<string, Hex>

/** A transaction that a new branch contains again, with what it logs. */
type Returning = { readonly tx: SimTx; readonly logs: readonly SimLog[] }

/** The transactions of a block that create no contract. */
const callsOf = ({ txs, logs }: SimBlock): readonly Returning[] =>
  txs.flatMap((tx) => (tx.creates === undefined ? [{ tx, logs: logs.filter(({ txHash }) => txHash === tx.hash) }] : []))

/** Events that a contract may log: chain-wide and ordinary control events, and events outside the catalog. */
function randomLog(random: Random, address: Hex, party: Hex): Pick<SimLog, 'topics' | 'data'> {
  switch (random.below(6)) {
    case 0:
      return { topics: [TOPICS.upgraded, word(party)], data: '0x' }
    case 1:
      return { topics: [TOPICS.ownership, word(address), word(party)], data: '0x' }
    case 2:
      // One is critical, the other is not. Neither is chain-wide.
      return /[0-7]$/.test(party)
        ? { topics: [TOPICS.pausedAll], data: '0x' }
        : { topics: [TOPICS.paused], data: word(party) }
    case 3:
      return { topics: [TOPICS.minDelay], data: `${word('01')}${word('02').slice(2)}` }
    default:
      return { topics: [TOPICS.transfer, word(address), word(party)], data: word('ff') }
  }
}

type ChainOptions = {
  readonly random: Random
  readonly now: () => number
  /** Decides which transactions of replaced blocks are in the new branch again. Without it, none. */
  readonly returning?: Random
  /** How much the timestamps of blocks differ from the time at which they appear, in milliseconds. */
  readonly skew?: number
}

export function simChain({ random, now, returning, skew = 0 }: ChainOptions): SimChain {
  // Many, so that contracts are created throughout, also in blocks that leave the chain.
  const addresses = Array.from({ length: 24 }, () => random.hex(20))
  const strangers = Array.from({ length: 3 }, () => random.hex(20))
  const factory = random.hex(20)
  const blocks = new Map<Hex, SimBlock>()
  const index = new WeakMap<SimBlock, readonly SimBlock[]>()
  const keep = (block: SimBlock): SimBlock => {
    blocks.set(block.hash, block)
    return block
  }
  const seconds = (): number => Math.floor((now() + skew) / 1_000)
  let replaced: ReturnType<SimChain['replaced']>
  let tip = keep({
    number: 0,
    hash: random.hex(32),
    parent: undefined,
    seconds: seconds(),
    minedAt: now(),
    txs: [],
    logs: [],
    bloom: bloomOf([]),
    contracts: new Map(),
  })

  const build = (parent: SimBlock, again: readonly Returning[] = []): SimBlock => {
    const txs: SimTx[] = []
    const logs: SimLog[] = []
    const contracts = new Map(parent.contracts)
    const count = random.chance(0.4) ? 0 : random.between(1, 3)
    let isSealed = false // after an unlogged creation a second one would make its transaction ambiguous
    for (let at = 0; at < count; at += 1) {
      const hash = random.hex(32)
      const unborn = addresses.filter((address) => !contracts.has(address))
      const drawn = unborn.length > 0 && random.chance(0.25) ? random.pick(unborn) : undefined
      const creates: Hex | undefined = isSealed ? undefined : drawn
      const isDirect = random.chance(0.5)
      const isSilent: boolean = creates !== undefined && !isDirect && /[0-5]$/.test(creates)
      isSealed ||= isSilent
      txs.push({ hash, index: at, creates, isDirect })
      if (creates !== undefined) contracts.set(creates, hash)
      const emit = (address: Hex, log: Pick<SimLog, 'topics' | 'data'>): void =>
        void logs.push({ address, ...log, txHash: hash, txIndex: at, logIndex: logs.length })
      // Most factories log what they create.
      if (creates !== undefined && !isDirect && !isSilent)
        emit(factory, { topics: [TOPICS.transfer, word(creates)], data: '0x' })
      const living = [...contracts.keys()]
      const speakers = creates === undefined || random.chance(0.3) ? living : [creates]
      const drawnLogs = random.below(4)
      for (let n = isSilent ? 0 : drawnLogs; n > 0 && speakers.length > 0; n -= 1) {
        const address = random.pick(speakers)
        const log = randomLog(random, address, random.pick(strangers))
        // A bloom filter cannot detect one of two equal logs.
        for (let times = random.chance(0.2) ? 2 : 1; times > 0; times -= 1) emit(address, log)
      }
    }
    for (const { tx, logs: emitted } of again) {
      const index = txs.length
      txs.push({ ...tx, index })
      for (const log of emitted) logs.push({ ...log, txIndex: index, logIndex: logs.length })
    }
    return keep({
      number: parent.number + 1,
      hash: random.hex(32),
      parent,
      seconds: seconds(),
      minedAt: now(),
      txs,
      logs,
      bloom: bloomOf(logs),
      contracts,
    })
  }

  const lineOf = (of: SimBlock): readonly SimBlock[] => {
    const known = index.get(of)
    if (known !== undefined) return known
    const line: SimBlock[] = []
    for (let block: SimBlock | undefined = of; block !== undefined; block = block.parent) line.push(block)
    line.reverse()
    index.set(of, line)
    return line
  }

  return {
    addresses,
    tip: () => tip,
    at: (of, number) => lineOf(of)[number],
    byHash: (hash) => blocks.get(hash),
    mine: () => (tip = build(tip)),
    replaced: () => replaced,
    reorganise: (depth, growth = 1) => {
      const line = lineOf(tip)
      replaced = { tip, at: now() }
      let base = line[Math.max(0, tip.number - depth)] as SimBlock
      let left = returning === undefined ? [] : line.slice(base.number + 1).flatMap(callsOf)
      for (let n = Math.max(1, tip.number - base.number + growth); n > 0; n -= 1) {
        const parent = base
        const again = left.filter(
          ({ logs }) => returning?.chance(0.4) && logs.every(({ address }) => parent.contracts.has(address)),
        )
        left = left.filter((one) => !again.includes(one))
        base = build(parent, again)
      }
      tip = base
    },
  }
}
