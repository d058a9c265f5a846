/** The order of coins and history: equal amounts, and cursors while the chain changes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BuiltTx, buildTx, outputScriptOf, witnessScriptOf } from '../../../../testing/coins/block-builder.ts'
import { type MemoryChain, startMemoryChain } from '../../../../testing/coins/memory-chain.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { describeScript } from '../parse/address.ts'
import { hashHex } from '../parse/block.ts'
import { getUtxos } from './address-view.ts'
import { getHistory } from './history-view.ts'
import { getUtxoGroups } from './utxo-groups.ts'

const OWN = outputScriptOf(7)
const FUNDS = 9

/** Transactions that each spend one output of a coinbase to the script of the test. */
const payments = (coinbase: BuiltTx, count: number, value: number): BuiltTx[] =>
  Array.from({ length: count }, (_, vout) =>
    buildTx([{ txid: coinbase.txid, vout, witness: witnessScriptOf(FUNDS) }], [{ value, script: OWN }]),
  )

const addressOf = ({ served }: MemoryChain): string => describeScript(served.network, OWN).address ?? ''
const funds = (count: number) => Array.from({ length: count }, () => ({ value: 2_000, script: outputScriptOf(FUNDS) }))

test('among more equal coins than the limit, the first by txid are returned', async () => {
  const chain = await startMemoryChain()
  const count = 10_000
  const built = payments(await chain.add([], funds(count)), count, 1_000)
  await chain.add([...built, ...payments(await chain.add([], funds(3)), 3, 1_500)])
  const { utxos, limited } = await getUtxos(chain.served, addressOf(chain), 10)
  const equal = built.map(({ txid }) => hashHex(txid)).sort()
  assert.deepEqual(
    utxos.map(({ value }) => value),
    [1_500, 1_500, 1_500, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000],
  )
  assert.deepEqual(
    utxos.slice(3).map(({ txid }) => txid),
    equal.slice(0, 7),
  )
  assert.equal(limited, true)
  const all = await getUtxos(chain.served, addressOf(chain), undefined)
  assert.deepEqual([all.count, all.limited], [count + 3, false])
  assert.deepEqual(
    all.utxos.slice(3).map(({ txid }) => txid),
    equal,
  )
  const { groups, ...whole } = await getUtxoGroups(chain.served, addressOf(chain))
  const confirmations = { from: 1, to: 1 }
  assert.deepEqual(
    groups.toSorted((a, b) => b.count - a.count),
    [
      { count, value: { from: 1_000, to: 1_000 }, confirmations },
      { count: 3, value: { from: 1_500, to: 1_500 }, confirmations },
    ],
  )
  const part = await getUtxoGroups(chain.served, addressOf(chain), 4_000)
  const read = part.groups.reduce((sum, group) => sum + group.count, 0)
  assert.deepEqual([whole.limited, part.limited, read < count], [false, true, true])
})

type Page = Awaited<ReturnType<typeof getHistory>>

/** Five unconfirmed and two confirmed transactions; the first page of two was read. */
async function halfway(): Promise<{
  chain: MemoryChain
  unconfirmed: BuiltTx[]
  page: Page
  next: (from: Page) => Promise<Page>
}> {
  const chain = await startMemoryChain()
  const built = payments(await chain.add([], funds(8)), 8, 1_000)
  await chain.add(built.slice(0, 2))
  const unconfirmed = built.slice(2, 7)
  for (const [i, tx] of unconfirmed.entries()) chain.addUnconfirmed(tx, OWN, 1_000, 1_700_000_900 - i)
  const address = addressOf(chain)
  const page = await getHistory(chain.served, address, { page: 1, pageSize: 2 })
  const next = (from: Page) =>
    getHistory(chain.served, address, { page: 1, pageSize: 2, cursor: from.nextCursor ?? '' })
  return { chain, unconfirmed, page, next }
}
const ids = (txs: readonly BuiltTx[]): string[] => txs.map(({ txid }) => hashHex(txid))
const txidsOf = ({ txs }: Page): string[] => txs.map(({ txid }) => txid)
const isExpired = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 400 && error.code === 'CURSOR_EXPIRED'

test('a cursor continues after an unconfirmed transaction that was dropped, and skips new ones', async () => {
  const { chain, unconfirmed, page, next } = await halfway()
  assert.deepEqual(txidsOf(page), ids(unconfirmed.slice(0, 2)))
  chain.served.mempool.remove(ids(unconfirmed)[1] ?? '')
  const [newer] = payments(await chain.add([], funds(1)), 1, 1_000)
  if (newer !== undefined) chain.addUnconfirmed(newer, OWN, 1_000, 1_700_000_950)
  const second = await next(page)
  assert.deepEqual(txidsOf(second), ids(unconfirmed.slice(2, 4)))
  const third = await next(second)
  assert.deepEqual([txidsOf(third)[0], third.txs[1]?.blockHeight], [ids(unconfirmed)[4], 2])
  const last = await next(third)
  assert.deepEqual([last.txs[0]?.blockHeight, last.nextCursor], [2, null])
})

test('a cursor at an unconfirmed transaction expires when one of the address confirms, or after a reorg', async () => {
  const confirmed = await halfway()
  await confirmed.chain.add(confirmed.unconfirmed.slice(4))
  await assert.rejects(confirmed.next(confirmed.page), isExpired)
  const left = await halfway()
  await left.chain.disconnectTo(1)
  await left.chain.add([])
  await assert.rejects(left.next(left.page), isExpired)
})

test('a cursor at a confirmed transaction stays valid with new blocks, and expires when its block is rolled back', async () => {
  const { chain, page, next } = await halfway()
  const third = await next(await next(page))
  await chain.add([])
  assert.equal((await next(third)).txs[0]?.blockHeight, 2)
  await chain.disconnectTo(1)
  await chain.add([])
  await assert.rejects(next(third), isExpired)
})

test('a transaction dropped while its page is read is still on the page', async () => {
  const { chain, unconfirmed } = await halfway()
  const pending = getHistory(chain.served, addressOf(chain), { page: 1, pageSize: 3 })
  for (const txid of ids(unconfirmed)) chain.served.mempool.remove(txid)
  assert.deepEqual(txidsOf(await pending), ids(unconfirmed.slice(0, 3)))
})
