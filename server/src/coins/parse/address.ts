/**
 * Decodes addresses to output scripts and encodes output scripts as addresses.
 *
 * Implements Base58Check, Bech32 (BIP 173) and Bech32m (BIP 350) for the networks in `networks/`. It accepts an address
 * exactly when the network's node does, and returns it in the form that the node writes.
 */
import { base58, bech32, bech32m } from '@scure/base'
import { GatewatchError } from '../../lib/errors.ts'
import type { Network } from '../networks/network.ts'
import { classifyScript, type ScriptType, witnessType } from './script.ts'
import { sha256d } from './sha256.ts'

export type AddressFault =
  | 'malformed'
  | 'mixed_case'
  | 'checksum'
  | 'wrong_network'
  | 'witness_program'
  | 'confidential'

export class AddressError extends GatewatchError {
  override readonly code = 'invalid_address'
  override readonly retryable = false
  readonly fault: AddressFault

  constructor(fault: AddressFault, message: string) {
    super(message)
    this.fault = fault
  }
}

export type Address = {
  /** The canonical form, as the node writes it. */
  readonly text: string
  readonly type: ScriptType
  readonly script: Buffer
}

/** The limit of BIP 173. Confidential addresses hold two public keys and are longer. */
const MAX_BECH32 = 90
const MAX_TEXT = 150

export function decodeAddress(network: Network, text: string): Address {
  if (text.length === 0 || text.length > MAX_TEXT) throw new AddressError('malformed', 'This is not an address.')
  const lower = text.toLowerCase()
  const hrp = lower.slice(0, Math.max(0, lower.lastIndexOf('1')))
  const isConfidential = hrp === network.address.mweb
  const isSegwit = hrp === network.address.bech32
  if ((!isConfidential && !isSegwit) || isBase58(network, text)) return decodeBase58(network, text)
  return isConfidential ? refuseConfidential(text, lower) : decodeSegwit(network, text, lower, hrp)
}

/** A Base58 address can begin like a bech32 one (`LTC1…`). Its checksum and version distinguish it. */
function isBase58({ address }: Network, text: string): boolean {
  const bytes = base58Bytes(text)
  if (bytes?.length !== 25 || !isChecked(bytes)) return false
  return [address.p2pkh, address.p2sh, ...address.p2shLegacy].some((version) => version === bytes[0])
}

function refuseConfidential(text: string, lower: string): never {
  const words = decodeChecked(text, lower, false)
  if (words === undefined || words.encoding !== 'bech32') {
    throw new AddressError('checksum', 'The checksum of this address is wrong.')
  }
  throw new AddressError('confidential', 'MWEB addresses are confidential and have no public balance.')
}

type Words = { readonly words: number[]; readonly encoding: 'bech32' | 'bech32m' }

function decodeChecked(text: string, lower: string, limited: boolean): Words | undefined {
  if (text !== lower && text !== text.toUpperCase()) {
    throw new AddressError('mixed_case', 'A bech32 address must not mix lower and upper case.')
  }
  const limit = limited ? MAX_BECH32 : false
  const v0 = bech32.decodeUnsafe(lower, limit)
  if (v0 !== undefined) return { words: v0.words, encoding: 'bech32' }
  const v1 = bech32m.decodeUnsafe(lower, limit)
  return v1 === undefined ? undefined : { words: v1.words, encoding: 'bech32m' }
}

