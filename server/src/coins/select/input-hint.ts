/**
 * The size of an input by what the caller says about the script behind an address: its type, the script itself, or a
 * descriptor.
 *
 * A script is checked against the hash in the address. The keys of a descriptor are only counted.
 */
import type { Address } from '../parse/address.ts'
import { classifyScript } from '../parse/script.ts'
import { hash160, sha256 } from '../parse/sha256.ts'
import { compactSizeBytes, type InputSize, inputSize, KEY, multisigBytes, SIGNATURE } from './weights.ts'

export type InputHint = {
  readonly inputType?: string | undefined
  readonly redeemScript?: string | undefined
  readonly witnessScript?: string | undefined
  readonly descriptor?: string | undefined
}

export type HintedInput = {
  readonly size: InputSize
  readonly redeemScript: Buffer | undefined
  readonly witnessScript: Buffer | undefined
}

/** A hint that cannot be used, as `parameter: reason`. */
export class HintError extends Error {}

/** Bytes of the items that satisfy a script, without the script itself. `items` excludes the script. */
type Satisfaction = { readonly bytes: number; readonly items: number }

const UNCOMPRESSED_KEY = 65
const byKey = (key: number): Satisfaction => ({ bytes: 1 + SIGNATURE + 1 + key, items: 2 })
const BY_SIGNATURE: Satisfaction = { bytes: 1 + SIGNATURE, items: 1 }
/** An empty item, because OP_CHECKMULTISIG removes one too many, and the signatures. */
const byMultisig = (needed: number): Satisfaction => ({ bytes: 1 + needed * (1 + SIGNATURE), items: 1 + needed })

/** Bytes of a push of so much data in a script. */
const pushBytes = (length: number): number => length + (length < 0x4c ? 1 : length < 0x100 ? 2 : 3)

const inScript = (satisfaction: Satisfaction, script: number): InputSize =>
  inputSize(satisfaction.bytes + pushBytes(script), 0)

function inWitness(satisfaction: Satisfaction, script: number, isNested: boolean): InputSize {
  const witness = compactSizeBytes(satisfaction.items + 1) + satisfaction.bytes + compactSizeBytes(script) + script
  return inputSize(isNested ? 1 + 34 : 0, witness)
}

const KEY_WITNESS = 1 + byKey(KEY).bytes

/** Sizes that a type without further parameters determines, with the type of address they belong to. */
const TYPES: Readonly<Record<string, readonly [address: Address['type'], size: InputSize]>> = {
  p2pkh: ['p2pkh', inputSize(byKey(KEY).bytes, 0)],
  'p2pkh-uncompressed': ['p2pkh', inputSize(byKey(UNCOMPRESSED_KEY).bytes, 0)],
  'p2sh-p2wpkh': ['p2sh', inputSize(1 + 22, KEY_WITNESS)],
  p2wpkh: ['p2wpkh', inputSize(0, KEY_WITNESS)],
  p2tr: ['p2tr', inputSize(0, 1 + 1 + 64)],
}

const MULTISIG = /^(p2sh|p2sh-p2wsh|p2wsh)-(\d{1,2})of(\d{1,2})$/

/** Examples of types, for messages. */
export const INPUT_TYPES =
  'p2pkh, p2pkh-uncompressed, p2sh-p2wpkh, p2sh-2of3, p2sh-p2wsh-2of3, p2wsh-2of3, p2wpkh, p2tr'

/** The most keys of a multisig: 15 compressed ones fill a redeem script of 520 bytes. */
const MAX_KEYS = { p2sh: 15, 'p2sh-p2wsh': 20, p2wsh: 20 } as const

/** Undefined without a hint. Throws a HintError if the hint does not fit the address. */
export function readHint(address: Address, hint: InputHint): HintedInput | undefined {
  const given = Object.entries(hint).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  if (given.length === 0) return undefined
  if (given.length > 1 && given.some((name) => name === 'inputType' || name === 'descriptor'))
    throw new HintError(`${given.at(-1)}: cannot be combined with ${given[0]}. Send one of them.`)
  if (hint.inputType !== undefined) return withoutScripts(sizeOfType('inputType', address, hint.inputType))
  if (hint.descriptor !== undefined)
    return withoutScripts(sizeOfType('descriptor', address, typeOfDescriptor(hint.descriptor)))
  return sizeOfScripts(address, hint)
}

const withoutScripts = (size: InputSize): HintedInput => ({ size, redeemScript: undefined, witnessScript: undefined })

function sizeOfType(parameter: string, address: Address, type: string): InputSize {
  const known = TYPES[type]
  const [, kind, needed = 0, keys = 0] = (MULTISIG.exec(type) ?? []).map((part, i) =>
    i > 1 ? Number(part) : part,
  ) as [string?, (keyof typeof MAX_KEYS)?, number?, number?]
  const expected = known?.[0] ?? (kind === 'p2wsh' ? 'p2wsh' : kind === undefined ? undefined : 'p2sh')
  if (expected === undefined) throw new HintError(`${parameter}: unknown type. Use one like ${INPUT_TYPES}.`)
  if (expected !== address.type)
    throw new HintError(`${parameter}: ${type} does not fit fromAddress, which is ${address.type}.`)
  if (known !== undefined) return known[1]
  if (kind === undefined || needed < 1 || needed > keys || keys > MAX_KEYS[kind])
    throw new HintError(`${parameter}: ${type} is not a possible multisig.`)
  const script = multisigBytes(keys)
  return kind === 'p2sh'
    ? inScript(byMultisig(needed), script)
    : inWitness(byMultisig(needed), script, kind === 'p2sh-p2wsh')
}

