/** The whole service over HTTP with both chains: Bitcoin from recorded block files, Litecoin from a real node. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { z } from 'zod'
import { recordedBlockFile, recordedOracle } from '../../../../testing/coins/fixtures.ts'
import { missingLitecoind, startLitecoind } from '../../../../testing/coins/litecoind.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { eventually } from '../../../../testing/support/receivers.ts'
import { makeTestAccount, makeTestKey, startService } from '../../../../testing/support/service.ts'
import { temporaryFolder } from '../../../../testing/support/temporary-folder.ts'
import { addressSummary, block, chains, history, status, transaction, utxoList } from './schemas.ts'

describe('both chains over HTTP', { skip: missingLitecoind(), timeout: 120_000 }, async () => {
  if (missingLitecoind() !== false) return
  const blocksDir = temporaryFolder()
  writeFileSync(join(blocksDir, 'blk00000.dat'), recordedBlockFile())
  const daemon = await startLitecoind()
  after(daemon.remove)
  await daemon.call('createwallet', 'a')
  const a = daemon.wallet('a')
  const miner = await a<string>('getnewaddress')
  await daemon.call('generatetoaddress', 110, miner)

  const store = await createTestDatabase()
  const { url } = await startService(store, { env: { BTC_BLOCKS_DIR: blocksDir, LTC_RPC_URL: daemon.url } })
  const account = await makeTestAccount(store.database, { utxoPlan: 'enterprise' })
  const { key } = await makeTestKey(store.database, account, 'v2')

  async function send<S extends z.ZodType>(path: string, data: S): Promise<z.output<S>> {
    const response = await fetch(`${url}/api/v2${path}`, { headers: { 'x-api-key': key } })
    const body = (await response.json()) as { data?: unknown; error?: string }
    assert.equal(response.status, 200, `${path}: ${body.error}`)
    return data.parse(body.data)
  }
  const synced = (chain: string, height: number): Promise<z.output<typeof status>> =>
    eventually(async () => {
      const response = await send(`/status?chain=${chain}`, status)
      return response.synced && response.blockHeight === height ? response : undefined
    })

  test('both chains are listed and become synced', async () => {
    const { chains: listed } = await send('/chains', chains)
    assert.deepEqual(
      listed.map(({ id, enabled }) => [id, enabled]),
      [
        ['btc', true],
        ['ltc', true],
      ],
    )
    assert.equal((await synced('btc', 515)).source, 'block files')
    assert.match((await synced('ltc', 110)).source, /LitecoinCore/)
  })

  test('Bitcoin responses match the recorded data', async () => {
    await synced('btc', 515)
    for (const expected of recordedOracle().addresses.filter((_, i) => i % 20 === 0)) {
      const found = await send(`/address/${expected.address}`, addressSummary)
      assert.deepEqual(
        [found.balance, found.totalReceived, found.totalSent, found.txCount],
        [expected.balance, expected.totalReceived, expected.totalSent, expected.txCount],
      )
      const { utxos } = await send(`/address/${expected.address}/utxos?chain=btc`, utxoList)
      assert.equal(utxos.length, expected.utxos.length)
      const page = await send(`/address/${expected.address}/txs?pageSize=5`, history)
      assert.equal(page.totalItems, expected.txCount)
    }
  })

  test('Litecoin responses match the node, before and after a block', async () => {
    await synced('ltc', 110)
    const to = await a<string>('getnewaddress', '', 'p2sh-segwit')
    assert.match(to, /^Q/)
    const txid = await a<string>('sendtoaddress', to, 1.5)
    await eventually(async () => {
      const { unconfirmedBalance } = await send(`/address/${to}?chain=ltc`, addressSummary)
      return unconfirmedBalance === 150_000_000 ? true : undefined
    })
    assert.equal((await send(`/tx/${txid}?chain=ltc`, transaction)).blockHash, null)
    const [hash] = await daemon.call<string[]>('generatetoaddress', 1, miner)
    await synced('ltc', 111)
    const tx = await send(`/tx/${txid}?chain=ltc`, transaction)
    assert.deepEqual([tx.blockHash, tx.blockHeight, tx.confirmations], [hash, 111, 1])
    const core = await daemon.call<{ vsize: number; weight: number; hash: string }>(
      'getrawtransaction',
      txid,
      true,
      hash,
    )
    assert.deepEqual([tx.vsize, tx.weight, tx.hash], [core.vsize, core.weight, core.hash])
    const { txids, confirmations } = await send(`/block/${hash}?chain=ltc&txids=true`, block)
    assert.deepEqual([txids?.[1], confirmations], [txid, 1])
    const { utxos } = await send(`/address/${to}/utxos?chain=ltc`, utxoList)
    assert.deepEqual(
      utxos.map((coin) => [coin.txid, coin.value, coin.valueFormatted, coin.confirmations]),
      [[txid, 150_000_000, '1.50000000', 1]],
    )
    const { txs } = await send(`/address/${to}/txs?chain=ltc`, history)
    assert.deepEqual([txs[0]?.txid, txs[0]?.direction, txs[0]?.net], [txid, 'in', 150_000_000])
  })
})
