/** Coins with inscriptions or runes and outputs of dust attacks are found and not spent, on a chain in memory. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BuiltTx, buildTx } from '../../../../testing/coins/block-builder.ts'
import { startMemoryChain } from '../../../../testing/coins/memory-chain.ts'
import { startV2App } from '../../../../testing/coins/v2-app.ts'
import { bitcoinRegtest } from '../networks/bitcoin.ts'
import { NodeUnreachableError } from '../node/node-errors.ts'
import { describeScript } from '../parse/address.ts'
import { hashHex } from '../parse/block.ts'

const scriptOf = (byte: number): Buffer => Buffer.concat([Buffer.from([0, 20]), Buffer.alloc(20, byte)])
const addressOf = (script: Buffer): string => describeScript(bitcoinRegtest, script).address ?? assert.fail()
const [own, foreign] = [scriptOf(1), scriptOf(2)]
const [fromAddress, toAddress] = [addressOf(own), addressOf(foreign)]
const revealed = Buffer.from('0063036f7264010109696d6167652f706e67000568656c6c6f68', 'hex')
/** The witness of a script path spend with an envelope. */
const REVEAL = [Buffer.alloc(64), revealed, Buffer.concat([Buffer.from([0xc0]), Buffer.alloc(32, 5)])]
/** A stone that assigns the rest to output 2. */
const STONE = { value: 0, script: Buffer.from('6a5d021602', 'hex') }

const chain = await startMemoryChain()
const funds = await chain.add(
  [],
  Array.from({ length: 8 }, (_, i) => ({ value: 10_000 + i, script: foreign })),
)
const spend = (vout: number, witness?: readonly Buffer[]) => ({ txid: funds.txid, vout, ...(witness && { witness }) })
// The inscription is on the first satoshi of the second input, which is in the second output.
const inscribed = buildTx(
  [spend(0), spend(1, REVEAL)],
  [
    { value: 10_000, script: foreign },
    { value: 9_000, script: own },
    { value: 800, script: own },
  ],
)
const runes = buildTx([spend(2)], [STONE, { value: 4_000, script: own }, { value: 5_000, script: own }])
const plain = buildTx([spend(3)], [{ value: 9_500, script: own }])
await chain.add([inscribed, runes, plain])
// A dust attack on the used address.
const attack = buildTx(
  [spend(4)],
  [...Array.from({ length: 12 }, () => ({ value: 600, script: foreign })), { value: 600, script: own }],
)
await chain.add([attack])
for (let i = 0; i < 100; i++) await chain.add([])
const { app, key } = await startV2App({ plan: () => 'pro', btc: () => chain.served })

type Protected = {
  readonly txid: string
  readonly vout: number
  readonly assets: { kind: string; certainty: string; input: number | null; contentType: string | null }[]
  readonly dustAttack: { verdict: string } | null
}
type Data = {
  readonly viable: boolean
  readonly reason: string | null
  readonly totalInput: number
  readonly selectedUtxos: { readonly txid: string; readonly vout: number }[]
  readonly protectedUtxos: Protected[]
  readonly excluded: { readonly protected: number }
  readonly warnings: string[]
  readonly outputs: { readonly assets: Protected['assets'] }[]
  readonly isComplete: boolean
}
async function send(
  path: string,
  body: object,
): Promise<{ readonly status: number; readonly error: string; readonly data: Data }> {
  const { statusCode, body: text } = await app.inject({
    url: `/api/v2${path}`,
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    payload: JSON.stringify(body),
  })
  const { error = '', data } = JSON.parse(text) as { error?: string; data: Data }
  return { status: statusCode, error, data }
}
const outpoint = ({ txid }: BuiltTx, vout: number): string => `${hashHex(txid)}:${vout}`
const pay = async (more: object): Promise<Data> =>
  (await send('/simulate', { fromAddress, toAddress, feeRate: 1, ...more })).data

test('a payment of everything leaves coins with inscriptions or runes and dust', async () => {
  const data = await pay({ sendAll: true })
  const kept = data.protectedUtxos.map(
    ({ txid, vout, assets, dustAttack }) => `${txid}:${vout} ${assets[0]?.kind ?? dustAttack?.verdict}`,
  )
  assert.deepEqual(
    kept.sort(),
    [`${outpoint(inscribed, 1)} inscription`, `${outpoint(runes, 2)} rune`, `${outpoint(attack, 12)} probable`].sort(),
  )
  assert.equal(data.excluded.protected, 3)
  assert.equal(data.totalInput, 800 + 4_000 + 9_500)
  const [asset] = data.protectedUtxos.find(({ txid }) => txid === hashHex(inscribed.txid))?.assets ?? []
  assert.deepEqual([asset?.certainty, asset?.input, asset?.contentType], ['certain', 1, 'image/png'])
})

