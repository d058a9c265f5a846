/**
 * Makes parsed blocks without their bytes: only what the index reads of a block after it was parsed and hashed. So a
 * benchmark can feed it millions of transactions and measure nothing else.
 *
 * Shaped like Bitcoin mainnet. A transaction has 2.3 inputs and 2.5 outputs on average, one output in 25 is provably
 * unspendable, and 0.15 coins per transaction stay unspent: 167 million coins after 980 million transactions in March
 * 2024 (a dump of the UTXO set that was published then, and the transaction count in Core's `chainparams.cpp`). One output
 * in three pays an address used before, a few of them very often. Four inputs in five spend one of the last few thousand
 * coins.
 */
import type { Block } from '../server/src/coins/parse/block.ts'
import { Float64Column, Uint32Column } from '../server/src/coins/parse/columns.ts'
import { SCRIPT_KEY_SIZE } from '../server/src/coins/parse/script.ts'
import { seededRandom } from '../testing/support/random.ts'

const HEADER = 80
/** Offsets of two scripts that stand for all: one that can be spent, and OP_RETURN. */
const SPENDABLE = HEADER
const UNSPENDABLE = HEADER + 1
const FIRST_OUTPOINT = HEADER + 2

/** Writes bytes that look random and depend on two numbers only. */
function mixInto(out: Buffer, at: number, size: number, seed: number, salt: number): void {
  let state = (Math.imul(seed, 0x9e37_79b1) ^ salt) >>> 0
  for (let i = 0; i < size; i += 2) {
    state = (state + 0x6d2b_79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    out.writeUInt16BE((mixed ^ (mixed >>> 14)) & 0xffff, at + i)
  }
}

const TXID_SALT = 0x7478_6964
const SCRIPT_SALT = 0x7363_7269
const BLOCK_SALT = 0x626c_6f63

const writeTxid = (out: Buffer, at: number, tx: number): void => mixInto(out, at, 32, tx, TXID_SALT)

export function writeScriptKey(out: Buffer, at: number, script: number): void {
  mixInto(out, at, SCRIPT_KEY_SIZE, script, SCRIPT_SALT)
}

export class SyntheticBlocks {
  readonly #random = seededRandom(1)
  readonly #coinTx = new Uint32Column()
  readonly #coinVout = new Uint32Column()
  readonly #coinValue = new Float64Column()
  #coins = 0
  #txs = 0
  #height = 0
  #scripts = 0

  /** Unspent coins. */
  get coins(): number {
    return this.#coins
  }

  get transactions(): number {
    return this.#txs
  }

  /** How many scripts were paid; they are numbered from 1. */
  get scripts(): number {
    return this.#scripts
  }

  #inputs(): number {
    const random = this.#random
    const draw = random.next()
    return draw < 0.6 ? 1 : draw < 0.82 ? 2 : draw < 0.94 ? random.between(3, 5) : random.between(6, 20)
  }

  #outputs(): number {
    const random = this.#random
    const draw = random.next()
    return draw < 0.2 ? 1 : draw < 0.85 ? 2 : draw < 0.95 ? random.between(3, 5) : random.between(6, 20)
  }

  #script(): number {
    const random = this.#random
    if (this.#scripts < 100 || random.chance(0.67)) return ++this.#scripts
    return 1 + random.below(random.chance(0.1) ? 20 : this.#scripts)
  }

  /** Removes a coin and returns its position, where it stays readable until the next coin is added. */
  #takeCoin(): number {
    const last = this.#coins - 1
    const at = this.#random.chance(0.8)
      ? last - this.#random.below(Math.min(this.#coins, 3_000))
      : this.#random.below(this.#coins)
    for (const column of [this.#coinTx, this.#coinVout, this.#coinValue]) {
      const taken = column.at(at)
      column.data[at] = column.at(last)
      column.data[last] = taken
    }
    this.#coins = last
    return last
  }

  #addCoin(tx: number, vout: number, value: number): void {
    for (const column of [this.#coinTx, this.#coinVout, this.#coinValue]) column.length = this.#coins
    this.#coinTx.push(tx)
    this.#coinVout.push(vout)
    this.#coinValue.push(value)
    this.#coins++
  }

  /** The first block has only a coinbase, whose output cannot be spent. */
  next(transactions: number): Block {
    const random = this.#random
    const isGenesis = this.#height === 0
    const txCount = isGenesis ? 1 : transactions
    const firstTx = this.#txs
    const firstInput = [0]
    const firstOutput = [0]
    const outpoint: number[] = []
    const value: number[] = []
    const script: number[] = []
    const scriptEnd: number[] = []
    const keys: number[] = []
    const sizes: number[] = []
    let bytes = Buffer.alloc(FIRST_OUTPOINT + 36 * 64)
    bytes[SPENDABLE] = 0x51
    bytes[UNSPENDABLE] = 0x6a
    for (let i = 0; i < txCount; i++) {
      const tx = this.#txs++
      let total = i === 0 ? 5_000_000_000 : 0
      for (let left = i === 0 ? 0 : Math.min(this.#inputs(), this.#coins); left > 0; left--) {
        const coin = this.#takeCoin()
        const at = FIRST_OUTPOINT + outpoint.length * 36
        if (at + 36 > bytes.length) bytes = Buffer.concat([bytes, Buffer.alloc(bytes.length)])
        writeTxid(bytes, at, this.#coinTx.at(coin))
        bytes.writeUInt32LE(this.#coinVout.at(coin), at + 32)
        outpoint.push(at)
        total += this.#coinValue.at(coin)
      }
      // The coinbases of the first blocks have many outputs to spend.
      const outputs = i > 0 ? this.#outputs() : this.#height < 500 ? 50 : 1
      for (let vout = 0; vout < outputs; vout++) {
        const isSpendable = i === 0 || !random.chance(0.04)
        const amount = isSpendable ? Math.floor((total * (0.2 + 0.6 * random.next())) / outputs) : 0
        value.push(amount)
        script.push(isSpendable ? SPENDABLE : UNSPENDABLE)
        scriptEnd.push((isSpendable ? SPENDABLE : UNSPENDABLE) + 1)
        keys.push(isSpendable ? this.#script() : 0)
        if (isSpendable && !isGenesis) this.#addCoin(tx, vout, amount)
      }
      firstInput.push(outpoint.length)
      firstOutput.push(value.length)
      sizes.push(10 + 148 * ((firstInput[i + 1] ?? 0) - (firstInput[i] ?? 0)) + 34 * outputs)
    }
    const txids = Buffer.alloc(txCount * 32)
    for (let i = 0; i < txCount; i++) writeTxid(txids, i * 32, firstTx + i)
    const scriptKeys = Buffer.alloc(keys.length * SCRIPT_KEY_SIZE)
    for (const [i, key] of keys.entries()) if (key > 0) writeScriptKey(scriptKeys, i * SCRIPT_KEY_SIZE, key)
    const hash = Buffer.alloc(32)
    mixInto(hash, 0, 32, this.#height, BLOCK_SALT)
    const prevHash = bytes.subarray(4, 36)
    if (this.#height > 0) mixInto(prevHash, 0, 32, this.#height - 1, BLOCK_SALT)
    this.#height++
    let end = HEADER
    const start = sizes.map((size) => {
      end += size
      return end - size
    })
    return {
      bytes,
      hash,
      prevHash,
      txids,
      scriptKeys,
      hogEx: -1,
      weight: 4 * bytes.length,
      strippedSize: bytes.length,
      txs: {
        bytes,
        count: txCount,
        start,
        end: start.map((at, i) => at + (sizes[i] ?? 0)),
        stripped: sizes,
        witnessBytes: new Uint32Array(txCount),
        firstInput,
        firstOutput,
        outpoint,
        value,
        script,
        scriptEnd,
      },
    }
  }
}
