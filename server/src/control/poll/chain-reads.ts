/**
 * Reads of a chain at one block: each yields a value, an absence, or a failed read.
 *
 * Distinguishes a contract that reverts (an absence) from an endpoint that fails (a failed read). Reads are batched: code
 * hashes and storage of many contracts in one call (`state-batch.ts`), the rest in JSON-RPC batches.
 */
import { randomBytes } from 'node:crypto'
import { decodeFunctionResult, encodeFunctionData } from 'viem/utils'
import { reasonOf } from '../../lib/errors.ts'
import type { Hex } from '../../lib/hex.ts'
import { MULTICALL_ABI } from '../chains/multicall.ts'
import { toWord } from '../profile/abi-values.ts'
import type { CodeFacts } from '../profile/code-facts.ts'
import { elementOf } from '../profile/listed-entries.ts'
import { ABSENT, type Contents, type Read, type Run, unread, value } from '../profile/state.ts'
import type { Log, Transaction } from '../rpc/parse.ts'
import type { RpcPool } from '../rpc/pool.ts'
import {
  ethCall,
  fundedCall,
  getBlockHeader,
  getCode,
  getLogs,
  getProof,
  getStorageAt,
  getTransaction,
  getTransactionCount,
  type RpcRequest,
  SLOTS_PER_PROOF,
} from '../rpc/requests.ts'
import { NoEndpointError, RpcError, type RpcErrorKind } from '../rpc/rpc-error.ts'
import { createBatcher } from './batcher.ts'
import type { CodeAnalyzer } from './code-analyzer.ts'
import { driveModule, getCodeHashes, getSlots, wordsOf } from './state-batch.ts'
import { isWholeStorage } from './storage-root.ts'

/** The block at which a state is read. Its hash excludes other branches. */
export type Block = { readonly number: number; readonly hash: Hex }

export type ChainReads = {
  readonly chainId: number
  readonly block: Block
  readonly code: (address: Hex) => Promise<Read<CodeFacts>>
  readonly storage: (address: Hex, position: Hex) => Promise<Read<Hex>>
  /** A slot in the first block of a contract, zero included; absent where that block or its state is not known. */
  readonly firstStorage: (address: Hex, position: Hex) => Promise<Read<Hex>>
  /**
   * Whether the storage holds nothing outside of these positions, or held nothing else when the contract was created: one or
   * zero. Absent where that block is not known or no longer kept.
   */
  readonly holdsOnly: (address: Hex, contents: Contents) => Promise<Read<Hex>>
  /**
   * Whether an address had its present code before that could run on the storage of a contract: one or zero. Absent where that
   * is not known or no longer kept.
   */
  readonly hadSameCode: (address: Hex, run: Run) => Promise<Read<Hex>>
  /** The time of an earlier block, in milliseconds; undefined where it could not be read. */
  readonly timeOf: (block: number) => Promise<number | undefined>
  /** The transaction that emitted a log. */
  readonly transaction: (log: Pick<Log, 'txHash' | 'blockHash'>) => Promise<Read<Transaction>>
  readonly nonce: (address: Hex) => Promise<Read<number>>
  /** The values of the slots in `positions`, in order. */
  readonly slots: (address: Hex) => Promise<readonly Read<Hex>[]>
  readonly call: (to: Hex, data: Hex, from?: Hex) => Promise<Read<Hex>>
  /** What a call returns that pays for its gas: from this account, or from new ones with and without code. */
  readonly trial: (to: Hex, data: Hex, from?: Hex) => Promise<Read<Hex>>
  /** What calls of a module make it execute for a Safe, by `module-trial.ts`. Absent: nothing, or overrides are not supported. */
  readonly drive: (module: Hex, safe: Hex, calls: readonly Hex[]) => Promise<Read<Hex>>
  /** Many calls to one contract: through Multicall3 if the chain has it, otherwise one by one. */
  readonly calls: (to: Hex, data: readonly Hex[]) => Promise<readonly Read<Hex>[]>
}

/** Contracts in one call: about two million gas for their slots, well below the limits of endpoints. */
const HASHES_PER_CALL = 200
const SLOTS_PER_CALL = 25

/** Code hashes of an account that does not exist and of an account without code. */
const NO_CODE: ReadonlySet<Hex> = new Set<Hex>([
  `0x${'0'.repeat(64)}`,
  '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
])

/** Accounts that the first events of a contract name: a constructor can name any number. */
const MAX_NAMED = 16

/** Code that does nothing. */
const STOP: Hex = '0x00'

export type ReadsDeps = {
  readonly pool: RpcPool
  readonly multicall: Hex
  readonly codes: CodeAnalyzer
  /** The slots that are read of every contract. */
  readonly positions: readonly Hex[]
  /** The block in which an address first had code; 0 where that is not known, as if it is missing. */
  readonly firstBlockOf?: (address: Hex) => Promise<number>
}

