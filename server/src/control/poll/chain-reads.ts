/**
 * One read of a chain at one block, with its three outcomes: a value, none, or nobody answered.
 *
 * Owns the difference between a contract that refuses (its answer) and a node that fails (no answer). Questions put
 * together travel together: the endpoint makes batches of them.
 */
import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem'
import { reasonOf } from '../../lib/errors.ts'
import { NoEndpointError, RpcFault } from '../node/faults.ts'
import { type Hex, parseHex } from '../node/parse.ts'
import type { NodePool } from '../node/pool.ts'
import { askCode, askStorage, type Question } from '../node/questions.ts'
import { ABSENT, type Read, unread, value } from '../profile/read.ts'

/** The block all of a state is read at; its hash keeps other branches out. */
export type Block = { readonly number: number; readonly hash: Hex }

export type ChainReads = {
  readonly chainId: number
  readonly block: Block
  readonly code: (address: Hex) => Promise<Read<Hex>>
  readonly storage: (address: Hex, position: Hex) => Promise<Read<Hex>>
  readonly call: (to: Hex, data: Hex, from?: Hex) => Promise<Read<Hex>>
  /** Many calls to one contract: through Multicall3 where the chain has it, else one by one. */
  readonly calls: (to: Hex, data: readonly Hex[]) => Promise<readonly Read<Hex>[]>
}

const MULTICALL_ABI = parseAbi([
  'struct Call { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call[] calls) payable returns (Result[] results)',
])

function askCall(to: Hex, data: Hex, block: Block, from?: Hex): Question<Hex> {
  return {
    method: 'eth_call',
    params: [{ ...(from === undefined ? {} : { from }), to, data }, { blockHash: block.hash }],
    parse: (result) => parseHex(result, 'result'),
  }
}

export function createReads(
  { pool, multicall }: { readonly pool: NodePool; readonly multicall: Hex },
  chainId: number,
  block: Block,
): ChainReads {
  const ask = async (question: Question<Hex>): Promise<Read<Hex>> => {
    try {
      return value((await pool.ask(question, { priority: 'bulk' })).value)
    } catch (error) {
      if (isRefusal(error)) return ABSENT
      return unread(plainReason(error))
    }
  }
  const call: ChainReads['call'] = (to, data, from) => ask(askCall(to, data, block, from))
  let hasMulticall: Promise<boolean> | undefined
  const isThere = (): Promise<boolean> => {
    hasMulticall ??= ask(askCode(multicall, block)).then((code) => code.type === 'value' && code.value.length > 2)
    return hasMulticall
  }

  return {
    chainId,
    block,
    code: async (address) => {
      const code = await ask(askCode(address, block))
      return code.type === 'value' && code.value === '0x' ? ABSENT : code
    },
    storage: async (address, position) => {
      const word = await ask(askStorage(address, position, block))
      if (word.type !== 'value') return word
      const padded: Hex = `0x${word.value.slice(2).padStart(64, '0')}`
      return BigInt(padded) === 0n ? ABSENT : value(padded)
    },
    call,
    calls: async (to, data) => {
      // One contract a call: what one of them does with its gas is its own affair and starves no other.
      const together = (await isThere()) ? await throughMulticall(call, multicall, to, data) : undefined
      return (together ?? (await Promise.all(data.map((each) => call(to, each))))).map(withoutEmpty)
    },
  }
}

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

/** Every endpoint that could be asked said that the contract refuses. */
function isRefusal(error: unknown): boolean {
  if (error instanceof NoEndpointError) return error.isUnanimous('reverted')
  return error instanceof RpcFault && error.kind === 'reverted'
}

/** What failed, without the hosts: a profile is public. */
function plainReason(error: unknown): string {
  const fault = error instanceof NoEndpointError ? error.faults[0] : error
  if (error instanceof NoEndpointError && fault === undefined) return 'no node could be asked'
  return fault instanceof RpcFault ? `the node failed: ${fault.kind}` : `it failed: ${reasonOf(error)}`
}
