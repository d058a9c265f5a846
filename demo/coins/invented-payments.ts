/**
 * Invents transactions that fill the mempool and the blocks of the recorded chain, with fees of several levels.
 *
 * They spend coins that the recording never spends, and only confirmed ones. Their signatures are invented, because the
 * recorded node checks none.
 */
import { hashFromHex } from '../../server/src/coins/parse/block.ts'
import { parseTransaction } from '../../server/src/coins/parse/transaction.ts'
import { seededRandom } from '../../testing/support/random.ts'

export type Coin = { readonly txid: string; readonly vout: number; readonly value: number }

export type Payment = {
  readonly txid: string
  readonly bytes: Buffer
  readonly vsize: number
  readonly weight: number
  readonly fee: number
  readonly spends: readonly string[]
  /** The outputs that later payments spend. */
  readonly change: readonly Coin[]
}

export type InventedPayments = {
  /** Splits a large coin into coins for payments. Undefined if there is no large coin left. */
  readonly split: () => Payment | undefined
  /** A payment. `surge` multiplies its fee rate. Undefined if no coin is confirmed. */
  readonly pay: (surge: number) => Payment | undefined
  /** The payment is in a block, so that its change can be spent. */
  readonly confirm: (payment: Payment) => void
  /** Coins that can be spent. */
  readonly coins: () => number
}

/** Satoshis per virtual byte, each with its weight among the payments. */
const LEVELS = [
  [1.2, 20],
  [2.5, 20],
  [4, 18],
  [7, 14],
  [12, 12],
  [20, 8],
  [34, 5],
  [60, 3],
] as const
/** The rates of the levels, each repeated by its weight. */
const RATES = LEVELS.flatMap(([rate, weight]) => Array.from({ length: weight }, () => rate))

/** Coins that a large coin is split into. */
export const SPLIT_INTO = 250
const SPLIT_FEE = 400_000
/** A smaller coin is not spent. */
const LEAST_COIN = 3_000_000
const LEAST_PAID = 20_000
/** Nodes relay nothing cheaper. */
const LEAST_RATE = 1
/** Bytes of data of a large transaction. */
const DATA = { least: 4_000, most: 24_000 }

const RULES = { mweb: false }

type Output = { readonly value: number; readonly script: Buffer }

/** `large`: coins to split. `showcase`: the script of an address that gets payments of all sizes. */
export function inventPayments(large: readonly Coin[], showcase: Buffer): InventedPayments {
  const random = seededRandom(7)
  const unsplit = [...large]
  const coins: Coin[] = []
  const bytesOf = (length: number): Buffer => Buffer.from(Uint8Array.from({ length }, () => random.below(256)))
  const newScript = (): Buffer => Buffer.concat([Buffer.from([0x00, 20]), bytesOf(20)]) // P2WPKH
  const witness = (): readonly Buffer[] => [bytesOf(71), bytesOf(33)]

  return {
    coins: () => coins.length,
    confirm: ({ change }) => {
      coins.push(...change.filter(({ value }) => value >= LEAST_COIN))
    },
    split: () => {
      const coin = unsplit.shift()
      if (coin === undefined) return undefined
      const value = Math.floor((coin.value - SPLIT_FEE) / SPLIT_INTO)
      const outputs = Array.from({ length: SPLIT_INTO }, () => ({ value, script: newScript() }))
      return paymentOf(coin, outputs, encode(coin, outputs, witness()), outputs.keys())
    },
    pay: (surge) => {
      const coin = coins.shift()
      if (coin === undefined) return undefined
      const isLarge = random.next() < 0.35
      const isShown = !isLarge && random.next() < 0.2
      // Each order of magnitude up to a fifth of the coin is as likely as the next.
      const value = Math.round(LEAST_PAID * (coin.value / 5 / LEAST_PAID) ** random.next())
      const paid: Output[] = [{ value, script: isShown ? showcase : newScript() }]
      if (isLarge)
        paid.push({ value: 0, script: dataScript(Buffer.alloc(random.between(DATA.least, DATA.most), bytesOf(32))) })
      const [script, signed] = [newScript(), witness()]
      const withFee = (fee: number) => [...paid, { value: coin.value - value - fee, script }]
      const { vsize } = parseTransaction(encode(coin, withFee(0), signed), RULES)
      const rate = Math.max(LEAST_RATE, random.pick(RATES) * surge * (0.85 + 0.3 * random.next()))
      // A large transaction at the highest rate would cost more than a small coin.
      const outputs = withFee(Math.ceil(Math.min(vsize * rate, coin.value / 2)))
      return paymentOf(coin, outputs, encode(coin, outputs, signed), [paid.length])
    },
  }
}

function paymentOf(coin: Coin, outputs: readonly Output[], bytes: Buffer, change: Iterable<number>): Payment {
  const { txid, vsize, weight } = parseTransaction(bytes, RULES)
  const received = outputs.reduce((sum, { value }) => sum + value, 0)
  return {
    txid,
    bytes,
    vsize,
    weight,
    fee: coin.value - received,
    spends: [coin.txid],
    change: [...change].map((vout) => ({ txid, vout, value: outputs[vout]?.value ?? 0 })),
  }
}

/** OP_RETURN with one push of up to 65,535 bytes. */
function dataScript(data: Buffer): Buffer {
  const head = Buffer.from([0x6a, 0x4d, 0, 0])
  head.writeUInt16LE(data.length, 2)
  return Buffer.concat([head, data])
}

/** A transaction with one input that a witness signs. */
function encode({ txid, vout }: Coin, outputs: readonly Output[], witness: readonly Buffer[]): Buffer {
  const input = Buffer.alloc(41)
  hashFromHex(txid).copy(input)
  input.writeUInt32LE(vout, 32)
  input.writeUInt32LE(0xffff_fffd, 37) // it signals that it can be replaced
  return Buffer.concat([
    Buffer.from([2, 0, 0, 0, 0, 1, 1]),
    input,
    compactSize(outputs.length),
    ...outputs.flatMap(({ value, script }) => {
      const amount = Buffer.alloc(8)
      amount.writeBigUInt64LE(BigInt(value))
      return [amount, compactSize(script.length), script]
    }),
    compactSize(witness.length),
    ...witness.flatMap((item) => [compactSize(item.length), item]),
    Buffer.alloc(4),
  ])
}

/** Bitcoin's encoding of a count of up to 65,535. */
export function compactSize(value: number): Buffer {
  if (value < 0xfd) return Buffer.from([value])
  const long = Buffer.from([0xfd, 0, 0])
  long.writeUInt16LE(value, 1)
  return long
}
