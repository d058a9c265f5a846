/** Broadcast, raw transactions, proofs, spenders and headers against real nodes, or recorded answers of a Bitcoin node. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { missingLitecoind } from '../../../../testing/coins/litecoind.ts'
import { bitcoinNodes } from '../../../../testing/coins/recorded-answers.ts'
import { bitcoindOptions, serve, startServedLitecoind } from '../../../../testing/coins/served-litecoind.ts'
import { startV2App } from '../../../../testing/coins/v2-app.ts'
import type { ServedChain } from '../serve/served-chain.ts'

type Sent = {
  readonly accepted: boolean
  readonly transactions: readonly {
    readonly txid: string
    readonly vsize: number
    readonly fee: number | null
    readonly state: string
    readonly reason: string | null
    readonly explanation: string | null
  }[]
}
type Coin = { readonly txid: string; readonly vout: number; readonly amount: number | string }

/** Types of Core, as they are called here. */
const TYPES: Readonly<Record<string, string>> = {
  pubkeyhash: 'p2pkh',
  scripthash: 'p2sh',
  witness_v0_keyhash: 'p2wpkh',
  witness_v1_taproot: 'p2tr',
  nulldata: 'nulldata',
}

const withVersion = (hex: string, version = 2): string => `0${version}${hex.slice(2)}`

const NODES = [
  { name: 'Litecoin', id: 'ltc', skip: missingLitecoind(), start: () => startServedLitecoind() },
  ...bitcoinNodes('tx-routes').map(({ source, skip, start }) => ({
    name: `Bitcoin, ${source}`,
    id: 'btc' as const,
    skip,
    start: async () => serve(await start(bitcoindOptions), 'btc'),
  })),
] as const

