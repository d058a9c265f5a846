/**
 * Finds inscriptions: envelopes `OP_FALSE OP_IF "ord" … OP_ENDIF` in the scripts that taproot inputs reveal.
 *
 * An inscription is on the first satoshi of the input that reveals it, unless its pointer names another one. A script that
 * is cut off or contains other opcodes in an envelope has no inscription there, as in the `ord` client.
 */
import type { Transaction } from './transaction.ts'

export type Inscription = {
  readonly input: number
  /** The position among the satoshi of all outputs; undefined for the first satoshi of the input. */
  readonly pointer: number | undefined
  readonly contentType: string | undefined
}

const OP_1NEGATE = 0x4f
const OP_IF = 0x63
const OP_ENDIF = 0x68
const ANNEX = 0x50
const PROTOCOL = 'ord'
const [BODY_TAG, CONTENT_TYPE_TAG, POINTER_TAG] = [0, 1, 2]
const MAX_CONTENT_TYPE = 100

/** A pushed value, or an opcode that pushes nothing. */
type Step = { readonly push: Buffer } | { readonly opcode: number }

function* stepsOf(script: Buffer): Generator<Step> {
  let at = 0
  while (at < script.length) {
    const opcode = script[at++] ?? 0
    if (opcode > 0x4e) {
      // OP_1 to OP_16 push a number, and OP_1NEGATE does.
      if (opcode >= 0x51 && opcode <= 0x60) yield { push: Buffer.from([opcode - 0x50]) }
      else if (opcode === OP_1NEGATE) yield { push: Buffer.from([0x81]) }
      else yield { opcode }
      continue
    }
    const sizeBytes = opcode === 0x4c ? 1 : opcode === 0x4d ? 2 : opcode === 0x4e ? 4 : 0
    if (at + sizeBytes > script.length) return
    const size = sizeBytes === 0 ? opcode : script.readUIntLE(at, sizeBytes)
    at += sizeBytes
    if (at + size > script.length) return
    yield { push: script.subarray(at, at + size) }
    at += size
  }
}

/** The script that a taproot input reveals; undefined for a key path spend. */
function tapscriptOf(witness: readonly Buffer[]): Buffer | undefined {
  const hasAnnex = witness.length > 1 && witness.at(-1)?.[0] === ANNEX
  const items = hasAnnex ? witness.slice(0, -1) : witness
  const control = items.at(-1)
  const isControl = control !== undefined && control.length >= 33 && (control.length - 33) % 32 === 0
  return items.length > 1 && isControl ? items.at(-2) : undefined
}

export function findInscriptions({ inputs }: Pick<Transaction, 'inputs'>): Inscription[] {
  return inputs.flatMap(({ witness }, input) => {
    const script = tapscriptOf(witness)
    return script === undefined ? [] : envelopesOf(script).map((fields) => ({ input, ...readFields(fields) }))
  })
}

/** The pushes of every envelope, without the name of the protocol. Another protocol ends the search for this one only. */
function envelopesOf(script: Buffer): Buffer[][] {
  const envelopes: Buffer[][] = []
  let found: 'nothing' | 'false' | 'if' | 'name' = 'nothing'
  let fields: Buffer[] = []
  for (const step of stepsOf(script)) {
    const pushed = 'push' in step ? step.push : undefined
    if (found === 'name') {
      if (pushed !== undefined) {
        fields.push(pushed)
        continue
      }
      if ('opcode' in step && step.opcode === OP_ENDIF) envelopes.push(fields)
      found = 'nothing'
    } else if (found === 'if' && pushed?.toString('latin1') === PROTOCOL) {
      found = 'name'
      fields = []
    } else if (found === 'false' && 'opcode' in step && step.opcode === OP_IF) found = 'if'
    else found = pushed?.length === 0 ? 'false' : 'nothing'
  }
  return envelopes
}

/** Tags and values in turns, up to the body, whose tag is empty. */
function readFields(fields: readonly Buffer[]): Pick<Inscription, 'pointer' | 'contentType'> {
  let pointer: number | undefined
  let contentType: string | undefined
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [tag, value] = [fields[i] ?? Buffer.alloc(0), fields[i + 1] ?? Buffer.alloc(0)]
    const number = tag.length === 0 ? BODY_TAG : tag.length === 1 ? tag[0] : undefined
    if (number === BODY_TAG) break
    if (number === CONTENT_TYPE_TAG) contentType ??= printable(value)
    if (number === POINTER_TAG) pointer ??= littleEndian(value)
  }
  return { pointer, contentType }
}

const printable = (value: Buffer): string | undefined => {
  const text = value.toString('latin1', 0, MAX_CONTENT_TYPE)
  return /^[\x20-\x7e]+$/.test(text) ? text : undefined
}

/** Undefined if the number is beyond any amount. */
function littleEndian(value: Buffer): number | undefined {
  const significant = value.subarray(0, 6)
  if (value.subarray(6).some((byte) => byte !== 0)) return undefined
  return significant.length === 0 ? 0 : significant.readUIntLE(0, significant.length)
}
