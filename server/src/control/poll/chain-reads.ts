/**
 * One read of a chain at one block, with its three outcomes: a value, none, or nobody answered.
 *
 * Owns the difference between a contract that refuses (its answer) and a node that fails (no answer). Questions put
 * together travel together: code and storage of many contracts in one call (`lens.ts`), the rest in batches that the
 * endpoint makes.
 */
import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem'
import { reasonOf } from '../../lib/errors.ts'
import type { Hex } from '../../lib/hex.ts'
import type { CodeFacts } from '../profile/code-facts.ts'
import { ABSENT, type Read, unread, value } from '../profile/read.ts'
import type { RpcPool } from '../rpc/pool.ts'
import { ethCall, getCode, getStorageAt, type RpcRequest } from '../rpc/requests.ts'
import { NoEndpointError, RpcError } from '../rpc/rpc-error.ts'
import { together } from './batcher.ts'
import type { CodeAnalyzer } from './code-analyzer.ts'
import { askCodeHashes, askSlots, wordsOf } from './state-batch.ts'

/** The block all of a state is read at; its hash keeps other branches out. */
export type Block = { readonly number: number; readonly hash: Hex }

export type ChainReads = {
  readonly chainId: number
  readonly block: Block
  readonly code: (address: Hex) => Promise<Read<CodeFacts>>
  readonly storage: (address: Hex, position: Hex) => Promise<Read<Hex>>
  /** The slots that are read of every contract, in the order they were given. */
  readonly slots: (address: Hex) => Promise<readonly Read<Hex>[]>
  readonly call: (to: Hex, data: Hex, from?: Hex) => Promise<Read<Hex>>
  /** Many calls to one contract: through Multicall3 where the chain has it, else one by one. */
  readonly calls: (to: Hex, data: readonly Hex[]) => Promise<readonly Read<Hex>[]>
}

const MULTICALL_ABI = parseAbi([
  'struct Call { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call[] calls) payable returns (Result[] results)',
])

/** Contracts in one call: some two million gas for their slots, well below what nodes allow a call. */
const HASHES_A_CALL = 200
const SLOTS_A_CALL = 25

/** Account hashes of nobody and of an account without code. */
const NO_CODE: ReadonlySet<Hex> = new Set<Hex>([
  `0x${'0'.repeat(64)}`,
  '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
])

export type ReadsDeps = {
  readonly pool: RpcPool
  readonly multicall: Hex
  readonly codes: CodeAnalyzer
  /** The slots that are read of every contract. */
  readonly positions: readonly Hex[]
}

export function createReads(
  { pool, multicall, codes, positions }: ReadsDeps,
  chainId: number,
  block: Block,
): ChainReads {
  const ask = async (question: RpcRequest<Hex>): Promise<Read<Hex>> => {
    try {
      return value((await pool.request(question, { priority: 'bulk' })).value)
    } catch (error) {
      if (isRefusal(error)) return ABSENT
      return unread(plainReason(error))
    }
  }
  const call: ChainReads['call'] = (to, data, from) => ask(ethCall({ from, to, data }, block))
  const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
    let made: Promise<T> | undefined
    return () => (made ??= make())
  }
  const hasMulticall = once(async () => {
    const code = await ask(getCode(multicall, block))
    return code.type === 'value' && code.value.length > 2
  })

  /** Undefined: the node does not answer that way, and is not asked that way again. */
  let hasLens = true
  const throughLens = async (question: RpcRequest<Hex>, words: number): Promise<readonly Hex[] | undefined> => {
    const answer = hasLens ? await ask(question) : undefined
    const found = answer?.type === 'value' ? wordsOf(answer.value, words) : undefined
    if (found === undefined) hasLens = false
    return found
  }
  const hashOf = together<Hex, Hex | undefined>(HASHES_A_CALL, async (addresses) => {
    const hashes = await throughLens(askCodeHashes(addresses, block.hash), addresses.length)
    return addresses.map((_, at) => hashes?.[at])
  })
  const storage: ChainReads['storage'] = async (address, position) => {
    const word = await ask(getStorageAt(address, position, block))
    return word.type === 'value' ? wordRead(word.value) : word
  }
  const slotsOf = together<Hex, readonly Read<Hex>[] | undefined>(SLOTS_A_CALL, async (addresses) => {
    const asked = [...new Set(addresses)]
    const question = askSlots(asked, positions, block.hash)
    const words = await throughLens(question, asked.length * positions.length)
    return addresses.map((address) => {
      const first = asked.indexOf(address) * positions.length
      return words?.slice(first, first + positions.length).map(wordRead)
    })
  })

  return {
    chainId,
    block,
    code: async (address) => {
      const hash = await hashOf(address)
      if (hash !== undefined && NO_CODE.has(hash)) return ABSENT
      const known = hash === undefined ? undefined : codes.find(hash)
      if (known !== undefined) return value(known)
      const code = await ask(getCode(address, block))
      if (code.type !== 'value') return code
      return code.value === '0x' ? ABSENT : value(await codes.analyze(code.value))
    },
    storage,
    slots: async (address) =>
      (await slotsOf(address)) ?? (await Promise.all(positions.map((position) => storage(address, position)))),
    call,
    calls: async (to, data) => {
      // One contract a call: what one of them does with its gas is its own affair and starves no other.
      const answers = (await hasMulticall()) ? await throughMulticall(call, multicall, to, data) : undefined
      return (answers ?? (await Promise.all(data.map((each) => call(to, each))))).map(withoutEmpty)
    },
  }
}

/** Zero is what stands where nothing was ever written. */
const wordRead = (word: Hex): Read<Hex> => (BigInt(word) === 0n ? ABSENT : value(word))

/** Undefined where the round as a whole was refused: then everyone is asked alone. */
async function throughMulticall(
  call: ChainReads['call'],
  multicall: Hex,
  to: Hex,
  data: readonly Hex[],
): Promise<readonly Read<Hex>[] | undefined> {
  const calls = data.map((callData) => ({ target: to, allowFailure: true, callData }))
  const answer = await call(multicall, encodeFunctionData({ abi: MULTICALL_ABI, args: [calls] }))
  if (answer.type === 'unread') return data.map(() => answer)
  if (answer.type === 'absent') return undefined
  const results = decodeFunctionResult({ abi: MULTICALL_ABI, data: answer.value })
  if (results.length !== data.length) return undefined
  return results.map(({ success, returnData }) => (success ? value(returnData) : ABSENT))
}

/** A getter that returns nothing is a fallback that swallows everything, not an answer. */
const withoutEmpty = (read: Read<Hex>): Read<Hex> => (read.type === 'value' && read.value === '0x' ? ABSENT : read)

/**
 * An endpoint said that the contract refuses, and none had a value. That others failed takes nothing from it: else one
 * endpoint that lags would leave every contract unread that is tried and refuses.
 */
function isRefusal(error: unknown): boolean {
  const faults = error instanceof NoEndpointError ? error.errors : [error]
  return faults.some((fault) => fault instanceof RpcError && fault.kind === 'reverted')
}

/** What failed, without the hosts: a profile is public. */
function plainReason(error: unknown): string {
  const fault = error instanceof NoEndpointError ? error.errors[0] : error
  if (error instanceof NoEndpointError && fault === undefined) return 'no node could be asked'
  return fault instanceof RpcError ? `the node failed: ${fault.kind}` : `it failed: ${reasonOf(error)}`
}
