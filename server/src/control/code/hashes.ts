/** Hashes of numbers and names. */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { hexToBytes } from '@noble/hashes/utils.js'
import { bigEndian } from './instructions.ts'

export const hashOf = (bytes: Uint8Array): bigint => bigEndian(keccak_256(bytes))

/** A number as the 32 bytes of a word. */
export const bytesOf = (value: bigint): Uint8Array => hexToBytes(value.toString(16).padStart(64, '0'))

/** The slot of the hash of a name. */
export const namedSlot = (name: string): bigint => hashOf(new TextEncoder().encode(name))

/** Where a namespace of ERC-7201 begins. */
export const namespaceSlot = (name: string): bigint => hashOf(bytesOf(namedSlot(name) - 1n)) & ~0xffn
