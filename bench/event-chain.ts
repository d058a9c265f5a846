/**
 * Builds a chain with a contract that logs 50 catalog events a transaction, one transaction a block.
 *
 * Blocks are mined by call, one by one. With automatic mining the speed of the machine would decide the shape of the chain.
 */
import { join } from 'node:path'
import { encodeFunctionData, type Hex, numberToHex } from 'viem'
import type { Anvil } from '../testing/evm/anvil.ts'
import { compileContracts } from '../testing/evm/compile.ts'
import { evmOf } from '../testing/evm/evm.ts'

export const EVENTS_A_BLOCK = 50
/** Blocks below this depth are final; the follower reads the others block by block. */
export const FINAL_BLOCKS = 160
/** The arguments of Node that start a backfill of the chain; the URLs of a node and of a database follow. */
export const BACKFILL = [join(import.meta.dirname, 'backfill-process.ts'), String(FINAL_BLOCKS)]
export const CHAIN_OPTIONS = ['--gas-limit', '300000000', '--slots-in-an-epoch', '1']

export type EventChain = {
  readonly address: Hex
  readonly events: number
  /** The number of blocks with events, and of all blocks including the first. */
  readonly eventBlocks: number
  readonly blocks: number
  readonly seconds: number
}

/** At least `events` events, in whole blocks. */
export async function makeEventChain(node: Anvil, atLeast: number): Promise<EventChain> {
  const startedAt = performance.now()
  const wanted = Math.ceil(atLeast / EVENTS_A_BLOCK)
  const evm = await evmOf(node)
  const { Spammer } = compileContracts()
  if (Spammer === undefined) throw new Error('no contract Spammer')
  const { address } = await evm.deploy(Spammer)
  const first = await evm.blockNumber()
  await node.rpc('evm_setAutomine', false)
  for (let n = 0; n < wanted; n += 1) {
    await node.rpc('eth_sendTransaction', {
      from: evm.accounts[0],
      to: address,
      nonce: numberToHex(n + 1),
      gas: numberToHex(5_000_000),
      data: encodeFunctionData({
        abi: Spammer.abi,
        functionName: 'spam',
        args: [BigInt(EVENTS_A_BLOCK), BigInt(n)],
      }),
    })
    await node.rpc('evm_mine')
  }
  const eventBlocks = (await evm.blockNumber()) - first
  await evm.mine(FINAL_BLOCKS)
  await node.rpc('evm_setAutomine', true)
  return {
    address,
    events: wanted * EVENTS_A_BLOCK,
    eventBlocks,
    blocks: (await evm.blockNumber()) + 1,
    seconds: (performance.now() - startedAt) / 1_000,
  }
}

export const describeChain = ({ events, eventBlocks, blocks, seconds }: EventChain): string =>
  `${blocks} blocks, ${events} events in ${eventBlocks} of them, made in ${seconds.toFixed(1)} s`

export type ReadLogs = {
  /** Block and log index of every log. */
  readonly keys: ReadonlySet<string>
  /** Seconds of requests and parsing alone. */
  readonly seconds: number
  readonly megabytes: number
}

const RANGE = 160

/** The minimum work: requests all logs of the contract in ranges and parses the JSON. */
export async function readLogs(url: string, { address, blocks }: EventChain): Promise<ReadLogs> {
  const keys = new Set<string>()
  let [ms, bytes] = [0, 0]
  const head = blocks - 1
  for (let from = 0; from <= head; from += RANGE) {
    const startedAt = performance.now()
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'eth_getLogs',
        params: [{ address, fromBlock: numberToHex(from), toBlock: numberToHex(Math.min(head, from + RANGE - 1)) }],
      }),
    })
    const text = await response.text()
    const { result } = JSON.parse(text) as { result: readonly { blockNumber: Hex; logIndex: Hex }[] }
    ms += performance.now() - startedAt
    bytes += text.length
    for (const { blockNumber, logIndex } of result) keys.add(`${Number(blockNumber)}/${Number(logIndex)}`)
  }
  return { keys, seconds: ms / 1_000, megabytes: bytes / 1_048_576 }
}
