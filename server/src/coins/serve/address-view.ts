/** The totals and the unspent outputs of an address as the API returns them. */
import { ApiError } from '../../lib/http/api-error.ts'
import { findTip } from '../index/coin-index.ts'
import { readTotals, scriptCoinChunks } from '../index/history.ts'
import { type KvReader, withSnapshot, withSnapshotAsync } from '../index/kv.ts'
import { txidFinder } from '../index/tx-locations.ts'
import { scriptMapKey } from '../mempool/mempool-view.ts'
import type { Network } from '../networks/network.ts'
import { networks } from '../networks/networks.ts'
import { type Address, AddressError, decodeAddress } from '../parse/address.ts'
import { hashHex } from '../parse/block.ts'
import { scriptKey } from '../parse/script.ts'
import { formatAmount } from './amounts.ts'
import type { ServedChain } from './served-chain.ts'
import { spentInMempool, unconfirmedFigures } from './spendable-coins.ts'

/** Decodes an address of this chain; throws INVALID_ADDRESS with the reason. */
export function readAddress(chain: ServedChain, text: string): Address {
  try {
    return decodeAddress(chain.network, text)
  } catch (error) {
    if (!(error instanceof AddressError)) throw error
    const message = foreignAddress(chain.network, text) ?? error.message
    throw new ApiError({ status: 400, code: 'INVALID_ADDRESS', message })
  }
}

/** Names the network of an address that is valid elsewhere. */
function foreignAddress(own: Network, text: string): string | undefined {
  const other = networks.find((network) => network !== own && isAddressOf(network, text))
  return other === undefined
    ? undefined
    : `This is an address of ${titleOf(other)}, and this service reads ${titleOf(own)}.`
}

/** `Bitcoin mainnet`, `Litecoin testnet`, `Bitcoin regtest`. */
const titleOf = ({ chainName, name }: Network): string =>
  `${chainName} ${name === 'main' || name === 'test' ? `${name}net` : name}`

function isAddressOf(network: Network, text: string): boolean {
  try {
    decodeAddress(network, text)
    return true
  } catch {
    return false
  }
}

export function getAddress(chain: ServedChain, text: string) {
  const { text: address, script } = readAddress(chain, text)
  const key = scriptKey(script)
  const { txCount, received, sent } = withSnapshot(chain.index.kv, (reader) => readTotals(reader, key))
  const balance = received - sent
  return {
    address,
    chain: chain.network.chain,
    balance,
    balanceFormatted: formatAmount(balance),
    totalReceived: received,
    totalSent: sent,
    txCount,
    ...unconfirmedFigures(chain, key),
    // The index updates the totals with every block, so they are always complete.
    calculating: false,
  }
}

type Coin = { readonly txid: string; readonly vout: number; readonly value: number; readonly confirmations: number }

/** Coins of one value that are buffered beyond the limit before they are sorted and cut. */
const BUFFERED = 4_096

const byValue = (a: Coin, b: Coin): number =>
  b.value - a.value || (a.txid < b.txid ? -1 : a.txid > b.txid ? 1 : 0) || a.vout - b.vout

/**
 * The most valuable confirmed coins that no unconfirmed transaction spends, one more than `limit` to detect a cut.
 *
 * The index sorts coins of one value by age and the API sorts them by txid, so all coins of the last value are read.
 */
async function confirmedCoins(chain: ServedChain, reader: KvReader, key: Buffer, limit: number): Promise<Coin[]> {
  const tip = findTip(reader)?.height ?? 0
  const spent = spentInMempool(chain, reader, key)
  const findTxid = txidFinder(reader)
  const coins: Coin[] = []
  let equal: Coin[] = []
  const missing = (): number => limit + 1 - coins.length
  const flush = (): void => {
    for (const coin of equal.sort(byValue).slice(0, missing())) coins.push(coin)
    equal = []
  }
  for await (const part of scriptCoinChunks(reader, key)) {
    for (const { value, txnum, vout } of part) {
      if (equal.length > 0 && equal[0]?.value !== value) flush()
      if (missing() <= 0) return coins
      const found = spent.has(`${txnum}:${vout}`) ? undefined : findTxid(txnum)
      if (found === undefined) continue
      equal.push({ txid: hashHex(found.txid), vout, value, confirmations: tip - found.height + 1 })
      if (equal.length > 2 * missing() + BUFFERED) equal = equal.sort(byValue).slice(0, missing())
    }
  }
  flush()
  return coins
}

/** Unspent outputs, most valuable first; all of them without a limit. */
export async function getUtxos(chain: ServedChain, text: string, limit: number | undefined) {
  const { text: address, script } = readAddress(chain, text)
  const key = scriptKey(script)
  const most = limit ?? Number.POSITIVE_INFINITY
  // Read before the first await, so that mempool and index snapshot belong together.
  const unconfirmed = chain.mempool.coinsOf(scriptMapKey(key)).map((coin) => ({ ...coin, confirmations: 0 }))
  const confirmed = await withSnapshotAsync(chain.index.kv, (reader) => confirmedCoins(chain, reader, key, most))
  const coins = [...confirmed, ...unconfirmed].sort(byValue)
  const utxos = coins.slice(0, most).map(({ txid, vout, value, confirmations }) => ({
    txid,
    vout,
    value,
    valueFormatted: formatAmount(value),
    confirmations,
  }))
  return { address, chain: chain.network.chain, utxos, count: utxos.length, limited: coins.length > utxos.length }
}
