import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../../../testing/support/random.ts'
import { formatLabels, labelsOf, mergeLabels, parseLabels } from './labels.ts'

const TXID = 'f91d0a8a78462bc59398f2c5d7a84fcff491c26ba54c4833478b202796c8aafd'
/** The test vectors of BIP 329. */
const VECTORS = [
  `{ "type": "tx", "ref": "${TXID}", "label": "Transaction", "origin": "wpkh([d34db33f/84'/0'/0'])" }`,
  '{ "type": "addr", "ref": "bc1q34aq5drpuwy3wgl9lhup9892qp6svr8ldzyy7c", "label": "Address" }',
  '{ "type": "pubkey", "ref": "0283409659355b6d1cc3c32decd5d561abaac86c37a353b52895a5e6c196d6f448", "label": "Public Key" }',
  `{ "type": "input", "ref": "${TXID}:0", "label": "Input" }`,
  `{ "type": "output", "ref": "${TXID}:1", "label": "Output" , "spendable" : false }`,
  '{ "type": "xpub", "ref": "xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8", "label": "Extended Public Key" }',
  `{ "type": "tx", "ref": "${'a'.repeat(64)}", "label": "Transaction", "origin": "wpkh([d34db33f/84'/0'/0'])", "height": 800000, "fmv": { "USD": 1233.45 } }`,
]

test('the vectors of BIP 329 are imported and exported with all fields', async () => {
  const { records, ignored } = await parseLabels(VECTORS.join('\n'))
  assert.deepEqual([records.length, ignored], [7, []])
  assert.deepEqual(
    formatLabels(records)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
    VECTORS.map((line) => JSON.parse(line) as unknown),
  )
  assert.deepEqual((await parseLabels(formatLabels(records))).records, records)
})

test('lines that are no label are ignored with their number', async () => {
  const lines = [
    VECTORS[0],
    '',
    'nonsense',
    '{"type":"note","ref":"x","label":"a"}',
    '{"type":"tx","ref":"short","label":"a"}',
    `{"type":"tx","ref":"${TXID}","label":5}`,
    `{"type":"output","ref":"${TXID}","label":"a"}`,
    'null',
    '[1]',
    `{"type":"addr","ref":"${'a'.repeat(400)}","label":"a"}`,
    `{"type":"addr","ref":"a","label":"${'a'.repeat(2_000)}"}`,
  ]
  const { records, ignored } = await parseLabels(lines.join('\r\n'))
  assert.equal(records.length, 1)
  assert.deepEqual(
    ignored.map(({ line }) => line),
    [3, 4, 5, 6, 7, 8, 9, 10, 11],
  )
  assert.deepEqual(await parseLabels(''), { records: [], ignored: [] })
})

test('a file may begin with a byte order mark, and an outpoint has one spelling', async () => {
  assert.equal((await parseLabels(`\uFEFF${VECTORS[0]}`)).records.length, 1)
  for (const [ref, count] of [
    [`${TXID}:0`, 1],
    [`${TXID}:10`, 1],
    [`${TXID}:00`, 0],
    [`${TXID}:01`, 0],
  ] as const)
    assert.equal((await parseLabels(JSON.stringify({ type: 'output', ref, label: 'a' }))).records.length, count, ref)
})

test('a file with more lines than a wallet can have labels is refused before they are read', async () => {
  const file = 'x\n'.repeat(2_000_000)
  await assert.rejects(parseLabels(file), { code: 'TOO_MANY_LABELS' })
})

test('other requests are served while a file is read', async () => {
  let turns = 0
  let isRead = false
  const count = (): void => {
    turns++
    if (!isRead) setImmediate(count)
  }
  setImmediate(count)
  assert.equal((await parseLabels('x\n'.repeat(11_000))).ignored.length, 11_000)
  isRead = true
  assert.ok(turns > 20, String(turns))
})

test('random labels are the same after an export and an import', async () => {
  const random = seededRandom(329)
  const characters = [
    'a',
    '"',
    '\\',
    '\n',
    '\r',
    '\u2028',
    '\u0000',
    '😀',
    'ß',
    '\ud800',
    '{',
    '}',
    ',',
    ' ',
    '__proto__',
  ]
  const text = (): string => Array.from({ length: 1 + random.below(30) }, () => random.pick(characters)).join('')
  const records = Array.from({ length: 500 }, (_, i) => ({
    type: 'addr' as const,
    ref: `${i}${text()}`,
    label: text(),
    ...(random.chance(0.3) && { spendable: random.chance(0.5) }),
    ...(random.chance(0.3) && { [`x${text()}`]: [text(), { [`y${text()}`]: null }] }),
  }))
  const { records: imported, ignored } = await parseLabels(formatLabels(records))
  assert.deepEqual([imported, ignored], [records, []])
  assert.equal(formatLabels(imported), formatLabels(records))
})

test('a later label replaces an earlier one, and an empty one removes it', async () => {
  const of = async (label: string, more: object = {}) =>
    (await parseLabels(JSON.stringify({ type: 'tx', ref: TXID.toUpperCase(), label, ...more }))).records
  const first = mergeLabels([], await of('Rent'))
  assert.equal(labelsOf(first).ofTx(TXID), 'Rent')
  const second = mergeLabels(first, [...(await of('Food')), ...(await of('Fuel'))])
  assert.deepEqual([second.length, labelsOf(second).ofTx(TXID)], [1, 'Fuel'])
  assert.deepEqual(mergeLabels(second, await of('')), [])
  assert.equal(mergeLabels(second, await of('', { spendable: false })).length, 1, 'it still freezes')
})

test('a coin has the label of its output, else of its address, else of its transaction', async () => {
  const { records } = await parseLabels(VECTORS.join('\n'))
  const labels = labelsOf(records)
  const address = 'bc1q34aq5drpuwy3wgl9lhup9892qp6svr8ldzyy7c'
  const of = (vout: number, owner: string | null) => labels.ofCoin({ txid: TXID, vout, address: owner })
  assert.deepEqual([of(1, address), of(0, address), of(0, null)], ['Output', 'Address', 'Transaction'])
  assert.equal(labels.ofCoin({ txid: 'b'.repeat(64), vout: 0, address: null }), null)
  assert.deepEqual(labels.frozen, [`${TXID}:1`])
})