/** Wrappers of a descriptor, to the prefix of the input type. */
const WRAPPERS: Readonly<Record<string, string>> = { 'sh(': 'p2sh', 'sh(wsh(': 'p2sh-p2wsh', 'wsh(': 'p2wsh' }

/** A key expression of an uncompressed key in hexadecimal. */
const UNCOMPRESSED = /^(\[[^\]]*\])?04[0-9a-f]{128}$/i

/** The input type of a descriptor: one key, or `multi` and `sortedmulti`. */
function typeOfDescriptor(text: string): string {
  const descriptor = text.replace(/#[a-z0-9]{8}$/, '').replaceAll(/\s/g, '')
  const single = { 'pkh(': 'p2pkh', 'wpkh(': 'p2wpkh', 'sh(wpkh(': 'p2sh-p2wpkh' }
  for (const [start, type] of Object.entries(single)) {
    if (!descriptor.startsWith(start)) continue
    const isUncompressed = type === 'p2pkh' && UNCOMPRESSED.test(descriptor.slice(start.length, -1))
    return isUncompressed ? 'p2pkh-uncompressed' : type
  }
  // A comma separates the key of a taproot descriptor from its scripts, which may be cheaper or more expensive to use.
  if (/^tr\([^,]*\)$/.test(descriptor)) return 'p2tr'
  const multi = /^((?:sh\()?(?:wsh\()?)(?:sorted)?multi\((\d{1,2}),([^()]+)\)+$/.exec(descriptor)
  const wrapper = WRAPPERS[multi?.[1] ?? '']
  if (multi === null || wrapper === undefined)
    throw new HintError(
      'descriptor: only pkh, wpkh, sh(wpkh), tr with a key, and multi or sortedmulti in sh, wsh or sh(wsh) are supported.',
    )
  const keys = (multi[3] ?? '').split(',')
  if (keys.some((key) => UNCOMPRESSED.test(key)))
    throw new HintError('descriptor: an uncompressed key in a multisig cannot be measured. Send redeemScript.')
  return `${wrapper}-${multi[2]}of${keys.length}`
}

/** Measures an input by the scripts behind the hashes of the address. */
function sizeOfScripts(address: Address, hint: InputHint): HintedInput {
  const witnessScript = bytesOf('witnessScript', hint.witnessScript)
  const redeemScript =
    bytesOf('redeemScript', hint.redeemScript) ??
    (address.type === 'p2sh' && witnessScript !== undefined
      ? Buffer.concat([Buffer.from([0, 32]), sha256(witnessScript)])
      : undefined)
  const { payload } = classifyScript(address.script, { mweb: false })
  if (address.type === 'p2wsh') {
    if (witnessScript === undefined || redeemScript !== undefined || payload?.equals(sha256(witnessScript)) !== true)
      throw new HintError('witnessScript: is not the script of fromAddress.')
    return {
      size: inWitness(satisfactionOf('witnessScript', witnessScript), witnessScript.length, false),
      redeemScript,
      witnessScript,
    }
  }
  if (address.type !== 'p2sh' || redeemScript === undefined || payload?.equals(hash160(redeemScript)) !== true)
    throw new HintError(
      `${hint.redeemScript === undefined ? 'witnessScript' : 'redeemScript'}: is not the script of fromAddress.`,
    )
  const nested = classifyScript(redeemScript, { mweb: false })
  if (nested.type === 'p2wpkh') {
    if (witnessScript !== undefined) throw new HintError('witnessScript: the redeem script is that of one key.')
    return { size: inputSize(1 + 22, KEY_WITNESS), redeemScript, witnessScript }
  }
  if (nested.type !== 'p2wsh') {
    if (witnessScript !== undefined) throw new HintError('witnessScript: the redeem script is not a witness program.')
    return {
      size: inScript(satisfactionOf('redeemScript', redeemScript), redeemScript.length),
      redeemScript,
      witnessScript,
    }
  }
  if (witnessScript === undefined || nested.payload?.equals(sha256(witnessScript)) !== true)
    throw new HintError('witnessScript: is required, because the redeem script contains its hash.')
  return {
    size: inWitness(satisfactionOf('witnessScript', witnessScript), witnessScript.length, true),
    redeemScript,
    witnessScript,
  }
}

function bytesOf(parameter: string, text: string | undefined): Buffer | undefined {
  if (text === undefined) return undefined
  if (!/^([0-9a-f]{2})+$/i.test(text)) throw new HintError(`${parameter}: must be a script in hexadecimal.`)
  return Buffer.from(text, 'hex')
}

/** What an input pushes before the script; a HintError for scripts whose conditions are not known. */
function satisfactionOf(parameter: string, script: Buffer): Satisfaction {
  const { type } = classifyScript(script, { mweb: false })
  if (type === 'p2pk') return BY_SIGNATURE
  if (type === 'p2pkh') return byKey(KEY)
  if (type === 'multisig') return byMultisig(neededOf(script))
  throw new HintError(
    `${parameter}: only scripts of one key and multisigs can be measured. Send inputType for the nearest of them.`,
  )
}

/** The threshold of a multisig: OP_1 to OP_16, or one pushed byte. */
const neededOf = (script: Buffer): number => (script[0] === 1 ? (script[1] ?? 0) : (script[0] ?? 0) - 0x50)
