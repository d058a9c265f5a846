/** Extended public keys (BIP 32): decodes them and derives their children. */
import { createHmac } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { base58 } from '@scure/base'
import type { ExtendedKeyUse, Network } from '../networks/network.ts'
import { sha256d } from '../parse/sha256.ts'
import { DescriptorError, PrivateKeyError } from './descriptor-error.ts'

const { Point } = secp256k1

export type ExtendedKey = {
  readonly use: ExtendedKeyUse
  readonly chainCode: Buffer
  readonly point: InstanceType<typeof Point>
}

/** Bytes of an extended key, and of a private key with and without the mark of a compressed public key. */
const EXTENDED_SIZE = 78
const PRIVATE_SIZES: readonly number[] = [33, 34]
/** Versions of private keys: Bitcoin, test networks, Litecoin. */
const PRIVATE_VERSIONS: readonly (number | undefined)[] = [0x80, 0xef, 0xb0]
/** 111 characters hold 78 bytes and a checksum. Decoding takes quadratic time, so longer text is not decoded. */
const MAX_TEXT = 112
const HARDENED = 0x8000_0000

function decodeChecked(text: string): Buffer | undefined {
  if (text.length > MAX_TEXT) return undefined
  try {
    const bytes = Buffer.from(base58.decode(text))
    const body = bytes.subarray(0, -4)
    return sha256d(body).subarray(0, 4).equals(bytes.subarray(-4)) ? body : undefined
  } catch {
    return undefined
  }
}

/** An extended private key by its first characters (SLIP 132), also if it is incomplete or misspelt. */
const EXTENDED_PRIVATE = /(?<![1-9A-HJ-NP-Za-km-z])([xyzYZtuvUV]prv|[LM]tpv|ttpv)[1-9A-HJ-NP-Za-km-z]{8}/
/** A private key has 51 or 52 characters, an extended key 111 or 112. */
const BASE58_WORD = /[1-9A-HJ-NP-Za-km-z]{50,}/g
const KEY_LENGTHS: readonly number[] = [51, 52, 111, 112]

export const containsPrivateKey = (text: string): boolean =>
  EXTENDED_PRIVATE.test(text) || text.matchAll(BASE58_WORD).some(([word]) => isPrivateKey(word))

function isPrivateKey(word: string): boolean {
  if (!KEY_LENGTHS.includes(word.length)) return false
  const bytes = decodeChecked(word)
  if (bytes === undefined) return false
  // The key of an extended key begins with 0 only if it is private, whatever the version says.
  if (bytes.length === EXTENDED_SIZE) return bytes[45] === 0
  return PRIVATE_SIZES.includes(bytes.length) && PRIVATE_VERSIONS.includes(bytes[0])
}

/** Throws if a text contains a private key. Its message does not contain any part of the text. */
export function refusePrivateKeys(text: string): void {
  if (containsPrivateKey(text)) throw new PrivateKeyError()
}

/** Decodes an extended public key of the network; undefined if the text is none. */
export function findExtendedKey(network: Network, text: string): ExtendedKey | undefined {
  const bytes = decodeChecked(text)
  if (bytes?.length !== EXTENDED_SIZE) return undefined
  const use = network.extendedKeys.get(bytes.readUInt32BE(0))
  if (use === undefined)
    throw new DescriptorError(`An extended key does not belong to ${network.chainName} ${network.name}.`)
  // A master key has no parent and is no child.
  if (bytes[4] === 0 && bytes.subarray(5, 13).some((byte) => byte !== 0))
    throw new DescriptorError('An extended key is invalid: it has no depth, but a parent or an index.')
  return { use, chainCode: bytes.subarray(13, 45), point: pointOf(bytes.subarray(45)) }
}

/** Reads a public key. Throws if it is not on the curve. */
export function pointOf(bytes: Buffer): InstanceType<typeof Point> {
  try {
    return Point.fromBytes(bytes)
  } catch {
    throw new DescriptorError('A public key is not a point of the curve.')
  }
}

/** Derives a child by a step that is not hardened. */
export function childOf({ use, chainCode, point }: ExtendedKey, index: number): ExtendedKey {
  if (index >= HARDENED) throw new RangeError('a hardened child needs the private key')
  const data = Buffer.alloc(37)
  data.set(point.toBytes(true))
  data.writeUInt32BE(index, 33)
  const digest = createHmac('sha512', chainCode).update(data).digest()
  const tweak = BigInt(`0x${digest.toString('hex', 0, 32)}`)
  // Happens for one child in 2^127.
  if (tweak === 0n || tweak >= Point.Fn.ORDER) throw new DescriptorError(`The key has no child ${index}.`)
  return { use, chainCode: digest.subarray(32), point: Point.BASE.multiplyUnsafe(tweak).add(point) }
}

export const compressed = (point: InstanceType<typeof Point>): Buffer => Buffer.from(point.toBytes(true))

/** Adds the multiple `tweak` of the generator to the point with this x coordinate and an even y coordinate (BIP 341). */
export function tweakedKey(xOnly: Buffer, tweak: Buffer): Buffer {
  const even = pointOf(Buffer.concat([Buffer.from([2]), xOnly]))
  const scalar = BigInt(`0x${tweak.toString('hex')}`)
  if (scalar >= Point.Fn.ORDER) throw new DescriptorError('The scripts of a taproot descriptor have no key.')
  return compressed(scalar === 0n ? even : Point.BASE.multiplyUnsafe(scalar).add(even)).subarray(1)
}