export function createChainReads(
  { pool, multicall, codes, positions, firstBlockOf = async () => 0 }: ReadsDeps,
  chainId: number,
  block: Block,
): ChainReads {
  const read = async <T>(request: RpcRequest<T>): Promise<Read<T>> => {
    try {
      return value((await pool.request(request, { priority: 'bulk' })).value)
    } catch (error) {
      if (isRevert(error)) return ABSENT
      return unread(publicReason(error))
    }
  }
  const call: ChainReads['call'] = (to, data, from) => read(ethCall({ from, to, data }, block))
  const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
    let made: Promise<T> | undefined
    return () => (made ??= make())
  }
  const hasMulticall = once(async () => {
    const code = await read(getCode(multicall, block))
    return code.type === 'value' && code.value.length > 2
  })

  /** Undefined where endpoints do not support state overrides; they are then not used again. */
  let hasOverrides = true
  const readWords = async (request: RpcRequest<Hex>, words: number): Promise<readonly Hex[] | undefined> => {
    const result = hasOverrides ? await read(request) : undefined
    const found = result?.type === 'value' ? wordsOf(result.value, words) : undefined
    if (found === undefined) hasOverrides = false
    return found
  }
  const hashOf = createBatcher<Hex, Hex | undefined>(HASHES_PER_CALL, async (addresses) => {
    const hashes = await readWords(getCodeHashes(addresses, block.hash), addresses.length)
    return addresses.map((_, at) => hashes?.[at])
  })
  const storage: ChainReads['storage'] = async (address, position) => {
    const word = await read(getStorageAt(address, position, block))
    return word.type === 'value' ? wordRead(word.value) : word
  }
  /** A contract that was destroyed may have been created again with other storage. */
  const hadSameCode = async (address: Hex, number: number): Promise<boolean> => {
    const [then, now] = await Promise.all(
      [{ number }, block].map(async (at) => (await pool.request(getCode(address, at), { priority: 'bulk' })).value),
    )
    return then === now
  }
  /** The words that the events of a contract in a block name, such as accounts that got tokens. */
  const namedIn = async (address: Hex, number: number): Promise<readonly Hex[]> => {
    const { value: logs } = await pool.request(getLogs(number, number, { addresses: [address] }), { priority: 'bulk' })
    const words = logs.flatMap(({ topics }) => topics.slice(1))
    return [...new Set(words)].slice(0, MAX_NAMED)
  }
  /** What is read in the first block of a contract; absent where that block or its state is not known. */
  const sinceCreation = async (address: Hex, find: (first: number) => Promise<Hex>): Promise<Read<Hex>> => {
    try {
      const first = await firstBlockOf(address)
      return first === 0 ? ABSENT : value(await find(first))
    } catch (error) {
      if (error instanceof NoEndpointError && error.isUnanimous('pruned')) return ABSENT
      return unread(publicReason(error))
    }
  }
  const slotsOf = createBatcher<Hex, readonly Read<Hex>[] | undefined>(SLOTS_PER_CALL, async (addresses) => {
    const distinct = [...new Set(addresses)]
    const request = getSlots(distinct, positions, block.hash)
    const words = await readWords(request, distinct.length * positions.length)
    return addresses.map((address) => {
      const first = distinct.indexOf(address) * positions.length
      return words?.slice(first, first + positions.length).map(wordRead)
    })
  })

  /** New addresses each time: a contract cannot know them. */
  const [account, contract] = [newAddress(), newAddress()]
  const trial: ChainReads['trial'] = async (to, data, from) => {
    const callers = from === undefined ? [{ from: account }, { from: contract, code: STOP }] : [{ from }]
    const results = await Promise.all(
      callers.map(async (caller) => {
        const paid = hasOverrides ? await read(fundedCall({ ...caller, to, data }, block.hash)) : undefined
        // Some endpoints support overrides of code alone.
        return paid === undefined || paid.type === 'unread' ? await call(to, data, caller.from) : paid
      }),
    )
    const found = (type: Read<Hex>['type']) => results.find((result) => result.type === type)
    return found('value') ?? found('absent') ?? unread('the call could not be simulated')
  }

  return {
    chainId,
    block,
    trial,
    drive: async (module, safe, calls) => {
      const result = await read(driveModule(module, safe, calls, block.hash))
      const [word] = result.type === 'value' ? (wordsOf(result.value, 1) ?? []) : []
      if (word !== undefined) return wordRead(word)
      // A failure where overrides worked before is one of the endpoint. Otherwise nothing could be tried.
      return hasOverrides && result.type === 'unread' ? result : ABSENT
    },
    code: async (address) => {
      const hash = await hashOf(address)
      if (hash !== undefined && NO_CODE.has(hash)) return ABSENT
      const known = hash === undefined ? undefined : await codes.find(hash)
      if (known !== undefined) return value(known)
      const code = await read(getCode(address, block))
      if (code.type !== 'value') return code
      return code.value === '0x' ? ABSENT : value(await codes.analyze(code.value, hash === undefined))
    },
    storage,
    firstStorage: (address, position) =>
      sinceCreation(
        address,
        async (number) => (await pool.request(getStorageAt(address, position, { number }), { priority: 'bulk' })).value,
      ),
    hadSameCode: (address, { on, named }) =>
      sinceCreation(on, async (created) => toWord((await hadSameCode(address, Math.max(created, named - 1))) ? 1 : 0)),
    holdsOnly: async (address, { positions: fixed, tables, when }) => {
      try {
        const first = when === 'created' ? await firstBlockOf(address) : 0
        if (when === 'created' && first === 0) return ABSENT
        const names = first === 0 || tables.length === 0 ? Promise.resolve([]) : namedIn(address, first)
        names.catch(() => {}) // its error does not matter if the code is another one
        if (when === 'created' && !(await hadSameCode(address, first))) return ABSENT
        const named = await names
        const requested = [
          ...new Set([...fixed, ...tables.flatMap((table) => named.map((key) => elementOf(table, key)))]),
        ]
        const at = when === 'created' ? { number: first } : block
        const parts = Array.from({ length: Math.max(1, Math.ceil(requested.length / SLOTS_PER_PROOF)) }, (_, part) =>
          requested.slice(part * SLOTS_PER_PROOF, (part + 1) * SLOTS_PER_PROOF),
        )
        const proofs = await Promise.all(
          parts.map(async (part) => (await pool.request(getProof(address, part, at), { priority: 'bulk' })).value),
        )
        return value(toWord(isWholeStorage(requested, proofs) ? 1 : 0))
      } catch (error) {
        const isNever = (kind: RpcErrorKind): boolean => error instanceof NoEndpointError && error.isUnanimous(kind)
        if (when === 'created' && isNever('pruned')) return ABSENT
        return unread(isNever('unsupported') ? 'no endpoint supports eth_getProof' : publicReason(error))
      }
    },
    timeOf: async (number) => {
      const header = await read(getBlockHeader(number))
      return header.type === 'value' ? header.value?.time : undefined
    },
    transaction: ({ txHash, blockHash }) => read(getTransaction(txHash, blockHash)),
    nonce: (address) => read(getTransactionCount(address, block)),
    slots: async (address) =>
      (await slotsOf(address)) ?? (await Promise.all(positions.map((position) => storage(address, position)))),
    call,
    calls: async (to, data) => {
      // One contract per call, so that a contract which burns its gas affects no other.
      const results = (await hasMulticall()) ? await throughMulticall(call, multicall, to, data) : undefined
      return (results ?? (await Promise.all(data.map((each) => call(to, each))))).map(withoutEmpty)
    },
  }
}