test('no strategy selects them, and a payment that needs them cannot be made', async () => {
  for (const utxoSelection of ['optimal', 'largest', 'smallest', 'oldest']) {
    const data = await pay({ amount: 12_000, utxoSelection, compareStrategies: true })
    assert.ok(data.viable, String(data.reason))
    for (const { txid, vout } of data.selectedUtxos)
      assert.ok(![outpoint(inscribed, 1), outpoint(runes, 2), outpoint(attack, 12)].includes(`${txid}:${vout}`))
  }
  const needy = await pay({ amount: 20_000 })
  assert.deepEqual([needy.viable, needy.excluded.protected > 0], [false, true])
})

test('they are spent if the caller says so', async () => {
  const all = await pay({ sendAll: true, protect: 'none' })
  assert.deepEqual([all.totalInput, all.protectedUtxos], [800 + 4_000 + 9_500 + 9_000 + 5_000 + 600, []])
  const required = await pay({ amount: 5_000, mustUse: [outpoint(inscribed, 1)] })
  assert.ok(required.viable && required.warnings.some((text) => text.startsWith('PROTECTED_INPUTS')))
})

test('inspect finds them on outputs, and follows satoshi through transactions', async () => {
  const moved = buildTx(
    [
      { txid: plain.txid, vout: 0 },
      { txid: inscribed.txid, vout: 1 },
    ],
    [
      { value: 9_400, script: foreign },
      { value: 9_000, script: foreign },
    ],
  )
  await chain.add([moved])
  const kinds = async (tx: BuiltTx, depth: number): Promise<string[][]> => {
    const outpoints = [0, 1].map((vout) => outpoint(tx, vout))
    const { data } = await send('/utxos/inspect', { outpoints, depth })
    return data.outputs.map(({ assets }) => assets.map(({ kind }) => kind))
  }
  assert.deepEqual(await kinds(moved, 0), [[], []])
  // The first satoshi of the second input is number 9,500: the 100th of the second output.
  assert.deepEqual(await kinds(moved, 1), [[], ['inscription']])
  assert.deepEqual(await kinds(inscribed, 0), [[], ['inscription']])
  const passed = buildTx(
    [{ txid: runes.txid, vout: 2 }],
    [
      { value: 4_900, script: foreign },
      { value: 50, script: foreign },
    ],
  )
  await chain.add([passed])
  assert.deepEqual(await kinds(passed, 1), [['rune'], []], 'without a stone, the first output has them')
})

test('a payment is still simulated while the node does not answer, and states what was not inspected', async () => {
  const silent = () => Promise.reject(new NodeUnreachableError('node', 'no answer'))
  const loader = { load: silent, loadBytes: silent, findCached: () => undefined }
  const other = await startV2App({ plan: () => 'pro', btc: () => ({ ...chain.served, loader }) })
  const { body } = await other.app.inject({
    url: '/api/v2/simulate',
    method: 'POST',
    headers: { 'x-api-key': other.key, 'content-type': 'application/json' },
    payload: JSON.stringify({ fromAddress, toAddress, amount: 5_000, feeRate: 1 }),
  })
  const { data } = JSON.parse(body) as { data?: Data }
  assert.equal(data?.viable, true, body)
  assert.ok(data?.warnings.some((text) => text.startsWith('NOT_INSPECTED')))
})

test('bad outpoints are refused with the field', async () => {
  for (const [body, field] of [
    [{ outpoints: [] }, 'outpoints'],
    [{ outpoints: ['x'] }, 'outpoints.0'],
    [{ outpoints: [`${'ab'.repeat(32)}:0`] }, 'outpoints.0'],
    [{ outpoints: [outpoint(plain, 0), outpoint(plain, 7)] }, 'outpoints.1'],
    [{ outpoints: [outpoint(plain, 0)], depth: 11 }, 'depth'],
    [{ outpoints: Array.from({ length: 101 }, () => outpoint(plain, 0)) }, 'outpoints'],
  ] as const) {
    const { status, error } = await send('/utxos/inspect', body)
    assert.deepEqual([status, error.split(':')[0]], [400, field], error)
  }
})
