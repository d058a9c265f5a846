/**
 * Parser fuzzing: real blocks, damaged.
 *
 * Every byte string must end in a parsed block or a `ParseError`. The suite runs some cases, `npm run sim -- parse` as
 * many as requested.
 */
import { parseBlock } from '../../server/src/coins/parse/block.ts'
import { ParseError } from '../../server/src/coins/parse/parse-error.ts'
import { parseTransaction } from '../../server/src/coins/parse/transaction.ts'
import { type Random, seededRandom } from '../support/random.ts'
import { readHex, recordedBlocks } from './fixtures.ts'

/** Bytes that counts, flags and sizes turn on. */
const TELLING = [0x00, 0x01, 0x08, 0x09, 0x58, 0x59, 0x7f, 0x80, 0xfc, 0xfd, 0xfe, 0xff]

export function fuzzCorpus(): Buffer[] {
  const blocks = recordedBlocks()
  const litecoin = [readHex('ltc-regtest', 'ltc_mweb_block.hex'), readHex('ltc-regtest', 'ltc_mweb_pegout_block.hex')]
  return [...blocks.filter((_, height) => height % 40 === 0 || height > 505), ...litecoin]
}

/** Runs one case; throws whatever is not a `ParseError`. Answers whether the bytes were read as a block. */
export function fuzzOnce(corpus: readonly Buffer[], seed: number): boolean {
  const random = seededRandom(seed)
  const bytes = damage(random, random.pick(corpus), corpus)
  const rules = { mweb: random.chance(0.5) }
  try {
    if (random.chance(0.3)) parseTransaction(bytes.subarray(random.below(bytes.length + 1)), rules)
    else parseBlock(bytes, rules)
    return true
  } catch (error) {
    if (error instanceof ParseError) return false
    throw new Error(`seed ${seed}: the parser threw something else than a ParseError`, { cause: error })
  }
}

function damage(random: Random, original: Buffer, corpus: readonly Buffer[]): Buffer {
  let bytes = Buffer.from(original)
  for (let times = random.below(4); times >= 0; times--) {
    const at = random.below(bytes.length + 1)
    const way = random.below(5)
    if (way === 0) bytes = bytes.subarray(0, at)
    else if (way === 1 && at < bytes.length) bytes[at] = random.pick(TELLING)
    else if (way === 2 && at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8))
    else if (way === 3) bytes.fill(0xff, at, Math.min(bytes.length, at + random.below(9)))
    else if (way === 4) {
      const other = random.pick(corpus)
      const from = random.below(other.length)
      bytes = Buffer.concat([bytes.subarray(0, at), other.subarray(from, from + random.below(200)), bytes.subarray(at)])
    }
  }
  return bytes
}

const CASES_PER_SEED = 1_000

/** Runs 1,000 cases. The seed and the position identify a case. */
export async function simulateParse(seed: number) {
  const corpus = fuzzCorpus()
  let parsed = 0
  for (let at = 0; at < CASES_PER_SEED; at++) if (fuzzOnce(corpus, seed * CASES_PER_SEED + at)) parsed += 1
  return { seed, cases: CASES_PER_SEED, parsed }
}
