import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../../../testing/support/random.ts'
import { RECEIVED, SENT } from './history-entry.ts'
import { entriesOfScript, HistoryPageReader, HistoryPageWriter, PAGE_BYTES, pageCount } from './history-page.ts'
import { TxidPageReader, TxidPageWriter } from './txid-page.ts'

type Entry = readonly [a: number, b: number, c: number, txnum: number, flags: number, received: number, sent: number]

/** Entries of few scripts that share long prefixes, with numbers and amounts of every size. */
function randomEntries(seed: number, base: number): Entry[] {
  const random = seededRandom(seed)
  const pick = <T>(values: readonly T[]): T => values[random.below(values.length)] as T
  const numbers = [0, 1, 255, 256, 70_000, 2 ** 24, 2 ** 32 - 1, 2 ** 32, 2 ** 39]
  const amounts = [0, 1, 127, 128, 50_000, 2 ** 31, 2 ** 32 + 5, Number.MAX_SAFE_INTEGER]
  const entries = Array.from({ length: 3_000 }, (): Entry => {
    const flags = pick([RECEIVED, SENT, RECEIVED | SENT])
    return [
      pick([0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ff00, 0xffff_ffff]),
      pick([0, 255, 256, 0xff00_0000, 0xffff_ffff]),
      pick([0, 1, 256, 0xffff]),
      base + pick(numbers) + random.below(1_000),
      flags,
      (flags & RECEIVED) === 0 ? 0 : pick(amounts),
      (flags & SENT) === 0 ? 0 : pick(amounts),
    ]
  })
  return entries.sort((x, y) => x[0] - y[0] || x[1] - y[1] || x[2] - y[2] || x[3] - y[3])
}

test('pages of history entries give back every entry, in order', () => {
  for (const base of [0, 12_345, 1_300_000_000]) {
    const entries = randomEntries(base, base)
    const writer = new HistoryPageWriter(base)
    const pages: Buffer[] = []
    for (const entry of entries) {
      writer.add(...entry)
      if (writer.isFull) pages.push(writer.take())
    }
    if (writer.count > 0) pages.push(writer.take())
    assert.ok(pages.length > 3 && pages.every((page) => page.length <= PAGE_BYTES))
    const reader = new HistoryPageReader(base)
    const found: Entry[] = []
    for (const page of pages) {
      reader.open(page)
      const before = found.length
      while (reader.next()) {
        const { a, b, c, txnum, flags, received, sent } = reader
        found.push([a, b, c, txnum, flags, received, sent])
      }
      assert.equal(found.length - before, pageCount(page))
    }
    assert.deepEqual(found, entries)

    const script = Buffer.alloc(10)
    for (const key of new Set(entries.map(([a, b, c]) => `${a},${b},${c}`))) {
      const [a = 0, b = 0, c = 0] = key.split(',').map(Number)
      script.writeUInt32BE(a)
      script.writeUInt32BE(b, 4)
      script.writeUInt16BE(c, 8)
      const expected = entries.filter((entry) => entry[0] === a && entry[1] === b && entry[2] === c)
      assert.deepEqual(
        pages.flatMap((page) => entriesOfScript(page, base, script)).map(({ txnum, sent }) => [txnum, sent]),
        expected.map((entry) => [entry[3], entry[6]]),
      )
    }
  }
})

test('an address that receives once and spends the same amount takes less than 25 bytes', () => {
  const writer = new HistoryPageWriter(0)
  for (let i = 0; i < 100; i++) {
    writer.add(i * 40_000_000, i, i, 1_000_000_000 + i, RECEIVED, 123_456_789 + i, 0)
    writer.add(i * 40_000_000, i, i, 1_000_050_000 + i, SENT, 0, 123_456_789 + i)
  }
  assert.ok(writer.take().length < 2_500)
})

test('pages of txids give back every record, in order', () => {
  const random = seededRandom(7)
  for (const [base, end] of [
    [0, 200],
    [5_000, 5_000_000_000],
  ] as const) {
    const records = Array.from({ length: 3_000 }, () => ({
      prefix: random.chance(0.1) ? 77 : random.below(2 ** 16) * 2 ** 24 + random.below(2 ** 24),
      txnum: base + Math.floor((random.below(1_000_000) / 1_000_000) * (end - base)),
    })).sort((x, y) => x.prefix - y.prefix || x.txnum - y.txnum)
    const writer = new TxidPageWriter(base, end)
    const pages: Buffer[] = []
    for (const { prefix, txnum } of records) {
      writer.add(prefix, txnum)
      if (writer.isFull) pages.push(writer.take())
    }
    if (writer.count > 0) pages.push(writer.take())
    assert.ok(pages.every((page) => page.length <= PAGE_BYTES))
    const reader = new TxidPageReader(base)
    const found: { prefix: number; txnum: number }[] = []
    for (const page of pages) {
      reader.open(page)
      while (reader.next()) found.push({ prefix: reader.prefix, txnum: reader.txnum })
    }
    assert.deepEqual(found, records)
  }
})
