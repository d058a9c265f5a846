/** Every read endpoint for Litecoin, compared field by field with a real node. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { missingLitecoind } from '../../../../testing/coins/litecoind.ts'
import { startServedLitecoind } from '../../../../testing/coins/served-litecoind.ts'
import { startV2App } from '../../../../testing/coins/v2-app.ts'
import { openApiCheck } from '../../../../testing/support/openapi-check.ts'
import type { UtxoPlan } from '../../accounts/plans.ts'

/** From this height on regtest blocks end with a HogEx. */
const MWEB_HEIGHT = 432

type Script = { readonly type: string; readonly asm: string; readonly addresses?: readonly string[] }
type CoreTx = {
  readonly txid: string
  readonly hash: string
  readonly version: number
  readonly size: number
  readonly vsize: number
  readonly weight: number
  readonly locktime: number
  readonly vin: readonly {
    txid?: string
    vout?: number
    sequence: number
    coinbase?: string
    ismweb: boolean
    txinwitness?: string[]
  }[]
  readonly vout: readonly { n?: number; value?: string | number; ismweb: boolean; scriptPubKey?: Script }[]
}
type CoreBlock = {
  readonly hash: string
  readonly height: number
  readonly confirmations: number
  readonly size: number
  readonly strippedsize: number
  readonly weight: number
  readonly version: number
  readonly merkleroot: string
  readonly time: number
  readonly mediantime: number
  readonly nonce: number
  readonly bits: string
  readonly difficulty: string | number
  readonly previousblockhash: string
  readonly nextblockhash?: string
  readonly tx: readonly CoreTx[]
}
type Entry = {
  readonly vsize: number
  readonly fees: { readonly base: string | number }
  readonly mweb?: { readonly fee: string | number }
}
type Data = Record<string, unknown>

const units = (coins: string | number | undefined): number => Math.round(Number(coins) * 1e8)
const text = (value: number): string => (value / 1e8).toFixed(8)
const iso = (seconds: number): string => new Date(seconds * 1000).toISOString()
const TYPES: Readonly<Record<string, string>> = {
  witness_v0_keyhash: 'p2wpkh',
  witness_v1_taproot: 'p2tr',
  pubkeyhash: 'p2pkh',
  scripthash: 'p2sh',
  witness_mweb_hogaddr: 'mweb_hogaddr',
  witness_mweb_pegin: 'mweb_pegin',
  nulldata: 'nulldata',
}
/** The pushes after OP_RETURN, which have more than four bytes here. */
const pushesOf = ({ asm }: Script): string[] => asm.split(' ').slice(1)

const checkOpenApi = openApiCheck()
/** `/address/rltc1…/utxos?chain=ltc` → `/api/v2/address/{address}/utxos`. */
const describedPath = (path: string): string =>
  `/api/v2${path.split('?')[0]}`
    .replace(/\/(address|health|analyze)\/[^/]+/, '/$1/{address}')
    .replace(/\/tx\/[^/]+/, '/tx/{txid}')
    .replace(/\/block\/[^/]+/, '/block/{hashOrHeight}')

