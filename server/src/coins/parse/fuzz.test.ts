import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuzzParser } from '../../../../testing/coins/fuzz-parse.ts'
import { parseBlock } from './block.ts'
import { ParseError } from './parse-error.ts'

test('20,000 corrupted blocks and transactions parse or throw a ParseError', () => {
  const refused = 20_000 - fuzzParser(1, 20_000)
  assert.ok(refused > 10_000, `only ${refused} inputs were refused: the corruption has too little effect`)
})

test('a count larger than the input allows does not allocate memory', () => {
  // 80 bytes of header, then a count of 4,294,967,295 transactions.
  const bytes = Buffer.concat([Buffer.alloc(80), Buffer.from('feffffffff', 'hex'), Buffer.alloc(100)])
  const before = process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers
  assert.throws(() => parseBlock(bytes, { mweb: false }), ParseError)
  assert.ok(process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers - before < 8_000_000)
})
