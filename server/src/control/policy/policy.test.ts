/** Policy files, comparison and reports, without a chain. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import { parse } from 'yaml'
import { YamlFaults } from '../../lib/yaml-file.ts'
import { compare } from './compare.ts'
import type { Observed } from './observe.ts'
import { parsePolicy, policySchema } from './policy.ts'
import { type CheckReport, reportJunit, reportLines, reportMarkdown, reportSarif } from './reports.ts'

const A = `0x${'a1'.repeat(20)}` as const
const B = `0x${'b2'.repeat(20)}` as const

const TEXT = `version: 1
contracts:
  - chain: ethereum
    address: "${A}" # in quotes
    name: Vault
    label: { atLeast: short_timelock }
    owner: ${B}
    delay: 2d
    signers: ["${B}"]
    powers:
      mint: { label: timelocked }
`

const OBSERVED: Observed = {
  isContract: true,
  isStale: false,
  label: 'timelocked',
  kind: 'proxy_transparent',
  fields: { owner: B, admin: null },
  threshold: null,
  signers: [B],
  delay: 172_800,
  controllers: [{ chainId: 1, address: B, kind: 'eoa', threshold: null, signers: null, delay: 0 }],
  powers: new Map([['mint', { label: 'timelocked', delay: 172_800, holders: [B] }]]),
}

const faultsIn = (text: string): string => {
  try {
    parsePolicy(text)
    return ''
  } catch (error) {
    assert.ok(error instanceof YamlFaults)
    return error.faults.join('\n')
  }
}
const expected = (fields: object) =>
  policySchema.parse({ version: 1, contracts: [{ chain: 'ethereum', address: A, ...fields }] }).contracts[0] ??
  assert.fail()
const failing = (fields: object, observed: Partial<Observed> = {}) =>
  compare(expected(fields), { ...OBSERVED, ...observed }, 1)
    .filter(({ status }) => status !== 'ok')
    .map(({ path, status, actual }) => `${path.join('.')} ${status} ${actual}`)

test('addresses without quotes keep their digits, and durations have units', () => {
  const [contract] = parsePolicy(TEXT).policy.contracts
  assert.deepEqual([contract?.owner, contract?.delay], [B, 172_800])
  assert.ok(contract !== undefined && compare(contract, OBSERVED, 1).every(({ status }) => status === 'ok'))
})

test('every fault is reported with its line', () => {
  assert.match(faultsIn(TEXT.replace('short_timelock', 'strong')), /^line 6: contracts\.0\.label: /)
  assert.match(faultsIn(TEXT.replace('owner: 0xb2', 'owner: 0xb')), /^line 7: contracts\.0\.owner: must be 0x and 40/)
  assert.match(faultsIn(TEXT.replace('name: Vault', 'colour: red')), /Unrecognized key: "colour"/)
  assert.match(faultsIn(TEXT.replace('version: 1', 'version: 2')), /version: must be 1/)
  assert.match(faultsIn('a: [1'), /at line 1/)
  assert.match(faultsIn(''), /the file/)
})

test('aliases cannot make a file grow without bounds', () => {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]']
  for (let n = 1; n < 12; n += 1)
    lines.push(
      `a${n}: &a${n} [${Array(10)
        .fill(`*a${n - 1}`)
        .join(', ')}]`,
    )
  assert.match(faultsIn(lines.join('\n')), /alias/i)
})

test('what differs is named', () => {
  assert.deepEqual(failing({ label: 'immutable' }), ['label differs timelocked'])
  assert.deepEqual(failing({ label: { atLeast: 'immutable' } }), ['label differs timelocked'])
  assert.deepEqual(failing({ label: { atLeast: 'multisig' } }, { label: 'unknown' }), ['label differs unknown'])
  assert.deepEqual(failing({ delay: { atLeast: '3d' } }), ['delay differs 172800'])
  assert.deepEqual(failing({ admin: null, owner: null }), [`owner differs ${B}`])
  assert.deepEqual(failing({ signers: [A, B] }), [`signers differs ${B}`])
  assert.deepEqual(failing({ threshold: 1 }), ['threshold differs none'])
  assert.deepEqual(failing({ controllers: [] }), [`controllers differs ${B} (eoa)`])
  assert.deepEqual(failing({ controllers: [{ address: B, kind: 'safe' }] }), ['controllers.0.kind differs eoa'])
  assert.deepEqual(failing({ powers: { pause: {} } }), [
    'powers.pause differs none',
    `powers differs mint (timelocked): ${B}`,
  ])
  assert.deepEqual(failing({}, { isContract: false }), ['address differs no contract at this address'])
})

test('what could not be read is no difference', () => {
  assert.deepEqual(failing({ beacon: null }), ['beacon unread could not be read'])
  assert.deepEqual(failing({ powers: {} }, { powers: null }), ['powers unread could not be read'])
  assert.deepEqual(failing({ label: 'immutable' }, { isStale: true }), [
    'label unread timelocked',
    'address unread a read of the chain failed',
  ])
})

const REPORT: CheckReport = {
  file: 'my policy.yaml',
  lineOf: () => 7,
  contracts: [
    {
      chain: 'ethereum',
      address: A,
      name: '<b>"@all"</b>`|`\u0007\u{1F600}',
      at: 0,
      block: 5,
      checks: [
        { path: ['owner'], status: 'differs', expected: A, actual: B },
        { path: ['label'], status: 'ok', expected: 'multisig', actual: 'multisig' },
      ],
    },
  ],
}

test('reports carry hostile names as text', () => {
  const xml = reportJunit(REPORT)
  assert.match(xml, /<testsuites name="my policy\.yaml" tests="2" failures="1" errors="0">/)
  assert.match(xml, /&lt;b&gt;&quot;@all&quot;&lt;\/b&gt;`\|` \u{1F600} ethereum/u)
  assert.match(reportMarkdown(REPORT), /\| `<b>"@all"<\/b> {4}\u{1F600} ethereum 0x(a1)+` \| `owner` \|/u)
  assert.match(reportLines(REPORT).at(-1) ?? '', /^1 contract, 2 expectations: 1 differs, 0 could not be checked\.$/)
  const sarif = JSON.stringify(reportSarif(REPORT, '1.0.0'))
  assert.match(sarif, /"uri":"my%20policy\.yaml"/)
  assert.match(sarif, /"startLine":7/)
})

test('the schema for editors accepts what the program accepts', () => {
  const schema = JSON.parse(readFileSync(join(import.meta.dirname, '../../../policy.schema.json'), 'utf8'))
  const isValid = new Ajv({ strict: false }).compile(schema)
  assert.ok(isValid(parse(TEXT.replace(`owner: ${B}`, `owner: "${B}"`))), JSON.stringify(isValid.errors))
  assert.ok(!isValid(parse(TEXT.replace('short_timelock', 'strong'))))
})
