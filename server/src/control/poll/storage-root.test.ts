import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Hex, keccak256, numberToHex } from 'viem'
import { isWholeStorage, storageRoot } from './storage-root.ts'

const slot = (number: number): Hex => numberToHex(number, { size: 32 })
/** Short words and hashes in turn. */
const filled = (count: number): ReadonlyMap<Hex, Hex> =>
  new Map(Array.from({ length: count }, (_, n) => [slot(n), n % 3 === 0 ? keccak256(slot(n)) : slot(n + 1)]))

test('the root is that of a node', () => {
  assert.equal(storageRoot(new Map()), '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421')
  assert.equal(storageRoot(filled(1)), '0x51131de5d31f471bf68f24a0b38b6250dbe7a16470f6e090de0a9ea7b7b4011d')
  assert.equal(storageRoot(filled(17)), '0x45c4525e5ca1366315e8c8e5a5f9470b4ffdb733c1c3e130103e435c1ea3c46a')
  assert.equal(storageRoot(filled(400)), '0xf0ca62fd52125d6880b332755439cf6944cb5f0c65c33817abbd4e4fb6d52370')
})

test('storage is whole if every slot that is not zero is known', () => {
  const words = filled(17)
  const root = storageRoot(words)
  const proofOf = (positions: readonly Hex[]) => ({
    root,
    slots: positions.map((position) => ({ word: words.get(position) ?? slot(0), proof: [] })),
  })
  const all = [...words.keys()]
  assert.equal(isWholeStorage(all, [proofOf(all)]), true)
  assert.equal(
    isWholeStorage([...all, slot(99)], [proofOf(all.slice(0, 9)), proofOf([...all.slice(9), slot(99)])]),
    true,
  )
  assert.equal(isWholeStorage(all.slice(1), [proofOf(all.slice(1))]), false)
  assert.equal(isWholeStorage([], [proofOf([])]), false)
})
