import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeAbiParameters, encodeFunctionData, type Hex, parseAbi, toEventSelector } from 'viem'
import { buildCatalog, type DecodedEvent, UnknownEventKeyError } from './catalog.ts'
import type { EventRow } from './event-row.ts'
import { catalogRows } from './events/rows.ts'
import { CatalogRowError } from './layout.ts'

const catalog = buildCatalog(catalogRows)
const EMITTER: Hex = '0x00000000000000000000000000000000000000ee'
const ALICE: Hex = '0xa11ce00000000000000000000000000000000001'
const BOB: Hex = '0xb0b0000000000000000000000000000000000002'

const word = (value: Hex): Hex => `0x${value.slice(2).padStart(64, '0')}`
const join = (...words: Hex[]): Hex => `0x${words.map((hex) => hex.slice(2)).join('')}`

function decode(declaration: string, indexed: readonly Hex[], data: readonly Hex[], kind?: string): DecodedEvent {
  const topics = [toEventSelector(declaration), ...indexed.map(word)]
  const event = catalog.decode({ address: EMITTER, topics, data: join(...data.map(word)) }, kind)
  assert.ok(event, declaration)
  return event
}

test('of two layouts with one topic 0 the number of topics decides', () => {
  const cases: [string, Hex[], Hex[], string][] = [
    ['Upgraded(address)', [ALICE], [], 'proxy.upgraded'],
    ['Upgraded(address)', [], [ALICE], 'proxy.upgraded'],
    ['AdminChanged(address,address)', [], [ALICE, BOB], 'proxy.admin_changed'],
    ['AdminChanged(address,address)', [ALICE, BOB], [], 'factory.proxy_admin_changed'],
    ['OwnershipTransferred(address,address)', [ALICE, BOB], [], 'ownable.transferred'],
    ['OwnershipTransferred(address,address)', [], [ALICE, BOB], 'ownable.transferred'],
    ['NewAdmin(address,address)', [ALICE, BOB], [], 'zk.new_admin'],
    ['NewAdmin(address,address)', [], [ALICE, BOB], 'comp.new_admin'],
    ['AddedOwner(address)', [ALICE], [], 'safe.added_owner'],
    ['AddedOwner(address)', [], [ALICE], 'safe.added_owner'],
    ['ProposalExecuted(uint256)', [], ['0x07'], 'governor.proposal_executed'],
    ['ProposalExecuted(uint256)', ['0x07'], [], 'aave3.proposal_executed'],
  ]
  for (const [declaration, indexed, data, key] of cases) {
    const event = decode(declaration, indexed, data)
    assert.equal(event.key, key, declaration)
    assert.equal(event.decode, 'ok', declaration)
  }
})

test('of two rows with one layout the kind of the contract decides, and the default applies without it', () => {
  const cases: [string, Hex[], Hex[], string, string, string][] = [
    ['Upgraded(address)', [ALICE], [], 'beacon', 'beacon.upgraded', 'proxy.upgraded'],
    ['NewAdmin(address)', [ALICE], [], 'ownable', 'vyper.new_admin', 'timelock.new_admin'],
    ['EnabledModule(address)', [], [ALICE], 'timelock_custom', 'zodiac.enabled_module', 'safe.enabled_module'],
    ['DisabledModule(address)', [], [ALICE], 'access_control', 'zodiac.disabled_module', 'safe.disabled_module'],
    ['ChangedGuard(address)', [], [ALICE], 'executor', 'zodiac.changed_guard', 'safe.changed_guard'],
    ['RemovedOwner(address)', [ALICE], [], 'immutable', 'op.liveness_removed_owner', 'safe.removed_owner'],
    ['MinterRemoved(address)', [ALICE], [], 'proxy_zos', 'fiat.minter_removed', 'token.minter_removed'],
  ]
  for (const [declaration, indexed, data, kind, special, common] of cases) {
    assert.equal(decode(declaration, indexed, data, kind).key, special, `${declaration} of ${kind}`)
    for (const other of [undefined, 'safe', 'unknown', 'proxy_transparent', 'no such kind']) {
      assert.equal(decode(declaration, indexed, data, other).key, common, `${declaration} of ${other}`)
    }
  }
  assert.deepEqual(decode('Paused(address)', [], [ALICE], 'proxy_op').args, { identifier: ALICE })
  assert.deepEqual(decode('Paused(address)', [], [ALICE]).args, { account: ALICE })
})

test('a log with an undeclared number of topics is stored raw under the key', () => {
  const event = decode('OwnershipTransferred(address,address)', [ALICE], [BOB])
  assert.equal(event.key, 'ownable.transferred')
  assert.equal(event.severity, 'critical')
  assert.equal(event.decode, 'mismatch')
  assert.deepEqual(event.args, {
    decode: 'mismatch',
    topics: [toEventSelector('OwnershipTransferred(address,address)'), word(ALICE)],
    data: word(BOB),
  })
})

test('an event about another contract has it as its subject', () => {
  const upgraded = decode('Upgraded(address,address)', [ALICE, BOB], [])
  assert.equal(upgraded.subject, ALICE)
  assert.deepEqual(upgraded.args, { proxy: ALICE, implementation: BOB, subject: ALICE })
  const delegate = decode('DelegateSet(address,address)', [], [ALICE, BOB])
  assert.equal(delegate.subject, ALICE)
  const self = decode('DelegateSet(address,address)', [], [EMITTER, BOB])
  assert.equal(self.subject, undefined)
  assert.deepEqual(self.args, { sender: EMITTER, delegate: BOB })
})

