import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { FUNCTIONS, ROLES } from './known-hashes.ts'

const hashOf = (text: string): string => `0x${Buffer.from(keccak_256(Buffer.from(text))).toString('hex')}`

test('every function has the selector of its signature', () => {
  for (const [selector, signature] of Object.entries(FUNCTIONS))
    assert.equal(hashOf(signature).slice(0, 10), selector, signature)
})

test('every role except the default has the hash of its name', () => {
  for (const [hash, name] of Object.entries(ROLES).slice(1))
    assert.equal(hashOf(name.toUpperCase().replaceAll(' ', '_')), hash, name)
})
