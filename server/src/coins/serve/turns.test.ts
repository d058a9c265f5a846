/** Long work on the request thread: how much of it is done before other requests are served. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildTx } from '../../../../testing/coins/block-builder.ts'
import { startMemoryChain } from '../../../../testing/coins/memory-chain.ts'
import { seededRandom } from '../../../../testing/support/random.ts'
import { readDescriptor } from '../descriptors/descriptor.ts'
import { historyChunks, readHistory } from '../index/history.ts'
import { type Kv, type KvReader, withSnapshot } from '../index/kv.ts'
import { bitcoinRegtest } from '../networks/bitcoin.ts'
import { scriptKey } from '../parse/script.ts'
import { Turns, UNITS_PER_TURN } from './turns.ts'
import { createWallets } from './wallet-scan.ts'
import { getWallet, getWalletUtxos } from './wallet-view.ts'

/** Counts work by turn of the event loop. */
class TurnCounter {
  readonly #counts: number[] = [0]
  #isRunning = true

  constructor() {
    const next = (): void => {
      this.#counts.push(0)
      if (this.#isRunning) setImmediate(next)
    }
    setImmediate(next)
  }

  readonly count = (): void => {
    this.#counts[this.#counts.length - 1] = (this.#counts.at(-1) ?? 0) + 1
  }

  /** The most work of one turn, and all work. */
  stop(): { readonly most: number; readonly all: number } {
    this.#isRunning = false
    return { most: Math.max(...this.#counts), all: this.#counts.reduce((sum, each) => sum + each, 0) }
  }
}

test('a long list is sorted in turns, and equal items keep their order', async () => {
  const random = seededRandom(3)
  for (const length of [0, 1, 2, 999, 30_001]) {
    const items = Array.from({ length }, (_, order) => ({ value: random.below(1_000), order }))
    const counter = new TurnCounter()
    const sorted = await new Turns().sorted(items, (a, b) => {
      counter.count()
      return a.value - b.value
    })
    const { most } = counter.stop()
    assert.deepEqual(
      sorted,
      items.toSorted((a, b) => a.value - b.value),
    )
    // A comparison takes less than a tenth of a microsecond.
    assert.ok(most <= 10 * UNITS_PER_TURN, `${length}: ${most} comparisons in one turn`)
  }
})

test('work larger than a turn gets one of its own', async () => {
  const turns = new Turns()
  const counter = new TurnCounter()
  for (let i = 0; i < 6; i++) {
    await turns.take(UNITS_PER_TURN * 3)
    counter.count()
  }
  assert.equal(counter.stop().most, 1)
})

const TPUB =
  'tpubD8eQVK4Kdxg3gHrF62jGP7dKVCoYiEB8dFSpuTawkL5YxTus5j5pf83vaKnii4bc6v2NVEy81P2gYrJczYne3QNNwMTS53p5uzDyHvnw2jm'
const PAYMENTS = 6_000
/** In a block of their own: recent entries, which are not in a run yet. */
const RECENT = 700
const ALL = PAYMENTS + RECENT

/** Counts every row that is read. */
function counting(kv: Kv, count: () => void): Kv {
  const counted = (reader: KvReader): KvReader => ({
    get: (table, key) => {
      count()
      return reader.get(table, key)
    },
    getMany: (table, keys) => {
      for (const _ of keys) count()
      return reader.getMany(table, keys)
    },
    *range(table, range) {
      for (const row of reader.range(table, range)) {
        count()
        yield row
      }
    },
  })
  return {
    ...kv,
    snapshot: () => {
      const snapshot = kv.snapshot()
      return { ...counted(snapshot), close: snapshot.close }
    },
  }
}

test('a wallet with a long history and many coins is read in turns', async () => {
  const descriptor = `wpkh(${TPUB}/0/*)`
  const script = readDescriptor(bitcoinRegtest, descriptor).branches[0]?.scriptsAt(0)[0] ?? assert.fail()
  const { served, add } = await startMemoryChain()
  const coinbase = await add(
    [],
    Array.from({ length: ALL }, (_, i) => ({ value: 1_000 + i, script: Buffer.from([0x51]) })),
  )
  await add(
    Array.from({ length: PAYMENTS }, (_, vout) =>
      buildTx([{ txid: coinbase.txid, vout }], [{ value: 500 + (vout % 777), script }]),
    ),
  )
  await add(
    Array.from({ length: RECENT }, (_, i) =>
      buildTx([{ txid: coinbase.txid, vout: PAYMENTS + i }], [{ value: 100 + i, script }]),
    ),
  )
  const counter = new TurnCounter()
  const chain = { ...served, index: { ...served.index, kv: counting(served.index.kv, counter.count) } }
  const wallets = createWallets()
  const request = { descriptor, gapLimit: 5, accountId: '1' }
  const { txCount, utxoCount, balance } = await getWallet(wallets, chain, request)
  const { utxos, limited } = await getWalletUtxos(wallets, chain, request, ALL)
  const { most, all } = counter.stop()
  assert.deepEqual([txCount, utxoCount, utxos.length, limited], [ALL, ALL, ALL, false])
  assert.equal(
    utxos.reduce((sum, { value }) => sum + BigInt(value), 0n),
    balance,
  )
  assert.ok(all > 2 * ALL, `${all} rows`)
  assert.ok(most <= UNITS_PER_TURN, `${most} rows in one turn`)

  // A packed row has many entries, and is one chunk.
  withSnapshot(served.index.kv, (reader) => {
    const chunks = [...historyChunks(reader, scriptKey(script))]
    assert.deepEqual(chunks.flat(), readHistory(reader, scriptKey(script), { limit: ALL }).entries)
    assert.equal(chunks.flat().length, ALL)
    assert.ok(Math.max(...chunks.map(({ length }) => length)) <= 1_000)
  })
})
