/** Finds transactions that are subscribed to, what spends their outputs, and what replaced a transaction. */
import { ApiError } from '../../lib/http/api-error.ts'
import { findBlockRow } from '../index/coin-index.ts'
import type { KvReader } from '../index/kv.ts'
import { findCoin, findTx } from '../index/lookup.ts'
import type { BlockRef } from '../node/block-source.ts'
import { hashFromHex, hashHex } from '../parse/block.ts'
import { isUnspendable } from '../parse/script.ts'
import { getOutspends } from '../serve/outspends.ts'
import type { ServedChain } from '../serve/served-chain.ts'
import { locateTx } from '../serve/transaction-loader.ts'
import type { Turns } from '../serve/turns.ts'
import type { Sighting } from './sightings.ts'
import type { CoinSubscription } from './subscription-store.ts'
import type { ConfirmedSpender, WatchedTx, WatchList } from './watch-list.ts'

type Found = Sighting & { readonly subscription: CoinSubscription; readonly txid: string }

/** Work of a lookup, in units of a turn. */
const UNITS = { confirmed: 20, unconfirmed: 2 }

/** The transactions that are subscribed to, and those that spend their outputs. */
export async function sightTransactions(
  chain: ServedChain,
  reader: KvReader,
  { transactions, settled }: WatchList,
  tip: BlockRef,
  turns: Turns,
): Promise<Found[]> {
  const found: Found[] = []
  for (const [txid, watched] of transactions) {
    const isNewBlock = watched.searchedAt !== tip.hash
    await turns.take(isNewBlock ? UNITS.confirmed : UNITS.unconfirmed)
    if (isNewBlock) watched.isConfirmed = findTx(reader, hashFromHex(txid)) !== undefined
    watched.searchedAt = tip.hash
    const tx = chain.mempool.find(txid)
    if (tx === undefined && !watched.isConfirmed) continue
    const itself = { txid, received: 0, sent: 0, spends: false, isSpender: false, tx }
    for (const subscription of watched.subscriptions)
      if (!settled.has(subscription.id)) found.push({ subscription, ...itself })
    const wanting = watched.subscriptions.filter(({ events }) => events.includes('spent'))
    if (wanting.length === 0) continue
    watched.values ??= await valuesOf(chain, reader, txid)
    const spenders = unconfirmedSpenders(chain, txid, watched.values)
    if (isNewBlock && watched.isConfirmed && !watched.isSpent) {
      const confirmed = await confirmedSpenders(chain, reader, txid, watched, tip)
      const deepest = tip.height - chain.network.undoDepth
      watched.isSpent = watched.values.every(
        (value, vout) => value === undefined || confirmed.some((each) => each.vout === vout && each.height <= deepest),
      )
      const unconfirmed = new Set(spenders.map((each) => each.txid))
      spenders.push(...confirmed.filter((each) => !unconfirmed.has(each.txid)))
    }
    for (const { txid: spender, value } of spenders)
      for (const subscription of wanting)
        found.push({
          subscription,
          txid: spender,
          received: 0,
          sent: value,
          spends: true,
          isSpender: true,
          tx: chain.mempool.find(spender),
        })
  }
  return found
}

async function valuesOf(chain: ServedChain, reader: KvReader, txid: string): Promise<readonly (number | undefined)[]> {
  const tx = chain.mempool.find(txid)
  if (tx !== undefined) return tx.outputs.map((output) => output?.value)
  const located = locateTx(reader, findTx(reader, hashFromHex(txid)))
  const [confirmed] = located === undefined ? [] : await chain.loader.load([located])
  return (
    confirmed?.outputs.map(({ value, script }) => (isUnspendable(script, 0, script.length) ? undefined : value)) ?? []
  )
}

type Spender = { readonly txid: string; readonly value: number }

const unconfirmedSpenders = (
  { mempool }: ServedChain,
  txid: string,
  values: NonNullable<WatchedTx['values']>,
): Spender[] =>
  values.flatMap((value, vout) => {
    const spender = mempool.findSpender(txid, vout)
    return spender === undefined || value === undefined ? [] : [{ txid: spender, value }]
  })

/** What spends outputs in blocks. Searched again if another output is spent, or after a reorg. */
async function confirmedSpenders(
  chain: ServedChain,
  reader: KvReader,
  txid: string,
  watched: WatchedTx,
  tip: BlockRef,
): Promise<readonly ConfirmedSpender[]> {
  const id = hashFromHex(txid)
  const spent = (watched.values ?? []).flatMap((value, vout) =>
    value === undefined || findCoin(reader, id, vout) !== undefined ? [] : [vout],
  )
  if (spent.length === 0) return []
  const [outputs, known] = [spent.join(' '), watched.spenders]
  const isCurrent = known?.outputs === outputs && isOnChain(reader, known.block)
  if (known !== undefined && isCurrent) return known.found
  const found = (await findOutspends(chain, txid)).flatMap(({ spender, value, vout }) =>
    spender === null || spender.blockHeight === null
      ? []
      : [{ txid: spender.txid, value, vout, height: spender.blockHeight }],
  )
  watched.spenders = { outputs, block: tip, found }
  return found
}

function isOnChain(reader: KvReader, { height, hash }: BlockRef): boolean {
  const row = findBlockRow(reader, height)
  return row !== undefined && hashHex(row.hash) === hash
}

/** Empty if a reorg removed the transaction meanwhile. */
async function findOutspends(chain: ServedChain, txid: string) {
  try {
    return (await getOutspends(chain, txid)).outputs
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return []
    throw error
  }
}

/** Returns the confirmed transaction that spends one of the outpoints. */
export async function findReplacement(
  chain: ServedChain,
  reader: KvReader,
  prevouts: readonly string[],
): Promise<string | undefined> {
  for (const prevout of prevouts) {
    const [txid = '', vout = ''] = prevout.split(':')
    const id = hashFromHex(txid)
    if (findTx(reader, id) === undefined || findCoin(reader, id, Number(vout)) !== undefined) continue
    const spent = (await findOutspends(chain, txid))[Number(vout)]
    if (spent?.spender != null) return spent.spender.txid
  }
  return undefined
}