const newAddress = (): Hex => `0x${randomBytes(20).toString('hex')}`

/** A slot that was never written is zero. */
const wordRead = (word: Hex): Read<Hex> => (BigInt(word) === 0n ? ABSENT : value(word))

/** Undefined where the multicall as a whole reverts: then every call is made alone. */
async function throughMulticall(
  call: ChainReads['call'],
  multicall: Hex,
  to: Hex,
  data: readonly Hex[],
): Promise<readonly Read<Hex>[] | undefined> {
  const calls = data.map((callData) => ({ target: to, allowFailure: true, callData }))
  const returned = await call(multicall, encodeFunctionData({ abi: MULTICALL_ABI, args: [calls] }))
  if (returned.type === 'unread') return data.map(() => returned)
  if (returned.type === 'absent') return undefined
  const results = decodeFunctionResult({ abi: MULTICALL_ABI, data: returned.value })
  if (results.length !== data.length) return undefined
  return results.map(({ success, returnData }) => (success ? value(returnData) : ABSENT))
}

/** A getter that returns no data is a fallback function that accepts every call. */
const withoutEmpty = (read: Read<Hex>): Read<Hex> => (read.type === 'value' && read.value === '0x' ? ABSENT : read)

/**
 * Whether an endpoint reported a revert and none returned a value. Failures of other endpoints do not matter: one that
 * lags would otherwise turn every revert into a failed read.
 */
function isRevert(error: unknown): boolean {
  const errors = error instanceof NoEndpointError ? error.errors : [error]
  return errors.some((each) => each instanceof RpcError && each.kind === 'reverted')
}

/** What failed, without host names, because a profile is public. */
function publicReason(error: unknown): string {
  const first = error instanceof NoEndpointError ? error.errors[0] : error
  if (error instanceof NoEndpointError && first === undefined) return 'no endpoint was available'
  return first instanceof RpcError ? `the endpoint failed: ${first.kind}` : `the read failed: ${reasonOf(error)}`
}
