/**
 * A local EVM chain with blocks on demand: transactions are collected, then mined together at a given time.
 *
 * Senders need no keys and pay nothing. Addresses of new contracts are known before they are mined, so that a whole
 * protocol can be deployed in one block.
 */
import { mkdirSync } from 'node:fs'
import { encodeDeployData, encodeFunctionData, getContractAddress, type Hex, numberToHex } from 'viem'
import { findAnvil } from '../../scripts/anvil.mjs'
import type { Artifact } from '../contracts/artifacts.ts'
import { runFailure, startGuarded } from '../process-guard.ts'

export type Contract = { readonly address: Hex; readonly abi: Artifact['abi'] }

export type EvmChain = {
  readonly url: string
  readonly chainId: number
  readonly rpc: <T>(method: string, ...params: readonly unknown[]) => Promise<T>
  /** The following transactions are mined with the next block. */
  readonly deploy: (from: Hex, artifact: Artifact, ...args: readonly unknown[]) => Contract
  readonly send: (from: Hex, to: Hex, data: Hex) => void
  readonly call: (from: Hex, to: Contract, name: string, ...args: readonly unknown[]) => void
  /** Mines the collected transactions at this time in seconds. Throws if a transaction failed. */
  readonly mine: (time: number) => Promise<void>
  /** Resolves when the node has ended. */
  readonly ended: Promise<void>
  readonly stop: () => Promise<void>
}

/** Why anvil cannot run on this machine, or false. */
export function anvilMissing(): string | false {
  const found = findAnvil()
  return 'reason' in found ? found.reason : runFailure('anvil', { ...found, args: [...found.args, '--version'] })
}

export class DemoChainError extends Error {}

type Pending = { readonly from: Hex; readonly to?: Hex; readonly data: Hex }
type Receipt = { readonly status: Hex; readonly from: Hex; readonly to: Hex | null; readonly transactionHash: Hex }

/** Enough for the largest contract of the demo. */
const TX_GAS = numberToHex(12_000_000)
const BLOCK_GAS = 500_000_000
/** Number of historical states to keep, because the demo may run for days. */
const KEPT_STATES = 1_000

export async function startEvmChain(
  chainId: number,
  { port, genesisTime, folder }: { readonly port: number; readonly genesisTime: number; readonly folder: string },
): Promise<EvmChain> {
  const anvil = findAnvil()
  if ('reason' in anvil) throw new DemoChainError(anvil.reason)
  mkdirSync(folder, { recursive: true })
  const url = `http://127.0.0.1:${port}`
  const options = {
    port,
    'chain-id': chainId,
    timestamp: genesisTime,
    accounts: 0,
    'base-fee': 0,
    'gas-price': 0,
    'gas-limit': BLOCK_GAS,
    'prune-history': KEPT_STATES,
    'cache-path': folder, // the default is the home folder
  }
  const settings = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
  const flags = ['--silent', '--no-mining', '--auto-impersonate', '--order', 'fifo']
  const child = startGuarded(anvil.command, [...anvil.args, ...flags, ...settings], { env: anvil.env })
  const rpc = rpcOf(url)
  while ((await rpc('eth_chainId').catch(() => undefined)) === undefined) {
    if (child.hasEnded()) throw new DemoChainError(`anvil for chain ${chainId} exited before it was ready`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }

  const nonces = new Map<Hex, bigint>()
  let pending: Pending[] = []
  const collect = (tx: Pending): bigint => {
    const nonce = nonces.get(tx.from) ?? 0n
    nonces.set(tx.from, nonce + 1n)
    pending.push(tx)
    return nonce
  }
  const send: EvmChain['send'] = (from, to, data) => void collect({ from, to, data })
  return {
    url,
    chainId,
    rpc,
    send,
    deploy: (from, { abi, bytecode }, ...args) => {
      const nonce = collect({ from, data: encodeDeployData({ abi, bytecode, args }) })
      return { abi, address: getContractAddress({ from, nonce }).toLowerCase() as Hex }
    },
    call: (from, { address, abi }, functionName, ...args) =>
      send(from, address, encodeFunctionData({ abi, functionName, args })),
    mine: async (time) => {
      const txs = pending
      pending = []
      for (const tx of txs) await rpc('eth_sendTransaction', { ...tx, gas: TX_GAS, gasPrice: '0x0' })
      await rpc('evm_mine', time)
      if (txs.length === 0) return
      const receipts = await rpc<readonly Receipt[]>('eth_getBlockReceipts', 'latest')
      const failed = receipts.find(({ status }) => status !== '0x1')
      if (receipts.length !== txs.length || failed !== undefined)
        throw new DemoChainError(`chain ${chainId}: ${describe(failed) ?? 'a transaction is missing from its block'}`)
    },
    ended: child.ended,
    stop: child.stop,
  }
}

const describe = (failed: Receipt | undefined): string | undefined =>
  failed === undefined ? undefined : `${failed.transactionHash} from ${failed.from} to ${failed.to} was reverted`

function rpcOf(url: string): EvmChain['rpc'] {
  return async <T>(method: string, ...params: readonly unknown[]) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { result, error } = (await response.json()) as { result?: T; error?: { message: string } }
    if (error !== undefined) throw new DemoChainError(`${method}: ${error.message}`)
    return result as T
  }
}
