/** Transactions as the API returns them, with the outputs that they spend. */
import { ApiError } from '../../lib/http/api-error.ts'
import { findTip } from '../index/coin-index.ts'
import { withSnapshot } from '../index/kv.ts'
import { findTx } from '../index/lookup.ts'
import type { MempoolTx } from '../mempool/mempool-view.ts'
import { describeScript } from '../parse/address.ts'
import { hashFromHex } from '../parse/block.ts'
import { readNullData } from '../parse/script.ts'
import { parseTransaction, type Transaction, type TxInput, type TxOutput } from '../parse/transaction.ts'
import { formatAmount } from './amounts.ts'
import type { ServedChain } from './served-chain.ts'
import { locateTx } from './transaction-loader.ts'

export const parseUnconfirmed = ({ network }: ServedChain, { bytes }: MempoolTx): Transaction =>
  parseTransaction(bytes, { mweb: network.mweb !== undefined })

export function findUnconfirmed(chain: ServedChain, txid: string): Transaction | undefined {
  const tx = chain.mempool.find(txid)
  return tx === undefined ? undefined : parseUnconfirmed(chain, tx)
}

/** Outputs by outpoint, as `txid:vout`. */
export type Prevouts = ReadonlyMap<string, TxOutput>

export const outpointKey = ({ txid, vout }: { readonly txid: string; readonly vout: number }): string =>
  `${txid}:${vout}`

/** Loads the outputs that the transactions spend. */
export async function loadPrevouts(chain: ServedChain, txs: readonly Transaction[]): Promise<Prevouts> {
  const wanted = new Set(txs.flatMap((tx) => tx.inputs.flatMap(({ prevout }) => (prevout ? [prevout.txid] : []))))
  const parents = await loadTransactions(chain, wanted)
  const prevouts = new Map<string, TxOutput>()
  for (const { prevout } of txs.flatMap((tx) => tx.inputs)) {
    const output = prevout === undefined ? undefined : parents.get(prevout.txid)?.outputs[prevout.vout]
    if (prevout !== undefined && output !== undefined) prevouts.set(outpointKey(prevout), output)
  }
  return prevouts
}

/** Loads transactions by txid, from the cache, the mempool or the chain. Unknown ones are left out. */
export async function loadTransactions(
  chain: ServedChain,
  txids: Iterable<string>,
): Promise<ReadonlyMap<string, Transaction>> {
  const found = new Map<string, Transaction>()
  const missing: string[] = []
  for (const txid of txids) {
    const tx = chain.loader.findCached(txid) ?? findUnconfirmed(chain, txid)
    if (tx === undefined) missing.push(txid)
    else found.set(txid, tx)
  }
  const located = withSnapshot(chain.index.kv, (reader) =>
    missing.flatMap((txid) => locateTx(reader, findTx(reader, hashFromHex(txid))) ?? []),
  )
  for (const tx of await chain.loader.load(located)) found.set(tx.txid, tx)
  return found
}

const UNKNOWN_SCRIPT = { type: 'nonstandard', address: null } as const

function inputView({ network }: ServedChain, { prevout, sequence, witness }: TxInput, prevouts: Prevouts) {
  if (prevout === undefined) return { isCoinbase: true as const }
  const output = prevouts.get(outpointKey(prevout))
  const { type, address } = output === undefined ? UNKNOWN_SCRIPT : describeScript(network, output.script)
  const value = output?.value ?? 0
  return {
    isCoinbase: false as const,
    txid: prevout.txid,
    vout: prevout.vout,
    sequence,
    address,
    value,
    valueFormatted: formatAmount(value),
    scriptType: type,
    ...(witness.length > 0 ? { witness: witness.map((item) => item.toString('hex')) } : {}),
  }
}

export function inputsAndOutputs(chain: ServedChain, tx: Transaction, prevouts: Prevouts) {
  return {
    inputs: tx.inputs.map((input) => inputView(chain, input, prevouts)),
    outputs: tx.outputs.map(({ value, script }, n) => {
      const { type, address } = describeScript(chain.network, script)
      return {
        n,
        value,
        valueFormatted: formatAmount(value),
        address,
        scriptType: type,
        opReturn: readNullData(script)?.map((push) => push.toString('hex')) ?? null,
      }
    }),
  }
}

/** Inputs minus outputs; 0 for a coinbase. */
export function feeOf(tx: Transaction, prevouts: Prevouts): number {
  let fee = 0
  for (const { prevout } of tx.inputs) {
    if (prevout === undefined) return 0
    fee += prevouts.get(outpointKey(prevout))?.value ?? 0
  }
  for (const { value } of tx.outputs) fee -= value
  return fee
}

export const txNotFound = ({ network }: ServedChain, txid: string): ApiError =>
  new ApiError({
    status: 404,
    code: 'TX_NOT_FOUND',
    message: `Transaction ${txid} is neither on ${network.chain} nor in its mempool. Check the txid and the chain.`,
  })

/** Where a confirmed transaction is; undefined for another one. */
export function findConfirmed(chain: ServedChain, txid: string) {
  return withSnapshot(chain.index.kv, (reader) => {
    const located = locateTx(reader, findTx(reader, hashFromHex(txid)))
    if (located === undefined) return undefined
    const { height } = located.location
    return { located, height, confirmations: (findTip(reader)?.height ?? 0) - height + 1 }
  })
}

/** The bytes of a transaction in hexadecimal, as `sendrawtransaction` takes them. */
export async function getRawTransaction(chain: ServedChain, txid: string) {
  const confirmed = findConfirmed(chain, txid)
  const bytes =
    confirmed === undefined ? chain.mempool.find(txid)?.bytes : await chain.loader.loadBytes(confirmed.located)
  if (bytes === undefined) throw txNotFound(chain, txid)
  return { txid, chain: chain.network.chain, blockHeight: confirmed?.height ?? null, hex: bytes.toString('hex') }
}

export async function getTransaction(chain: ServedChain, txid: string) {
  const confirmed = findConfirmed(chain, txid)
  const [tx = findUnconfirmed(chain, txid)] =
    confirmed === undefined ? [] : await chain.loader.load([confirmed.located])
  if (tx === undefined) throw txNotFound(chain, txid)
  const prevouts = await loadPrevouts(chain, [tx])
  return {
    txid,
    hash: tx.wtxid,
    version: tx.version,
    size: tx.size,
    vsize: tx.vsize,
    weight: tx.weight,
    locktime: tx.lockTime,
    blockHash: confirmed?.located.blockHash ?? null,
    blockHeight: confirmed?.height ?? null,
    confirmations: confirmed?.confirmations ?? 0,
    fee: confirmed === undefined ? (chain.mempool.find(txid)?.fee ?? feeOf(tx, prevouts)) : feeOf(tx, prevouts),
    ...inputsAndOutputs(chain, tx, prevouts),
  }
}