describe('Litecoin, endpoint by endpoint', { skip: missingLitecoind(), timeout: 180_000 }, async () => {
  if (missingLitecoind() !== false) return
  const world = await startServedLitecoind()
  after(() => world.daemon.remove())
  await world.daemon.call('createwallet', 'b')
  const hidden = world.daemon.wallet('b')
  await world.mine(MWEB_HEIGHT - 1)
  let served = await world.chain()
  let plan: UtxoPlan = 'enterprise'
  const api = await startV2App({ plan: () => plan, ltc: () => served })

  async function send(path: string, body?: unknown): Promise<{ status: number; code?: string; data: Data }> {
    const {
      statusCode,
      headers,
      body: response,
    } = await api.app.inject({
      url: `/api/v2${path}`,
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'x-api-key': api.key, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    })
    const parsed = JSON.parse(response) as { code?: string; data: Data }
    const type = new Headers({ 'content-type': String(headers['content-type']) })
    const view = { status: statusCode, headers: type, body: parsed }
    checkOpenApi(describedPath(path), view, body === undefined ? 'get' : 'post')
    return { status: statusCode, ...parsed }
  }
  const get = async (path: string): Promise<Data> => {
    const { status, data, code } = await send(`${path}${path.includes('?') ? '&' : '?'}chain=ltc`)
    assert.equal(status, 200, `${path}: ${code}`)
    return data
  }
  /** The export of a history of several pages has the transactions of the pages. */
  const assertExport = async (address: string): Promise<void> => {
    const { totalItems } = (await get(`/address/${address}/txs`)) as { totalItems: number }
    const ids: string[] = []
    for (let page = 1; ids.length < totalItems; page++) {
      const { txs } = (await get(`/address/${address}/txs?pageSize=100&page=${page}`)) as { txs: { txid: string }[] }
      ids.push(...txs.map(({ txid }) => txid))
    }
    assert.ok(totalItems > 200)
    const linesOf = async (format: string): Promise<readonly string[]> => {
      const url = `/api/v2/address/${address}/txs/export?chain=ltc&format=${format}`
      const { body } = await api.app.inject({ url, headers: { 'x-api-key': api.key } })
      return body.trimEnd().split('\n')
    }
    assert.deepEqual(
      (await linesOf('ndjson')).map((line) => (JSON.parse(line) as { txid: string }).txid),
      ids,
    )
    const [header, ...rows] = await linesOf('csv')
    assert.match(header ?? '', /^txid,blockHash,blockHeight,/)
    assert.deepEqual(
      rows.map((row) => row.split(',')[0]),
      ids,
    )
  }
  const mine = async (count: number): Promise<void> => {
    await world.mine(count)
    served = await world.chain()
  }
  const coreBlock = async (height: number): Promise<CoreBlock> =>
    world.daemon.call<CoreBlock>('getblock', await world.daemon.call('getblockhash', height), 2)

  /** The expected fields, computed from the responses of the node. */
  async function expectedTx(core: CoreTx, where: { height: number; hash: string } | undefined): Promise<Data> {
    let brought = 0
    const inputs: Data[] = []
    for (const { txid, vout, sequence, coinbase, ismweb, txinwitness } of core.vin) {
      if (ismweb) continue
      if (coinbase !== undefined) {
        inputs.push({ isCoinbase: true })
        continue
      }
      const { scriptPubKey, value } = await prevout(txid ?? '', vout ?? 0)
      brought += units(value)
      inputs.push({
        isCoinbase: false,
        txid,
        vout,
        sequence,
        address: scriptPubKey.addresses?.[0] ?? null,
        value: units(value),
        valueFormatted: text(units(value)),
        scriptType: TYPES[scriptPubKey.type],
        ...(txinwitness === undefined ? {} : { witness: txinwitness }),
      })
    }
    const visible = core.vout.filter(({ ismweb }) => !ismweb)
    const outputs = visible.map(({ n, value, scriptPubKey }) => ({
      n,
      value: units(value),
      valueFormatted: text(units(value)),
      address: scriptPubKey?.addresses?.[0] ?? null,
      scriptType: TYPES[scriptPubKey?.type ?? ''],
      opReturn: scriptPubKey?.type === 'nulldata' ? pushesOf(scriptPubKey) : null,
    }))
    const isCoinbase = inputs.some((input) => input['isCoinbase'] === true)
    return {
      txid: core.txid,
      hash: core.hash,
      version: core.version,
      size: core.size,
      vsize: core.vsize,
      weight: core.weight,
      locktime: core.locktime,
      blockHash: where?.hash ?? null,
      blockHeight: where?.height ?? null,
      confirmations: where === undefined ? 0 : (await world.daemon.call<number>('getblockcount')) - where.height + 1,
      fee: isCoinbase ? 0 : brought - outputs.reduce((sum, { value }) => sum + value, 0),
      inputs,
      outputs,
    }
  }

  const blockOf = new Map<string, string>()
  async function prevout(txid: string, vout: number): Promise<{ value: string | number; scriptPubKey: Script }> {
    const count = await world.daemon.call<number>('getblockcount')
    for (let height = count; height > 0 && !blockOf.has(txid); height--) {
      const hash = await world.daemon.call<string>('getblockhash', height)
      for (const id of (await world.daemon.call<{ tx: string[] }>('getblock', hash, 1)).tx) blockOf.set(id, hash)
    }
    const tx = await world.daemon.call<CoreTx>('getrawtransaction', txid, true, blockOf.get(txid))
    const output = tx.vout.find(({ n }) => n === vout)
    assert.ok(output?.scriptPubKey !== undefined && output.value !== undefined)
    return { value: output.value, scriptPubKey: output.scriptPubKey }
  }

  async function assertBlock(height: number): Promise<CoreBlock> {
    const core = await coreBlock(height)
    const stats = await world.daemon.call<{ totalfee: number; subsidy: number }>('getblockstats', height)
    const { feeRates, difficulty, ...view } = await get(`/block/${height}?txids=true`)
    const hogEx = core.tx.at(-1)
    const [hogAddress] = hogEx?.vout ?? []
    const isHogEx = hogAddress?.scriptPubKey?.type === 'witness_mweb_hogaddr'
    assert.deepEqual(view, {
      hash: core.hash,
      height,
      confirmations: core.confirmations,
      version: core.version,
      merkleRoot: core.merkleroot,
      timestamp: iso(core.time),
      medianTime: iso(core.mediantime),
      nonce: core.nonce,
      bits: core.bits,
      size: core.size,
      weight: core.weight,
      strippedSize: core.strippedsize,
      txCount: core.tx.length,
      previousBlockHash: core.previousblockhash,
      nextBlockHash: core.nextblockhash ?? null,
      reward: stats.subsidy + stats.totalfee,
      subsidy: stats.subsidy,
      totalFees: stats.totalfee,
      ...(isHogEx ? { mweb: { hogexTxid: hogEx?.txid, amount: units(hogAddress.value) } } : {}),
      txids: core.tx.map(({ txid }) => txid),
    })
    assert.ok(Math.abs(Number(difficulty) / Number(core.difficulty) - 1) < 1e-6)
    assert.deepEqual(Object.keys(feeRates as Data), ['p10', 'p25', 'p50', 'p75', 'p90'])
    const { txids: _, ...withoutIds } = view
    assert.deepEqual(await get(`/block/${core.hash}`), { ...withoutIds, feeRates, difficulty })
    for (const tx of core.tx) assert.deepEqual(await get(`/tx/${tx.txid}`), await expectedTx(tx, core))
    return core
  }

  test('status, chains and fees', async () => {
    const info = await world.daemon.call<{ difficulty: number | string }>('getblockchaininfo')
    const { difficulty, hashrate, ...status } = await get('/status')
    assert.deepEqual(status, {
      chain: 'ltc',
      chainName: 'Litecoin',
      symbol: 'LTC',
      blockHeight: MWEB_HEIGHT - 1,
      mempoolSize: 0,
      synced: true,
      source: served.sourceName,
    })
    assert.ok(Math.abs(Number(difficulty) / Number(info.difficulty) - 1) < 1e-6)
    assert.match(String(hashrate), /^\d+\.\d\d [kMGTPEZ]?H\/s$/)
    const { timestamp, ...fees } = await get('/fees')
    assert.deepEqual(fees, { low: 1, medium: 1, high: 1, urgent: 1, unit: 'sat/vB', source: 'mempool', mempoolSize: 0 })
    assert.match(String(timestamp), /^\d{4}-\d\d-\d\dT.*\.\d{3}Z$/)
  })

  test('a peg-in, unconfirmed and after the first HogEx', async () => {
    const txid = await world.a<string>('sendtoaddress', await hidden('getnewaddress', '', 'mweb'), 5)
    served = await world.chain()
    const core = await world.daemon.call<CoreTx>('getrawtransaction', txid, true)
    const entry = await world.daemon.call<Entry>('getmempoolentry', txid)
    const expected = await expectedTx(core, undefined)
    // The node adds the size of the HogEx input; the size of the transaction does not change when it confirms.
    const view = await get(`/tx/${txid}`)
    assert.deepEqual({ ...view, vsize: core.vsize, weight: core.weight }, expected)
    assert.equal(Number(view['fee']), units(entry.fees.base) - units(entry.mweb?.fee))
    assert.equal(served.mempool.find(txid)?.minedVsize, entry.vsize)
    assert.equal((await get('/fees'))['mempoolSize'], 1)
    const { txs } = (await get(`/address/${world.miner}/txs?pageSize=1`)) as { txs: Data[] }
    assert.deepEqual([txs[0]?.['txid'], txs[0]?.['fee'], txs[0]?.['blockHash']], [txid, view['fee'], null])
    await assertExport(world.miner)
    await mine(1)
    await assertBlock(MWEB_HEIGHT - 1)
    const block = await assertBlock(MWEB_HEIGHT)
    const confirmed = await get(`/tx/${txid}`)
    assert.deepEqual([confirmed['fee'], confirmed['vsize']], [view['fee'], view['vsize']])
    // Fees paid inside the extension block are the fee of the HogEx.
    assert.equal((await get(`/tx/${block.tx.at(-1)?.txid}`))['fee'], units(entry.mweb?.fee))
  })

  test('a peg-out, invisible while unconfirmed, then an immature coin that matures', async () => {
    const to = await world.a<string>('getnewaddress', '', 'bech32')
    await mine(1)
    const txid = await hidden<string>('sendtoaddress', to, 2)
    served = await world.chain()
    assert.deepEqual((await send(`/tx/${txid}?chain=ltc`)).code, 'TX_NOT_FOUND')
    assert.deepEqual((await get(`/address/${to}`))['unconfirmedBalance'], 0)
    await mine(1)
    const block = await assertBlock(MWEB_HEIGHT + 2)
    const hogEx = block.tx.at(-1)
    assert.deepEqual(await get(`/address/${to}`), {
      address: to,
      chain: 'ltc',
      balance: 200_000_000,
      balanceFormatted: '2.00000000',
      totalReceived: 200_000_000,
      totalSent: 0,
      txCount: 1,
      unconfirmedBalance: 0,
      unconfirmedTxCount: 0,
      calculating: false,
    })
    const coin = { txid: hogEx?.txid, vout: 1, value: 200_000_000, valueFormatted: '2.00000000', confirmations: 1 }
    assert.deepEqual(await get(`/address/${to}/utxos`), {
      address: to,
      chain: 'ltc',
      utxos: [coin],
      count: 1,
      limited: false,
    })
    const spend = { chain: 'ltc', fromAddress: to, toAddress: world.miner, amount: 100_000_000 }
    const early = await send('/simulate', spend)
    assert.deepEqual(
      [early.data['reason'], early.data['excluded']],
      ['NO_UTXOS', { immature: 1, unconfirmed: 0, mustNotUse: 0, protected: 0 }],
    )
    // The node reports when it matures.
    const raw = await world.a<string>('createrawtransaction', [{ txid: coin.txid, vout: 1 }], [{ [to]: 1.999 }])
    const { hex } = await world.a<{ hex: string }>('signrawtransactionwithwallet', raw)
    const accepts = async () => (await world.daemon.call<[{ allowed: boolean }]>('testmempoolaccept', [hex]))[0].allowed
    for (let confirmations = 1; confirmations <= 7; confirmations++) {
      const { data } = await send('/simulate', spend)
      assert.equal(data['viable'], await accepts(), `${confirmations} confirmations`)
      await mine(1)
    }
    assert.equal((await send('/simulate', spend)).data['viable'], true)
    assert.equal((await get(`/health/${to}`))['grade'], 'A')
    const { privacy, scriptType } = (await get(`/analyze/${to}`)) as {
      privacy: { factors: Data[] }
      scriptType: string
    }
    assert.equal(scriptType, 'p2wpkh')
    assert.ok(privacy.factors.some(({ code }) => code === 'EXTENSION_BLOCK'))
  })

  test('a version of 32 bits is returned as the node reports it', async () => {
    const to = await world.a<string>('getnewaddress', '', 'bech32')
    const unsigned = await world.a<string>('createrawtransaction', [], [{ [to]: 1 }])
    const { hex: funded } = await world.a<{ hex: string }>('fundrawtransaction', unsigned)
    const raw = `ffffffff${funded.slice(8)}`
    const { hex } = await world.a<{ hex: string }>('signrawtransactionwithwallet', raw)
    const txid = await world.daemon.call<string>('sendrawtransaction', hex)
    served = await world.chain()
    const core = await world.daemon.call<CoreTx>('getrawtransaction', txid, true)
    assert.equal(core.version, 0xffff_ffff)
    assert.deepEqual(await get(`/tx/${txid}`), await expectedTx(core, undefined))
    await mine(1)
    await assertBlock(await world.daemon.call<number>('getblockcount'))
  })

  test('plans limit the list of coins, and every type and spelling of address is accepted', async () => {
    const { unspents } = await world.daemon.call<{ unspents: unknown[] }>('scantxoutset', 'start', [
      `addr(${world.miner})`,
    ])
    for (const [name, most] of [
      ['basic', 100],
      ['pro', 5_000],
      ['enterprise', Number.POSITIVE_INFINITY],
    ] as const) {
      plan = name
      const { count, limited } = await get(`/address/${world.miner}/utxos`)
      assert.equal(count, Math.min(most, unspents.length))
      assert.equal(limited, unspents.length > most)
    }
    plan = 'enterprise'
    const upper = await get(`/address/${world.miner.toUpperCase()}`)
    assert.equal(upper['address'], world.miner)
    for (const [wrong, message] of [
      [await hidden<string>('getnewaddress', '', 'mweb'), /confidential/],
      ['bcrt1qdavt4j2sd7dlhqsavtnfxvzppw6k7qy97tmnu9', /./],
      [`${world.miner.slice(0, -1)}${world.miner.endsWith('q') ? 'p' : 'q'}`, /./],
    ] as const) {
      const response = await send(`/address/${wrong}?chain=ltc`)
      assert.deepEqual([response.status, response.code], [400, 'INVALID_ADDRESS'])
      assert.match((response as { error?: string }).error ?? '', message)
    }
  })
})
