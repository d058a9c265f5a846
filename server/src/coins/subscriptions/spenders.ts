/** Finds transactions that are subscribed to, what spends their outputs, and what replaced a transaction. */
import { ApiError } from '../../lib/http/api-error.ts'
import type { KvReader } from '../index/kv.ts'
import { findCoin, findTx } from '../index/lookup.ts'
import type { BlockRef } from '../node/block-source.ts'
import { hashFromHex } from '../parse/block.ts'
import { getOutspends } from '../serve/outspends.ts'
import type { ServedChain } from '../serve/served-chain.ts'
import { locateTx } from '../serve/transaction-loader.ts'
import type { Sighting } from './sightings.ts'
import type { CoinSubscription } from './subscription-store.ts'
import type { WatchedOutputs, WatchList } from './watch-list.ts'

type Found = Sighting & { readonly subscription: CoinSubscription; readonly txid: string }

/** The transactions that are subscribed to, and those that spend their outputs. */
export async function sightTransactions(
  chain: ServedChain,
  reader: KvReader,
  watched: WatchList,
  tip: BlockRef,
): Promise<Found[]> {
  const found: Found[] = []
  for (const [txid, subscriptions] of watched.transactions) {
    const tx = chain.mempool.find(txid)
    if (tx === undefined && findTx(reader, hashFromHex(txid)) === undefined) continue
    const itself = { txid, received: 0, sent: 0, spends: false, isSpender: false, tx }
    for (const subscription of subscriptions)
      if (!watched.settled.has(subscription.id)) found.push({ subscription, ...itself })
    const wanting = subscriptions.filter(({ events }) => events.includes('spent'))
    if (wanting.length === 0) continue
    const outputs = await outputsOf(chain, reader, txid, watched)
    for (const { txid: spender, value } of await spendersOf(chain, reader, txid, outputs, tip))
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

async function outputsOf(
  chain: ServedChain,
  reader: KvReader,
  txid: string,
  watched: WatchList,
): Promise<WatchedOutputs> {
  const known = watched.outputs.get(txid)
  if (known !== undefined) return known
  const tx = chain.mempool.find(txid)
  const located = tx === undefined ? locateTx(reader, findTx(reader, hashFromHex(txid))) : undefined
  const [confirmed] = located === undefined ? [] : await chain.loader.load([located])
  const values = (tx ?? confirmed)?.outputs.map((output) => output?.value ?? 0) ?? []
  const outputs = { values, searchedAt: undefined }
  watched.outputs.set(txid, outputs)
  return outputs
}

/** Unconfirmed spenders, and after a new block the confirmed ones. */
async function spendersOf(
  chain: ServedChain,
  reader: KvReader,
  txid: string,
  outputs: WatchedOutputs,
  tip: BlockRef,
): Promise<{ readonly txid: string; readonly value: number }[]> {
  const { values } = outputs
  const unconfirmed = values.flatMap((value, vout) => {
    const spender = chain.mempool.findSpender(txid, vout)
    return spender === undefined ? [] : [{ txid: spender, value }]
  })
  if (outputs.searchedAt === tip.hash) return unconfirmed
  const id = hashFromHex(txid)
  const isSpent = findTx(reader, id) !== undefined && values.some((_, vout) => findCoin(reader, id, vout) === undefined)
  const confirmed = isSpent ? await findOutspends(chain, txid) : []
  outputs.searchedAt = tip.hash
  return [
    ...unconfirmed,
    ...confirmed.flatMap(({ spender, value }) =>
      spender === null || spender.blockHeight === null ? [] : [{ txid: spender.txid, value }],
    ),
  ]
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
