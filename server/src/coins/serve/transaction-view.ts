/** Transactions with the coins they spend, in the shape of the interface. */
import { findBlockRow } from '../index/coin-index.ts'
import { type KvReader, withSnapshot } from '../index/kv.ts'
import { findTx } from '../index/lookup.ts'
import type { TxLocation } from '../index/tx-locations.ts'
import type { MempoolTx } from '../mempool/mempool-view.ts'
import { describeScript } from '../parse/address.ts'
import { hashFromHex, hashHex } from '../parse/block.ts'
import { parseTransaction, type Transaction, type TxInput, type TxOutput } from '../parse/transaction.ts'
import { formatAmount } from './amounts.ts'
import type { ServedChain } from './served-chain.ts'
import type { PlacedTx } from './transaction-loader.ts'

export function placed(reader: KvReader, place: TxLocation): PlacedTx {
  return { place, blockHash: hashHex(findBlockRow(reader, place.height)?.hash ?? Buffer.alloc(32)) }
}

const rulesOf = (chain: ServedChain): { mweb: boolean } => ({ mweb: chain.network.mweb !== undefined })

export const parseWaiting = (chain: ServedChain, tx: MempoolTx): Transaction =>
  parseTransaction(tx.bytes, rulesOf(chain))

export function unconfirmedTx(chain: ServedChain, txid: string): Transaction | undefined {
  const tx = chain.mempool.find(txid)
  return tx === undefined ? undefined : parseWaiting(chain, tx)
}

/** Outputs that these transactions spend, by `txid:vout`. */
export type Prevouts = ReadonlyMap<string, TxOutput>

const nameOf = ({ txid, vout }: { readonly txid: string; readonly vout: number }): string => `${txid}:${vout}`

export async function loadPrevouts(chain: ServedChain, txs: readonly Transaction[]): Promise<Prevouts> {
  const wanted = new Set(txs.flatMap((tx) => tx.inputs.flatMap(({ prevout }) => (prevout ? [prevout.txid] : []))))
  const parents = new Map<string, Transaction>()
  for (const txid of wanted) {
    const tx = chain.loader.findKnown(txid) ?? unconfirmedTx(chain, txid)
    if (tx !== undefined) parents.set(txid, tx)
  }
  const places = withSnapshot(chain.index.kv, (reader) =>
    [...wanted].flatMap((txid) => {
      const place = parents.has(txid) ? undefined : findTx(reader, hashFromHex(txid))
      return place === undefined ? [] : [placed(reader, place)]
    }),
  )
  for (const tx of await chain.loader.load(places)) parents.set(tx.txid, tx)
  const prevouts = new Map<string, TxOutput>()
  for (const { prevout } of txs.flatMap((tx) => tx.inputs)) {
    const output = prevout === undefined ? undefined : parents.get(prevout.txid)?.outputs[prevout.vout]
    if (prevout !== undefined && output !== undefined) prevouts.set(nameOf(prevout), output)
  }
  return prevouts
}

function describeInput(chain: ServedChain, { prevout, sequence, witness }: TxInput, prevouts: Prevouts) {
  if (prevout === undefined) return { isCoinbase: true as const }
  const output = prevouts.get(nameOf(prevout))
  const { type, address } = output === undefined ? UNKNOWN : describeScript(chain.network, output.script)
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

const UNKNOWN = { type: 'nonstandard', address: null } as const

export function describeParts(chain: ServedChain, tx: Transaction, prevouts: Prevouts) {
  return {
    inputs: tx.inputs.map((input) => describeInput(chain, input, prevouts)),
    outputs: tx.outputs.map(({ value, script }, n) => ({
      n,
      value,
      valueFormatted: formatAmount(value),
      address: describeScript(chain.network, script).address,
    })),
  }
}

/** What the inputs bring less what the outputs take; 0 for a coinbase. */
export function feeOf(tx: Transaction, prevouts: Prevouts): number {
  let fee = 0
  for (const { prevout } of tx.inputs) {
    if (prevout === undefined) return 0
    fee += prevouts.get(nameOf(prevout))?.value ?? 0
  }
  for (const { value } of tx.outputs) fee -= value
  return fee
}
