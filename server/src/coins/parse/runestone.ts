/**
 * Parses runestones: outputs `OP_RETURN OP_13 …` that name the outputs that receive runes.
 *
 * Runes that the stone does not assign go to the output that its pointer names, or to the first one without data. A
 * malformed stone (cenotaph) destroys all runes of the transaction.
 */
import type { Transaction } from './transaction.ts'

export type Runestone = {
  /** Outputs that receive what the stone assigns. An edict to no output in particular assigns to all. */
  readonly edicts: readonly number[]
  readonly assignsToAll: boolean
  /** The output that receives the rest. */
  readonly rest: number | undefined
}

const OP_RETURN = 0x6a
const OP_13 = 0x5d
const TAGS = { body: 0n, pointer: 22n }
/** 128 bits in groups of seven. */
const MAX_VARINT = 19

/** The first output that is not data. */
export function firstWithoutData({ outputs }: Pick<Transaction, 'outputs'>): number | undefined {
  const index = outputs.findIndex(({ script }) => script[0] !== OP_RETURN)
  return index < 0 ? undefined : index
}

/** `undefined` without a stone, `cenotaph` for a malformed one. */
export function readRunestone(tx: Pick<Transaction, 'outputs'>): Runestone | 'cenotaph' | undefined {
  const stone = tx.outputs.find(({ script }) => script[0] === OP_RETURN && script[1] === OP_13)
  if (stone === undefined) return undefined
  const payload = payloadOf(stone.script.subarray(2))
  const numbers = payload === undefined ? undefined : readVarints(payload)
  return numbers === undefined ? 'cenotaph' : readMessage(numbers, tx)
}

/** All pushes together; undefined if another opcode follows. */
function payloadOf(script: Buffer): Buffer | undefined {
  const parts: Buffer[] = []
  let at = 0
  while (at < script.length) {
    const opcode = script[at++] ?? 0
    const sizeBytes = opcode === 0x4c ? 1 : opcode === 0x4d ? 2 : opcode === 0x4e ? 4 : 0
    if (opcode > 0x4e || at + sizeBytes > script.length) return undefined
    const size = sizeBytes === 0 ? opcode : script.readUIntLE(at, sizeBytes)
    at += sizeBytes
    if (at + size > script.length) return undefined
    parts.push(script.subarray(at, at + size))
    at += size
  }
  return Buffer.concat(parts)
}

function readVarints(payload: Buffer): bigint[] | undefined {
  const numbers: bigint[] = []
  let [value, groups] = [0n, 0]
  for (const byte of payload) {
    value |= BigInt(byte & 0x7f) << BigInt(7 * groups)
    groups++
    if (groups > MAX_VARINT || value >= 2n ** 128n) return undefined
    if ((byte & 0x80) !== 0) continue
    numbers.push(value)
    ;[value, groups] = [0n, 0]
  }
  return groups === 0 ? numbers : undefined
}

function readMessage(numbers: readonly bigint[], tx: Pick<Transaction, 'outputs'>): Runestone | 'cenotaph' {
  const count = BigInt(tx.outputs.length)
  const edicts: number[] = []
  let assignsToAll = false
  let rest = firstWithoutData(tx)
  let at = 0
  while (at < numbers.length) {
    const tag = numbers[at] ?? 0n
    if (tag === TAGS.body) {
      // Edicts: block, transaction, amount, output.
      const body = numbers.slice(at + 1)
      if (body.length % 4 !== 0) return 'cenotaph'
      for (let i = 3; i < body.length; i += 4) {
        const output = body[i] ?? 0n
        if (output > count) return 'cenotaph'
        if (output === count) assignsToAll = true
        else edicts.push(Number(output))
      }
      break
    }
    const value = numbers[at + 1]
    if (value === undefined) return 'cenotaph'
    if (tag === TAGS.pointer) {
      if (value >= count) return 'cenotaph'
      rest = Number(value)
    }
    // An unknown even tag makes the stone malformed, but which ones are known may change.
    at += 2
  }
  return { edicts, assignsToAll, rest }
}
