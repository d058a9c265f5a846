import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Hex } from 'viem'
import { sampleLog } from '../../../../testing/evm/sample-log.ts'
import { type Random, seededRandom } from '../../../../testing/support/random.ts'
import { buildCatalog, type DecodedEvent } from './catalog.ts'
import type { EventRow } from './event-row.ts'
import { catalogRows } from './events/rows.ts'
import { type Log, parseEvent } from './layout.ts'
import { nameOf } from './value.ts'

const catalog = buildCatalog(catalogRows)
const SEED = 20_260_731

function decodeAs(row: EventRow, log: Log): DecodedEvent | undefined {
  return catalog.decode(log, row.kinds?.[0])
}

test('every row decodes what viem encoded', () => {
  const random = seededRandom(SEED)
  for (const row of catalogRows) {
    for (let round = 0; round < 6; round += 1) {
      const { log, args } = sampleLog(row, random)
      const event = decodeAs(row, log)
      assert.deepEqual(event?.args, args, `${row.key} ${row.event}\n${JSON.stringify(log)}`)
      assert.equal(event?.key, row.key)
      assert.equal(event?.decode, 'ok')
      assert.equal(event?.subject, args.subject)
    }
  }
})

test('arguments are in declared order', () => {
  for (const row of catalogRows.filter((candidate) => candidate.note !== true)) {
    const { log } = sampleLog(row, seededRandom(1))
    const declared = parseEvent(row).inputs.map(nameOf)
    const names = row.subject === undefined ? declared : [...declared, 'subject']
    assert.deepEqual(Object.keys(decodeAs(row, log)?.args ?? {}), names, row.event)
  }
})

test('a log whose static data is a byte too short or too long is stored raw', () => {
  for (const row of catalogRows) {
    const { log } = sampleLog(row, seededRandom(2))
    const isStatic = !/\b(bytes|string)\b|\[\]/.test(row.event) && row.note !== true
    const longer: Log = { ...log, data: `${log.data}00` }
    if (isStatic) assertRaw(decodeAs(row, longer), row, longer)
    if (isStatic && log.data !== '0x') {
      const shorter: Log = { ...log, data: log.data.slice(0, -2) as Hex }
      assertRaw(decodeAs(row, shorter), row, shorter)
    }
  }
})

function assertRaw(event: DecodedEvent | undefined, row: EventRow, log: Log): void {
  assert.equal(event?.decode, 'mismatch', row.event)
  assert.equal(event?.key, row.key)
  assert.deepEqual(event?.args, { decode: 'mismatch', topics: log.topics, data: log.data })
}

test('a value outside its type is a mismatch', () => {
  const word = (tail: string): Hex => `0x${tail.padStart(64, '0')}`
  const cases: [string, Hex][] = [
    ['Upgraded(address implementation)', `0x01${'00'.repeat(31)}`],
    ['PausedStateChanged(bool paused)', word('2')],
    ['Initialized(uint8 version)', word('100')],
    ['AfterSubmitDelaySet(uint32 newAfterSubmitDelay)', word('100000000')],
  ]
  for (const [declaration, data] of cases) {
    const row = catalogRows.find((candidate) => candidate.event === declaration)
    assert.ok(row, declaration)
    const { log } = sampleLog(row, seededRandom(3))
    assert.equal(catalog.decode({ ...log, data })?.decode, 'mismatch', declaration)
  }
})

test('hostile logs never throw and never expand beyond their size', () => {
  const random = seededRandom(SEED)
  for (const row of catalogRows) {
    for (let round = 0; round < 12; round += 1) {
      const { log } = sampleLog(row, random)
      const hostile: Log = {
        ...log,
        topics: log.topics.map((topic, at) => (at === 0 ? topic : twist(topic, random))),
        data: twist(log.data, random),
      }
      const event = decodeAs(row, hostile)
      assert.ok(event)
      // Hex digits become at most one decimal digit each or one character; names and quotes are the row's own.
      const allowed = 2 * (hostile.data.length + hostile.topics.join('').length) + 40 * row.event.length
      assert.ok(JSON.stringify(event.args).length <= allowed + 40 * (hostile.data.length / 64), row.event)
    }
  }
})

function twist(hex: Hex, random: Random): Hex {
  const digits = hex.slice(2)
  const at = random.below(digits.length + 1)
  const choice = random.next()
  if (choice < 0.2) return `0x${digits.slice(0, at)}`
  if (choice < 0.4) return `0x${digits.slice(0, at)}${random.hex(random.below(64)).slice(2)}${digits.slice(at)}`
  if (choice < 0.6) return random.hex(random.below(300))
  if (choice < 0.8)
    return `0x${digits.slice(0, at)}${'f'.repeat(digits.slice(at, at + 64).length)}${digits.slice(at + 64)}`
  return `0x${digits.slice(0, at)}${random.pick(['zz', 'FF', '0', '20', '\0'])}${digits.slice(at + 2)}`
}

test('offsets that all point at one large value are rejected', () => {
  const row = catalogRows.find((candidate) => candidate.key === 'governor.proposal_created')
  assert.ok(row)
  const word = (value: number): string => value.toString(16).padStart(64, '0')
  // id, proposer, targets, values, signatures, calldatas, start, end, description: four empty lists, then calldatas.
  const head = [0, 0, 288, 320, 352, 416, 0, 0, 384].map(word).join('')
  const empty = word(0).repeat(4)
  const { log } = sampleLog(row, seededRandom(4))
  // Of few elements the bytes alone are too many, of more elements also their offsets and sizes.
  for (const count of [100, 400]) {
    // calldatas: every element points behind the list, to the same ten thousand bytes.
    const list = word(count) + word(count * 32).repeat(count) + word(10_000) + 'ab'.repeat(10_000)
    assert.equal(catalog.decode({ ...log, data: `0x${head}${empty}${list}` })?.decode, 'mismatch')
  }
  const once = word(1) + word(32) + word(10_000) + 'ab'.repeat(10_000)
  assert.equal(catalog.decode({ ...log, data: `0x${head}${empty}${once}` })?.decode, 'ok')
})

test('text that PostgreSQL cannot store is replaced', () => {
  const row = catalogRows.find((candidate) => candidate.event === 'Paused(string identifier)')
  assert.ok(row)
  const { log } = sampleLog(row, seededRandom(5))
  const data: Hex = `0x${'20'.padStart(64, '0')}${'4'.padStart(64, '0')}6100ff62${'0'.repeat(56)}`
  assert.deepEqual(catalog.decode({ ...log, data })?.args, { identifier: 'a\uFFFD\uFFFDb' })
})

test('a log without topics, or of another event, is not decoded', () => {
  const address: Hex = '0x00000000000000000000000000000000000000aa'
  assert.equal(catalog.decode({ address, topics: [], data: '0x' }), undefined)
  const transfer: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
  assert.equal(catalog.decode({ address, topics: [transfer], data: '0x' }), undefined)
})
