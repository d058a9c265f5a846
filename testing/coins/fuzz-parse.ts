/**
 * Parser fuzzing: corrupted real blocks must parse or throw a `ParseError`.
 *
 * The suite runs 20,000 cases, `npm run sim -- parse` as many as requested. fast-check shrinks a failing case to the
 * fewest and smallest corruptions and prints them.
 */
import * as fc from 'fast-check'
import { parseBlock } from '../../server/src/coins/parse/block.ts'
import { ParseError } from '../../server/src/coins/parse/parse-error.ts'
import { parseTransaction } from '../../server/src/coins/parse/transaction.ts'
import { readHex, recordedBlocks } from './fixtures.ts'

/** Bytes that are flags, marks or size prefixes in the wire format. */
const SPECIAL_BYTES = [0x00, 0x01, 0x08, 0x09, 0x58, 0x59, 0x7f, 0x80, 0xfc, 0xfd, 0xfe, 0xff]

/** Recorded blocks of both chains. */
function loadCorpus(): readonly Buffer[] {
  const blocks = recordedBlocks()
  const litecoin = [readHex('ltc-regtest', 'ltc_mweb_block.hex'), readHex('ltc-regtest', 'ltc_mweb_pegout_block.hex')]
  return [...blocks.filter((_, height) => height % 40 === 0 || height > 505), ...litecoin]
}

/** Positions are fractions of the length, so that they stay valid when the bytes change. */
const position = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

const corruption = (corpus: readonly Buffer[]) =>
  fc.oneof(
    fc.record({ kind: fc.constant('truncate' as const), at: position }),
    fc.record({ kind: fc.constant('set' as const), at: position, byte: fc.constantFrom(...SPECIAL_BYTES) }),
    fc.record({ kind: fc.constant('flip' as const), at: position, bit: fc.nat(7) }),
    fc.record({ kind: fc.constant('fill' as const), at: position, count: fc.nat(8) }),
    fc.record({
      kind: fc.constant('insert' as const),
      at: position,
      other: fc.constantFrom(...corpus.keys()),
      from: position,
      count: fc.nat(199),
    }),
  )

type Corruption = ReturnType<typeof corruption> extends fc.Arbitrary<infer T> ? T : never

function corrupt(bytes: Buffer, change: Corruption, corpus: readonly Buffer[]): Buffer {
  const at = Math.floor(change.at * (bytes.length + 1))
  if (change.kind === 'truncate') return bytes.subarray(0, at)
  if (change.kind === 'fill') return bytes.fill(0xff, at, Math.min(bytes.length, at + change.count))
  if (change.kind === 'insert') {
    const other = corpus[change.other] ?? bytes
    const from = Math.floor(change.from * other.length)
    return Buffer.concat([bytes.subarray(0, at), other.subarray(from, from + change.count), bytes.subarray(at)])
  }
  if (at < bytes.length) bytes[at] = change.kind === 'set' ? change.byte : (bytes[at] ?? 0) ^ (1 << change.bit)
  return bytes
}

/** Parses `cases` corrupted inputs. Returns how many were valid. Throws on any error other than a `ParseError`. */
export function fuzzParser(seed: number, cases: number): number {
  const corpus = loadCorpus()
  let parsed = 0
  const input = fc.record({
    block: fc.constantFrom(...corpus.keys()),
    corruptions: fc.array(corruption(corpus), { minLength: 1, maxLength: 4 }),
    mweb: fc.boolean(),
    /** Parse a transaction from this position on instead of a block. */
    transactionAt: fc.option(position, { freq: 2, nil: undefined }),
  })
  fc.assert(
    fc.property(input, ({ block, corruptions, mweb, transactionAt }) => {
      const original: Buffer = Buffer.from(corpus[block] ?? [])
      const bytes = corruptions.reduce((changed, change) => corrupt(changed, change, corpus), original)
      try {
        if (transactionAt === undefined) parseBlock(bytes, { mweb })
        else parseTransaction(bytes.subarray(Math.floor(transactionAt * (bytes.length + 1))), { mweb })
        parsed += 1
      } catch (error) {
        if (!(error instanceof ParseError)) throw error
      }
    }),
    { seed, numRuns: cases },
  )
  return parsed
}

const CASES_PER_SEED = 1_000

/** Runs 1,000 cases of a seed. */
export async function simulateParse(seed: number) {
  return { seed, cases: CASES_PER_SEED, parsed: fuzzParser(seed, CASES_PER_SEED) }
}