test('integers are numbers up to 48 bits and decimal strings above, whatever their value', () => {
  assert.deepEqual(decode('Initialized(uint8)', [], ['0x01']).args, { version: 1 })
  assert.deepEqual(decode('Initialized(uint64)', [], ['0x01']).args, { version: '1' })
  assert.deepEqual(decode('Initialized(uint64)', [], ['0xffffffffffffffff']).args, { version: '18446744073709551615' })
  const scheduled = decode('DefaultAdminTransferScheduled(address,uint48)', [ALICE], ['0xffffffffffff'])
  assert.deepEqual(scheduled.args, { newAdmin: ALICE, acceptSchedule: 281_474_976_710_655 })
  const raised = decode('MinDelayChange(uint256,uint256)', [], ['0x00', `0x${'f'.repeat(64)}`])
  assert.deepEqual(raised.args, { oldDuration: '0', newDuration: String(2n ** 256n - 1n) })
})

const maker = parseAbi([
  'function rely(address usr)',
  'function file(bytes32 what, uint256 data)',
  'function plot(address usr, bytes32 tag, bytes fax, uint256 eta)',
])

/** As `LibNote` of dss writes it: the first 224 bytes of the call, padded with zeros. */
function dssNote(call: Hex): { address: Hex; topics: Hex[]; data: Hex } {
  const padded = call.padEnd(2 + 448, '0') as Hex
  const topics: Hex[] = [
    `${call.slice(0, 10)}${'0'.repeat(56)}` as Hex,
    word(BOB),
    `0x${padded.slice(10, 74)}`,
    `0x${padded.slice(74, 138)}`,
  ]
  return { address: EMITTER, topics, data: encodeAbiParameters([{ type: 'bytes' }], [padded]) }
}

test('a LogNote of dss is decoded as the logged call', () => {
  const rely = catalog.decode(dssNote(encodeFunctionData({ abi: maker, functionName: 'rely', args: [ALICE] })))
  assert.equal(rely?.key, 'maker.rely')
  assert.deepEqual(rely?.args, { sender: BOB, usr: ALICE })
  const what: Hex = `0x4c696e65${'0'.repeat(56)}`
  const file = catalog.decode(dssNote(encodeFunctionData({ abi: maker, functionName: 'file', args: [what, 5n] })))
  assert.equal(file?.key, 'maker.file_uint')
  assert.deepEqual(file?.args, { sender: BOB, what, data: '5' })
})

test('a LogNote truncated inside an argument is stored raw', () => {
  const call = encodeFunctionData({
    abi: maker,
    functionName: 'plot',
    args: [ALICE, word(BOB), `0x${'ab'.repeat(200)}`, 9n],
  })
  const event = catalog.decode(dssNote(call.slice(0, 450) as Hex))
  assert.equal(event?.key, 'dspause.plotted')
  assert.equal(event?.decode, 'mismatch')
})

test('rows with the same layout, reserved names and unknown subjects are rejected', () => {
  const row: EventRow = {
    key: 'test.one',
    event: 'Probe(address indexed who)',
    severity: 'info',
    category: 'access',
    emitter: 'test',
    source: 'test',
  }
  const build = (...rows: EventRow[]): unknown => buildCatalog(rows, [])
  assert.throws(() => build(row, { ...row, key: 'test.two', event: 'Probe(address indexed other)' }), CatalogRowError)
  assert.throws(() => build({ ...row, kinds: ['safe'] }, { ...row, kinds: ['beacon', 'safe'] }), CatalogRowError)
  assert.doesNotThrow(() => build(row, { ...row, kinds: ['safe'] }, { ...row, kinds: ['beacon'] }))
  assert.doesNotThrow(() => build(row, { ...row, event: 'Probe(address who)' }))
  assert.throws(() => build({ ...row, subject: 'whom' }), CatalogRowError)
  for (const name of ['__proto__', 'constructor', 'subject']) {
    assert.throws(() => build({ ...row, event: `Probe(address ${name})` }), name)
  }
  assert.throws(() => build({ ...row, event: 'Probe(address who, address who)' }), CatalogRowError)
})

test('arguments without a name are named by their position', () => {
  const row: EventRow = {
    key: 'test.unnamed',
    event: 'Probe(address indexed, (bool, uint8 level))',
    severity: 'info',
    category: 'access',
    emitter: 'test',
    source: 'test',
  }
  const topics = [toEventSelector('Probe(address,(bool,uint8))'), word(ALICE)]
  const data = join(word('0x01'), word('0x02'))
  assert.deepEqual(buildCatalog([row], []).decode({ address: EMITTER, topics, data })?.args, {
    arg0: ALICE,
    arg1: { arg0: true, level: 2 },
  })
})

test('the chain-wide topics are a subset, chosen by key', () => {
  const known = new Set(catalog.topicsFor('watched'))
  const chainwide = catalog.topicsFor('chainwide')
  assert.ok(chainwide.length > 0 && chainwide.length < known.size)
  for (const topic of chainwide) assert.ok(known.has(topic))
  const own = buildCatalog(catalogRows, ['diamond.cut'])
  assert.deepEqual(own.topicsFor('chainwide'), ['0x8faa70878671ccd212d20771b795c50af8fd3ff6cf27f4bde57e5d4de0aeb673'])
  assert.deepEqual(buildCatalog(catalogRows, []).topicsFor('chainwide'), [])
  assert.throws(() => buildCatalog(catalogRows, ['diamond.cut', 'no.such']), UnknownEventKeyError)
})