function decodeSegwit(network: Network, text: string, lower: string, hrp: string): Address {
  const decoded = decodeChecked(text, lower, true)
  if (decoded === undefined) throw new AddressError('checksum', 'The checksum of this address is wrong.')
  const [version, ...words] = decoded.words
  const bytes = bech32.fromWordsUnsafe(words)
  if (version === undefined || version > 16 || bytes === undefined) {
    throw new AddressError('witness_program', 'This address does not contain a witness program.')
  }
  const program = Buffer.from(bytes)
  if (decoded.encoding !== (version === 0 ? 'bech32' : 'bech32m')) {
    const expected = version === 0 ? 'Bech32' : 'Bech32m'
    throw new AddressError('checksum', `An address of witness version ${version} must have a ${expected} checksum.`)
  }
  const lengthIsRight =
    version === 0 ? program.length === 20 || program.length === 32 : program.length >= 2 && program.length <= 40
  if (!lengthIsRight) {
    throw new AddressError(
      'witness_program',
      `A program of witness version ${version} cannot have ${program.length} bytes.`,
    )
  }
  const type = witnessType(version, program, { mweb: network.mweb !== undefined })
  if (type === 'mweb_hogaddr' || type === 'mweb_pegin') {
    throw new AddressError('confidential', 'This witness program belongs to the extension block. It is not an address.')
  }
  return { text: encodeSegwit(hrp, version, program), type, script: witnessScript(version, program) }
}

function witnessScript(version: number, program: Buffer): Buffer {
  return Buffer.concat([Buffer.from([version === 0 ? 0 : 0x50 + version, program.length]), program])
}

function encodeSegwit(hrp: string, version: number, program: Buffer): string {
  const codec = version === 0 ? bech32 : bech32m
  return codec.encode(hrp, [version, ...codec.toWords(program)])
}

function decodeBase58(network: Network, text: string): Address {
  const bytes = base58Bytes(text)
  if (bytes === undefined || bytes.length < 5) throw new AddressError('malformed', 'This is not an address.')
  if (!isChecked(bytes)) throw new AddressError('checksum', 'The checksum of this address is wrong.')
  const body = bytes.subarray(0, -4)
  const [version] = body
  const hash = body.subarray(1)
  const { p2pkh, p2sh, p2shLegacy } = network.address
  if (hash.length !== 20 || version === undefined) throw new AddressError('malformed', 'This is not an address.')
  if (version === p2pkh) {
    const script = Buffer.concat([Buffer.from([0x76, 0xa9, 20]), hash, Buffer.from([0x88, 0xac])])
    return { text: encodeBase58(p2pkh, hash), type: 'p2pkh', script }
  }
  if (version === p2sh || p2shLegacy.includes(version)) {
    const script = Buffer.concat([Buffer.from([0xa9, 20]), hash, Buffer.from([0x87])])
    return { text: encodeBase58(p2sh, hash), type: 'p2sh', script }
  }
  throw new AddressError('wrong_network', `This address does not belong to ${network.chainName}.`)
}

const isChecked = (bytes: Buffer): boolean => sha256d(bytes.subarray(0, -4)).subarray(0, 4).equals(bytes.subarray(-4))

function base58Bytes(text: string): Buffer | undefined {
  // 25 bytes need at most 35 characters. Decoding takes quadratic time, so longer text is refused first.
  if (text.length > 35) return undefined
  try {
    return Buffer.from(base58.decode(text))
  } catch {
    return undefined
  }
}

function encodeBase58(version: number, hash: Buffer): string {
  const body = Buffer.concat([Buffer.from([version]), hash])
  return base58.encode(Buffer.concat([body, sha256d(body).subarray(0, 4)]))
}

/** Returns the type of an output script, and its address if it has one, as the node reports them. */
export function describeScript(
  network: Network,
  script: Buffer,
): { readonly type: ScriptType; readonly address: string | null } {
  const { type, payload, version } = classifyScript(script, { mweb: network.mweb !== undefined })
  return { type, address: payload === undefined ? null : addressOf(network, type, version, payload) }
}

function addressOf(network: Network, type: ScriptType, version: number, payload: Buffer): string | null {
  if (type === 'p2pkh') return encodeBase58(network.address.p2pkh, payload)
  if (type === 'p2sh') return encodeBase58(network.address.p2sh, payload)
  if (type === 'mweb_hogaddr' || type === 'mweb_pegin' || type === 'nonstandard') return null
  return encodeSegwit(network.address.bech32, version, payload)
}
