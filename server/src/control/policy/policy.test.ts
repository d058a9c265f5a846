/** Policy files, comparison and reports, without a chain. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import { parse } from 'yaml'
import type { Label } from '../../../../vocabulary/labels.ts'
import type { Power } from '../../../../vocabulary/powers.ts'
import type { Hex } from '../../lib/hex.ts'
import { YamlFaults } from '../../lib/yaml-file.ts'
import type { ControlNode } from '../profile/control-node.ts'
import { compare } from './compare.ts'
import { type Observed, type ObservedPower, observe } from './observe.ts'
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
  delay: { delay: 172_800, isComplete: true },
  controllers: [{ chainId: 1, address: B, kind: 'eoa', threshold: null, signers: null, delay: 0 }],
  hasAllControllers: true,
  powers: new Map([['mint', powerOf({})]]),
}

function powerOf(more: Partial<ObservedPower>): ObservedPower {
  const holders = [{ chainId: 1, address: B }]
  return { label: 'timelocked', delay: 172_800, holders, isOpen: false, isComplete: true, ...more }
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
  assert.match(
    faultsIn(TEXT.replace('short_timelock', 'strong')),
    /^line 6: contracts\.0\.label: must be one of immutable, .*; or atLeast with such a value$/,
  )
  assert.match(faultsIn(TEXT.replace('owner: 0xb2', 'owner: 0xb')), /^line 7: contracts\.0\.owner: must be 0x and 40/)
  const unknown = faultsIn(TEXT.replace('name: Vault', 'colour: red'))
  assert.match(unknown, /^line \d+: contracts\.0\.colour: is not a known field$/)
  assert.equal(unknown.split(':')[0], `line ${TEXT.split('\n').findIndex((line) => line.includes('name: Vault')) + 1}`)
  assert.equal(faultsIn('version: 1'), 'line 1: contracts: is missing')
  assert.equal(faultsIn('version: 1\ncontracts: 5'), 'line 2: contracts: must be a list')
  assert.match(faultsIn(TEXT.replace('version: 1', 'version: 2')), /version: must be 1/)
  assert.match(faultsIn('a: [1'), /at line 1, column 6$/)
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
  assert.deepEqual(failing({ facets: [A] }, { fields: { facets: `${A},${B}` } }), [`facets differs ${A}, ${B}`])
  assert.deepEqual(failing({ modules: [] }, { fields: { modules: A } }), [`modules differs ${A}`])
  assert.deepEqual(failing({ modules: [], facets: [] }, { fields: { modules: '', facets: null } }), [])
})

const holders = (list: readonly string[], power: Partial<ObservedPower>) =>
  failing({ powers: { mint: { holders: list } } }, { powers: new Map([['mint', powerOf(power)]]) })

test('a holder of the same address on another chain is another account', () => {
  const elsewhere = { holders: [{ chainId: 10, address: B }] }
  assert.deepEqual(holders([B], elsewhere), [`powers.mint.holders differs optimism:${B}`])
  assert.deepEqual(holders([`optimism:${B}`], elsewhere), [])
  assert.deepEqual(holders([`10:${B}`], elsewhere), [])
  assert.deepEqual(holders([`nowhere:${B}`], elsewhere), [`powers.mint.holders differs optimism:${B}`])
})

test('a list or a delay that may be incomplete never holds', () => {
  const unknown = { isComplete: false }
  assert.deepEqual(holders([B], unknown), [`powers.mint.holders unread ${B}, and others that are not known`])
  assert.deepEqual(holders([A], unknown), [`powers.mint.holders differs ${B}`])
  assert.deepEqual(holders([B], { isOpen: true }), [`powers.mint.holders differs ${B}, anyone`])
  const delay = { delay: { delay: 172_800, isComplete: false } }
  const text = '172800 of the known holders, and others that are not known'
  for (const given of ['2d', { atLeast: '2d' }, { atLeast: '1d' }])
    assert.deepEqual(failing({ delay: given }, delay), [`delay unread ${text}`])
  assert.deepEqual(failing({ delay: '3d' }, delay), [`delay differs ${text}`])
  assert.deepEqual(failing({ controllers: [{ address: B }] }, { hasAllControllers: false }), [
    'controllers unread not every controller is known',
  ])
})

test('an entry without an expectation never holds', () => {
  assert.deepEqual(failing({ name: 'Vault' }), ['address unread none is recorded; use --write'])
})

const node = (address: Hex, more: Partial<ControlNode> = {}): ControlNode => ({
  chainId: 1,
  address,
  role: { code: 'contract' },
  account: { kind: 'unjudged' },
  label: 'multisig',
  delaySeconds: 0,
  notes: [],
  paths: [],
  ...more,
})
const observedOf = (tree: ControlNode, powers: readonly Power[]): Observed =>
  observe(tree, {
    profile: { label: 'multisig', tone: 'amber', reasons: [], kind: 'unknown', stale: false, tree, powers },
    graph: new Map(),
    beacon: undefined,
    isContract: true,
    block: undefined,
  })

test('an account on two paths has the shorter delay, in whichever order they come', () => {
  const slow = node(A, { delaySeconds: 172_800, paths: [node(B, { delaySeconds: 172_800 })] })
  for (const paths of [
    [slow, node(B)],
    [node(B), slow],
  ]) {
    const { controllers } = observedOf(node(`0x${'c3'.repeat(20)}`, { paths }), [])
    assert.equal(controllers.find(({ address }) => address === B)?.delay, 0)
    assert.equal(controllers.length, 2)
  }
})

test('parts of a power with one effect are one power, and the weakest counts', () => {
  const power = (label: Label, more: Partial<Power>): Power => ({
    effect: 'other',
    class: 'info',
    functions: [],
    holders: [],
    label,
    delaySeconds: 0,
    ...more,
  })
  const held = { chainId: 1, address: B, kind: 'eoa', role: 'owner', label: 'single_key', delaySeconds: 0 } as const
  const { powers } = observedOf(node(A), [
    power('single_key', { holders: [held, held] }),
    power('unknown', { unknown: 'unsettled' }),
  ])
  const expectedPower = powerOf({ label: 'single_key', delay: 0, isComplete: false })
  assert.deepEqual(powers?.get('other'), expectedPower)
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
