/**
 * Reads from the chain what events do not contain: who queued an operation, when it is ready, and the code of its targets.
 *
 * The code is compared until the execution. A comparison counts only if every event up to its block is stored and
 * collected: an operation that was just executed changes the code of its targets rightfully.
 */
import { keccak256 } from 'viem/utils'
import type { Hex } from '../../lib/hex.ts'
import type { Database } from '../../platform/database.ts'
import { findChain } from '../chains/chains.ts'
import { settledBlock } from '../poll/session.ts'
import { SLOTS } from '../profile/slots.ts'
import type { RpcPool } from '../rpc/pool.ts'
import {
  ethCall,
  getCode,
  getStorageAt,
  getTransactionSender,
  type RpcRequest,
  type StateBlock,
} from '../rpc/requests.ts'
import { NoEndpointError } from '../rpc/rpc-error.ts'
import { type ReadChain, readProposalCalls } from './aave-payloads.ts'
import { collectSteps } from './collect.ts'
import { readQueue } from './families.ts'
import { type Code, getOperationsToRead, type Inspection, type OperationToRead, saveInspection } from './inspections.ts'

export type InspectDeps = {
  readonly database: Database
  readonly pool: RpcPool
  /** How far below the head the chain is read. */
  readonly confirmations: number
  /** Other chains that the configuration has. */
  readonly others?: (chainId: number) => Pick<InspectDeps, 'pool' | 'confirmations'> | undefined
}

/** Operations that one round reads. */
const ROUND = 50

/** Reads the operations of a chain that were not read for a minute. Returns their number. */
export async function inspectOperations(
  { database, pool, confirmations, others }: InspectDeps,
  chainId: number,
): Promise<number> {
  const operations = await getOperationsToRead(database, chainId, ROUND)
  if (operations.length === 0) return 0
  const block = await settledBlock(pool, confirmations)
  if (block === undefined) return 0
  const read = createReads(pool)
  const settled = operations.filter(({ queuedBlock }) => queuedBlock <= block.number)
  const readChain = createChainCalls({ chainId, read, block }, others)
  for (const operation of settled) {
    const found = await inspect({ read, readChain, chainId }, operation, block)
    // Code is compared only if every event is collected, so what other chains published meanwhile must not wait for its loop.
    while (await collectSteps(database)) {}
    await saveInspection(database, chainId, operation, found, block)
  }
  return settled.length
}

/** Calls on this chain at the block, and on others at a confirmed block of theirs. */
function createChainCalls(
  own: { readonly chainId: number; readonly read: Reads; readonly block: StateBlock },
  others: InspectDeps['others'],
): ReadChain {
  const chains = new Map<number, Promise<{ readonly read: Reads; readonly block: StateBlock } | undefined>>()
  const open = async (chainId: number): Promise<{ readonly read: Reads; readonly block: StateBlock } | undefined> => {
    const chain = others?.(chainId)
    if (chain === undefined) return undefined
    try {
      const block = await settledBlock(chain.pool, chain.confirmations)
      return block === undefined ? undefined : { read: createReads(chain.pool), block }
    } catch (error) {
      if (error instanceof NoEndpointError) return undefined
      throw error
    }
  }
  return async (chainId, to, data) => {
    if (chainId === own.chainId) return await own.read(ethCall({ to, data }, own.block))
    const chain = chains.get(chainId) ?? open(chainId)
    chains.set(chainId, chain)
    const at = await chain
    return await at?.read(ethCall({ to, data }, at.block))
  }
}

export type Reads = ReturnType<typeof createReads>

/** Each read is made once in a round. A read that no endpoint can serve is undefined. */
export function createReads(pool: RpcPool) {
  const known = new Map<string, Promise<unknown>>()
  const request = async <T>(of: RpcRequest<T>): Promise<T | undefined> => {
    try {
      return (await pool.request(of, { priority: 'bulk' })).value
    } catch (error) {
      if (error instanceof NoEndpointError) return undefined
      throw error
    }
  }
  return <T>(of: RpcRequest<T>): Promise<T | undefined> => {
    const key = JSON.stringify([of.method, of.params])
    const result = (known.get(key) ?? request(of)) as Promise<T | undefined>
    known.set(key, result)
    return result
  }
}

async function inspect(
  { read, readChain, chainId }: { readonly read: Reads; readonly readChain: ReadChain; readonly chainId: number },
  operation: OperationToRead,
  block: StateBlock & { readonly time: number },
): Promise<Inspection> {
  const { address, queuedTx, queuedBy, family } = operation
  const words = async (data: Hex, to: Hex = address): Promise<readonly bigint[] | undefined> => {
    const result = await read(ethCall({ to, data }, block))
    return result === undefined || result.length < 66
      ? undefined
      : (result.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`))
  }
  const queue = {
    operation: operation.operation,
    queuedAt: Math.floor(operation.queuedAt / 1_000),
    earliestAt: operation.earliestAt === undefined ? undefined : Math.floor(operation.earliestAt / 1_000),
    now: Math.floor(block.time / 1_000),
    block: block.number,
    blockTime: blockTimeOf(chainId),
    parentBlockTime: blockTimeOf(findChain(chainId)?.aliasedFrom),
  }
  const [sender, facts, calls, codes] = await Promise.all([
    queuedBy === undefined && queuedTx !== undefined ? read(getTransactionSender(queuedTx)) : queuedBy,
    readQueue(family, queue, words),
    family === 'aave_governance' ? readProposalCalls(readChain, { chainId, ...operation }) : undefined,
    Promise.all(
      operation.targets.map(async (target) => {
        const now = await readCode(read, target.address, block)
        if (target.code !== undefined) return { address: target.address, first: undefined, now }
        // The code at the time of queueing, from endpoints that still have that state.
        const first = await readCode(read, target.address, { number: operation.queuedBlock })
        return { address: target.address, first: first ?? now, now }
      }),
    ),
  ])
  return { queuedBy: sender, facts, calls, codes }
}

const blockTimeOf = (chainId: number | undefined): number | undefined => {
  const chain = chainId === undefined ? undefined : findChain(chainId)
  return chain === undefined ? undefined : chain.blockTimeMs / 1_000
}

/** Where proxies keep their logic. */
const LOGIC_SLOTS = [SLOTS.implementation, SLOTS.zosImplementation, SLOTS.proxiable] as const
const IMPLEMENTATION: Hex = '0x5c60da1b' // implementation()

/** The code of an account, and the code behind a proxy or a beacon proxy. */
async function readCode(read: Reads, address: Hex, block: StateBlock): Promise<Code | undefined> {
  const [code, beacon, ...slots] = await Promise.all([
    read(getCode(address, block)),
    ...[SLOTS.beacon, ...LOGIC_SLOTS].map(async (slot) => await read(getStorageAt(address, slot, block))),
  ])
  if (code === undefined || beacon === undefined || slots.includes(undefined)) return undefined
  const hash = keccak256(code)
  const stored = slots.find((slot) => slot !== undefined && BigInt(slot) !== 0n)
  const word =
    stored ??
    (BigInt(beacon) === 0n ? undefined : await read(ethCall({ to: addressIn(beacon), data: IMPLEMENTATION }, block)))
  if (word === undefined || word.length !== 66)
    return { hash, implementation: undefined, implementationHash: undefined }
  const implementation = addressIn(word)
  const logic = await read(getCode(implementation, block))
  return logic === undefined ? undefined : { hash, implementation, implementationHash: keccak256(logic) }
}

const addressIn = (word: Hex): Hex => `0x${word.slice(-40)}`