for (const { name, id, skip, start } of NODES)
  describe(name, { skip }, async () => {
    const world = await start()
    after(() => world.daemon.remove())
    const { daemon, a, mine } = world
    await mine(125)
    let chain: ServedChain = await world.chain()
    const { app, key } = await startV2App({ plan: () => 'basic', [id]: () => chain })
    const headers = { 'x-api-key': key }

    async function get<T = Record<string, unknown>>(path: string, status = 200): Promise<T> {
      const url = `/api/v2${path}${path.includes('?') ? '&' : '?'}chain=${id}`
      const response = await app.inject({ url, headers })
      assert.equal(response.statusCode, status, `${path}: ${response.body}`)
      return response.json<{ data: T }>().data
    }
    async function post(body: object, status = 200): Promise<Sent & { code?: string }> {
      const response = await app.inject({
        method: 'POST',
        url: '/api/v2/tx',
        headers,
        payload: { chain: id, ...body },
      })
      assert.equal(response.statusCode, status, response.body)
      const json = response.json<{ data?: Sent; code?: string }>()
      return { accepted: false, transactions: [], ...json.data, ...(json.code !== undefined && { code: json.code }) }
    }
    /** Pays all of a coin but the fee to an address of the wallet. */
    async function pay(
      coin: Coin,
      fee: number,
      overrides: { readonly sequence?: number; readonly locktime?: number; readonly version?: number } = {},
    ) {
      const amount = (Number(coin.amount) - fee).toFixed(8)
      const to = await a<string>('getnewaddress', '', 'bech32')
      const raw = await daemon.call<string>(
        'createrawtransaction',
        [{ txid: coin.txid, vout: coin.vout, sequence: overrides.sequence ?? 0xffff_fffd }],
        { [to]: amount },
        overrides.locktime ?? 0,
      )
      const { hex } = await a<{ hex: string }>('signrawtransactionwithwallet', withVersion(raw, overrides.version))
      const { txid } = await daemon.call<{ txid: string }>('decoderawtransaction', hex)
      return { hex, txid, to, coin: { txid, vout: 0, amount } }
    }
    const coins = await a<Coin[]>('listunspent', 1)
    const take = (): Coin => coins.pop() ?? assert.fail('the wallet has no more coins')
    const inMempool = async (): Promise<string[]> => (await daemon.call<string[]>('getrawmempool')).toSorted()
    const outcome = ({ transactions }: Sent): string[] => transactions.map(({ state, reason }) => `${state} ${reason}`)

    test('a transaction is tested, sent once, and known or confirmed afterwards', async () => {
      const { hex, txid } = await pay(take(), 0.001)
      const tested = await post({ transactions: [hex], testOnly: true })
      assert.deepEqual([tested.accepted, tested.transactions[0]?.state, await inMempool()], [true, 'accepted', []])
      const sent = await post({ transactions: [hex] })
      const [entry] = sent.transactions
      assert.deepEqual([sent.accepted, entry?.txid, entry?.state, entry?.fee], [true, txid, 'sent', 100_000])
      assert.deepEqual(await inMempool(), [txid])
      for (let i = 0; i < 2; i++) assert.deepEqual(outcome(await post({ transactions: [hex] })), ['known null'])
      await mine(1)
      chain = await world.chain()
      assert.deepEqual(outcome(await post({ transactions: [hex] })), ['confirmed null'])
    })

    test('refusals have the reason of the node, and words', async () => {
      const coin = take()
      const first = await pay(coin, 0.01, { sequence: 0xffff_ffff })
      assert.equal((await post({ transactions: [first.hex] })).accepted, true)
      const signed = Buffer.from((await pay(take(), 0.001)).hex, 'hex')
      signed.writeUInt8(signed.readUInt8(signed.length - 60) ^ 1, signed.length - 60)
      const cases: readonly (readonly [hex: string, reason: RegExp, explanation: RegExp, extra?: object])[] = [
        [
          (await pay(coin, id === 'ltc' ? 0.02 : 0.005)).hex,
          /^(txn-mempool-conflict|insufficient fee)/,
          /spends the same coin|not high enough/,
        ],
        [(await pay({ ...take(), txid: '11'.repeat(32) }, 0.001)).hex, /missing|spent/, /does not exist/],
        [(await pay(take(), 0)).hex, /^min relay fee not met/, /higher fee rate/],
        [(await pay(take(), 0.5)).hex, /^(max-fee-exceeded|absurdly-high-fee)/, /above maxFeeRate/],
        [
          (await pay(take(), 0.001)).hex,
          /^(max-fee-exceeded|absurdly-high-fee)/,
          /above maxFeeRate/,
          { maxFeeRate: 10 },
        ],
        [(await pay(take(), 0.001, { sequence: 0, locktime: 1_000_000 })).hex, /^non-final/, /locktime/],
        [signed.toString('hex'), /script-verify-flag|bad-witness|missing-inputs/, /signature|witness|does not exist/],
      ]
      const before = await inMempool()
      for (const [hex, reason, explanation, extra] of cases) {
        const { accepted, transactions } = await post({ transactions: [hex], ...extra })
        assert.equal(accepted, false)
        assert.equal(transactions[0]?.state, 'refused')
        assert.match(transactions[0]?.reason ?? '', reason)
        assert.match(transactions[0]?.explanation ?? '', explanation)
      }
      assert.deepEqual(await inMempool(), before)
    })

    test('a package is sent parents first, and stops at the first refused one', async () => {
      const parent = await pay(take(), 0.001)
      // The wallet signs for a parent that it has not seen.
      const to = await a<string>('getnewaddress', '', 'bech32')
      const childOf = async (fee: number) => {
        const { scriptPubKey } = await a<{ scriptPubKey: string }>('getaddressinfo', parent.to)
        const raw = await daemon.call<string>('createrawtransaction', [{ txid: parent.txid, vout: 0 }], {
          [to]: (Number(parent.coin.amount) - fee).toFixed(8),
        })
        const prevout = { txid: parent.txid, vout: 0, scriptPubKey, amount: parent.coin.amount }
        return (await a<{ hex: string }>('signrawtransactionwithwallet', raw, [prevout])).hex
      }
      const [cheap, child] = [await childOf(0), await childOf(0.002)]
      assert.equal((await post({ transactions: [child, parent.hex] })).accepted, false)
      if (id === 'btc') {
        // Bitcoin Core judges a package as a whole, and nothing of it is sent.
        assert.equal((await post({ transactions: [parent.hex, cheap] })).accepted, false)
        assert.equal((await inMempool()).includes(parent.txid), false)
        assert.deepEqual(outcome(await post({ transactions: [parent.hex, child] })), ['sent null', 'sent null'])
        return
      }
      const partly = await post({ transactions: [parent.hex, cheap] })
      assert.deepEqual([partly.accepted, partly.transactions[0]?.state], [false, 'sent'])
      assert.match(partly.transactions[1]?.reason ?? '', /^min relay fee not met/)
      assert.deepEqual(outcome(await post({ transactions: [parent.hex, child] })), ['known null', 'sent null'])
    })

    test('a child pays for a parent whose fee is too low', {
      skip: id === 'ltc' && 'Litecoin Core has no packages',
    }, async () => {
      // Nodes accept a fee below the relay minimum in a package of version 3 (TRUC) only.
      const parent = await pay(take(), 0, { version: 3 })
      const to = await a<string>('getnewaddress', '', 'bech32')
      const { scriptPubKey } = await a<{ scriptPubKey: string }>('getaddressinfo', parent.to)
      const amount = (Number(parent.coin.amount) - 0.001).toFixed(8)
      const raw = await daemon.call<string>('createrawtransaction', [{ txid: parent.txid, vout: 0 }], { [to]: amount })
      const prevout = { txid: parent.txid, vout: 0, scriptPubKey, amount: parent.coin.amount }
      const { hex } = await a<{ hex: string }>('signrawtransactionwithwallet', withVersion(raw, 3), [prevout])
      assert.equal((await post({ transactions: [parent.hex] })).accepted, false)
      const { accepted, transactions } = await post({ transactions: [parent.hex, hex] })
      assert.deepEqual(
        [accepted, transactions.map(({ state }) => state)],
        [true, ['sent', 'sent']],
        JSON.stringify(transactions),
      )
    })

    test('what is no transaction, or is listed twice, is an error', async () => {
      const { hex } = await pay(take(), 0.001)
      for (const transactions of [['00'], [`${hex}00`], [hex, hex]])
        assert.equal((await post({ transactions }, 400)).code, 'INVALID_TRANSACTION')
      for (const transactions of [[], ['xyz'], ['0'], Array.from({ length: 26 }, () => '00')])
        assert.equal((await post({ transactions }, 400)).code, 'INVALID_PARAMETER')
    })

    test('raw transactions and proofs are those of the node', async () => {
      await mine(1)
      chain = await world.chain()
      for (const height of [1, 126, 127]) {
        const hash = await daemon.call<string>('getblockhash', height)
        const { tx } = await daemon.call<{ tx: string[] }>('getblock', hash)
        for (const txid of tx) {
          assert.equal((await get(`/tx/${txid}/raw`))['hex'], await daemon.call('getrawtransaction', txid, false, hash))
          const { proof, position, blockHash } = await get(`/tx/${txid}/proof`)
          assert.equal(proof, await daemon.call('gettxoutproof', [txid], hash))
          assert.deepEqual([position, blockHash], [tx.indexOf(txid), hash])
          assert.deepEqual(await daemon.call('verifytxoutproof', proof), [txid])
        }
      }
      await get(`/tx/${'00'.repeat(32)}/proof`, 404)
      await get(`/tx/${'00'.repeat(32)}/raw`, 404)
    })

    test('spenders of outputs, confirmed, unconfirmed and none', async () => {
      const mined = take()
      const first = await pay(mined, 0.001)
      await post({ transactions: [first.hex] })
      await mine(1)
      chain = await world.chain()
      const states = async () =>
        (
          await get<{
            outputs: { state: string; spender: { txid: string; vin: number; blockHeight: number | null } | null }[]
          }>(`/tx/${first.txid}/outspends`)
        ).outputs.map(({ state, spender }) => [state, spender?.txid, spender?.vin, spender?.blockHeight])
      assert.deepEqual(await states(), [['unspent', undefined, undefined, undefined]])
      const second = await pay(first.coin, 0.001)
      await post({ transactions: [second.hex] })
      chain = await world.chain()
      assert.deepEqual(await states(), [['spent', second.txid, 0, null]])
      const { unconfirmedTxCount, txs } = await get<{ unconfirmedTxCount: number; txs: { txid: string }[] }>(
        `/address/${second.to}/mempool`,
      )
      assert.deepEqual([unconfirmedTxCount, txs.map(({ txid }) => txid)], [1, [second.txid]])
      await mine(1)
      chain = await world.chain()
      const height = await daemon.call<number>('getblockcount')
      assert.deepEqual(await states(), [['spent', second.txid, 0, height]])
      // The script of the miner has many transactions, of which one spends this output.
      const { outputs } = await get<{ outputs: { state: string; spender: { txid: string } | null }[] }>(
        `/tx/${mined.txid}/outspends`,
      )
      assert.equal(outputs[mined.vout]?.spender?.txid, first.txid)
    })

    test('outputs have the script types and the data of the node', async () => {
      const coin = take()
      const types = id === 'ltc' ? ['legacy', 'p2sh-segwit', 'bech32'] : ['legacy', 'p2sh-segwit', 'bech32', 'bech32m']
      const addresses = await Promise.all(types.map((type) => a<string>('getnewaddress', '', type)))
      const message = Buffer.from('a message').toString('hex')
      const each = Math.floor((Number(coin.amount) / types.length) * 1e8 - 100_000) / 1e8
      const outputs = [...addresses.map((address) => ({ [address]: each.toFixed(8) })), { data: message }]
      const raw = await daemon.call<string>('createrawtransaction', [{ txid: coin.txid, vout: coin.vout }], outputs)
      const { hex } = await a<{ hex: string }>('signrawtransactionwithwallet', raw)
      const [sent] = (await post({ transactions: [hex] })).transactions
      assert.equal(sent?.state, 'sent', sent?.explanation ?? '')
      chain = await world.chain()
      type Output = { scriptType: string; opReturn: string[] | null; address: string | null }
      const shown = (await get<{ outputs: Output[] }>(`/tx/${sent?.txid}`)).outputs
      type Decoded = { vout: { scriptPubKey: { type: string; asm: string } }[] }
      const { vout } = await daemon.call<Decoded>('decoderawtransaction', hex)
      assert.deepEqual(
        shown.map(({ scriptType }) => scriptType),
        vout.map(({ scriptPubKey: { type } }) => TYPES[type]),
      )
      assert.deepEqual(
        shown.map(({ opReturn }) => opReturn),
        vout.map(({ scriptPubKey: { type, asm } }) => (type === 'nulldata' ? asm.split(' ').slice(1) : null)),
      )
      assert.deepEqual([shown.at(-1)?.opReturn, shown.at(-1)?.address], [[message], null])
      await mine(1)
      chain = await world.chain()
      assert.deepEqual((await get<{ outputs: Output[] }>(`/tx/${sent?.txid}`)).outputs, shown)
    })

    test('headers, and blocks by time', async () => {
      const { count, headers: hex } = await get<{ count: number; headers: string[] }>('/headers?from=3&count=5')
      assert.equal(count, 5)
      for (const [i, header] of hex.entries()) {
        const hash = await daemon.call<string>('getblockhash', 3 + i)
        assert.equal(header, await daemon.call('getblockheader', hash, false))
      }
      const tip = await daemon.call<number>('getblockcount')
      assert.equal((await get(`/headers?from=${tip}&count=2000`))['count'], 1)
      await get(`/headers?from=${tip + 1}`, 404)

      const timeAt = async (height: number): Promise<number> => {
        const hash = await daemon.call<string>('getblockhash', height)
        return (await daemon.call<{ time: number }>('getblockheader', hash)).time
      }
      const [first, middle, last] = [await timeAt(0), await timeAt(60), await timeAt(tip)]
      for (const time of [first, middle - 1, middle, last]) {
        const { height } = await get<{ height: number }>(`/blocks/at?time=${time}`)
        assert.ok((await timeAt(height)) <= time)
        for (let later = height + 1; later <= Math.min(tip, height + 3); later++)
          assert.ok((await timeAt(later)) > time)
      }
      assert.equal((await get(`/blocks/at?time=${last + 1_000}`))['height'], tip)
      await get(`/blocks/at?time=${first - 1}`, 404)
      const iso = new Date(middle * 1_000).toISOString()
      assert.equal((await get(`/blocks/at?time=${iso}`))['height'], (await get(`/blocks/at?time=${middle}`))['height'])
      for (const time of ['yesterday', '2024-02-30', '2024-04-31T00:00Z']) await get(`/blocks/at?time=${time}`, 400)
    })
  })
