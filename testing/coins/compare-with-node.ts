/** Compares the index and the mempool view with the node: every script, coin and total. */
import assert from 'node:assert/strict'
import type { CoinIndex } from '../../server/src/coins/index/coin-index.ts'
import { findBlockRow } from '../../server/src/coins/index/coin-index.ts'
import { type Followed, follow } from '../../server/src/coins/index/follow.ts'
import { readTotals, scriptCoins } from '../../server/src/coins/index/history.ts'
import { type KvReader, withSnapshot } from '../../server/src/coins/index/kv.ts'
import { findTxLocation } from '../../server/src/coins/index/tx-locations.ts'
import { type MempoolView, scriptMapKey } from '../../server/src/coins/mempool/mempool-view.ts'
import { refreshMempool } from '../../server/src/coins/mempool/refresh-mempool.ts'
import type { CoreNode } from '../../server/src/coins/node/core-node.ts'
import { hashHex } from '../../server/src/coins/parse/block.ts'
import { scriptKey } from '../../server/src/coins/parse/script.ts'
import { systemClock } from '../../server/src/lib/clock.ts'

export type Compared = { readonly index: CoinIndex; readonly node: CoreNode; readonly view: MempoolView }

/** Confirmed coins of a script as `txid:vout value`, sorted. */
export function coinsOf(reader: KvReader, script: Buffer): string[] {
  return Array.from(scriptCoins(reader, scriptKey(script)), ({ txnum, vout, value }) => {
    const location = findTxLocation(reader, txnum)
    return `${hashHex(location?.txid ?? Buffer.alloc(0))}:${vout} ${value}`
  }).sort()
}

/** Brings index and view to the node's state, then compares them with it. `scripts` are in hexadecimal. */
export async function assertSameAsNode(
  { index, node, view }: Compared,
  scripts: ReadonlySet<string>,
): Promise<Followed> {
  const followed = await follow({ index, source: node, clock: systemClock })
  const tip = await node.getTip()
  assert.deepEqual(followed.tip, tip)
  if (followed.disconnected.length > 0) view.clear()
  assert.equal(await refreshMempool({ index, node, view }, tip.hash), true, 'the mempool view is complete')

  const set = await node.getTxOutSetInfo()
  assert.deepEqual([set.height, set.bestblock], [tip.height, tip.hash])
  const scan = await node.scanTxOutSet([...scripts].map((script) => `raw(${script})`))
  const expected = new Map<string, string[]>([...scripts].map((script) => [script, []]))
  for (const { scriptPubKey, txid, vout, amount } of scan.unspents) {
    expected.get(scriptPubKey)?.push(`${txid}:${vout} ${amount}`)
  }
  withSnapshot(index.kv, (reader) => {
    const row = findBlockRow(reader, tip.height)
    assert.deepEqual([row?.coins, row?.amount], [set.txouts, set.total_amount], `UTXO set at height ${tip.height}`)
    for (const [script, coins] of expected) {
      const bytes = Buffer.from(script, 'hex')
      assert.deepEqual(coinsOf(reader, bytes), coins.sort(), `coins of ${script} at height ${tip.height}`)
      const totals = readTotals(reader, scriptKey(bytes))
      const balance = coins.reduce((sum, coin) => sum + BigInt(coin.split(' ')[1] ?? 0), 0n)
      assert.equal(totals.received - totals.sent, balance, `received less sent of ${script}`)
    }
  })
  return followed
}

/** Coins that a wallet can spend: confirmed ones that no unconfirmed transaction spends, and unconfirmed ones. */
export function spendableCoins({ index, view }: Compared, script: Buffer): string[] {
  const confirmed = withSnapshot(index.kv, (reader) => coinsOf(reader, script)).filter((coin) => {
    const [outpoint = ''] = coin.split(' ')
    const [txid = '', vout = ''] = outpoint.split(':')
    return view.findSpender(txid, Number(vout)) === undefined
  })
  const unconfirmed = view
    .coinsOf(scriptMapKey(scriptKey(script)))
    .map(({ txid, vout, value }) => `${txid}:${vout} ${value}`)
  return [...confirmed, ...unconfirmed].sort()
}
