import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../../testing/support/temporary-folder.ts'
import { addDataKey, createVault, derivedKey, readDataKeys, SealError } from './vault.ts'

const key = (id: string) => ({ id, key: randomBytes(32) })

test('a sealed text opens with its key and its row only', () => {
  const [first, second] = [key('first'), key('second')]
  const vault = createVault([first])
  const sealed = vault.seal('whsec_1', 'row 1')
  assert.doesNotMatch(sealed, /whsec/)
  assert.notEqual(vault.seal('whsec_1', 'row 1'), sealed, 'two seals of one text differ')
  assert.equal(vault.open(sealed, 'row 1'), 'whsec_1')
  assert.throws(() => vault.open(sealed, 'row 2'), SealError)
  assert.throws(() => createVault([second]).open(sealed, 'row 1'), /the key "first", which is not configured/)
  assert.throws(() => createVault([{ ...second, id: 'first' }]).open(sealed, 'row 1'), SealError)
  const flipped = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA')
  assert.throws(() => vault.open(flipped, 'row 1'), SealError)
})

test('the first key seals, the others open, and a text from before there were keys is read', () => {
  const [old, current] = [key('old'), key('new')]
  const sealed = createVault([old]).seal('a', 'row')
  const vault = createVault([current, old])
  assert.equal(vault.open(sealed, 'row'), 'a')
  assert.deepEqual(
    [vault.isSealedWithCurrentKey(sealed), vault.isSealedWithCurrentKey(vault.seal('a', 'row'))],
    [false, true],
  )
  assert.equal(vault.open('https://hooks.example.org/', 'row'), 'https://hooks.example.org/')
})

test('a key that another process added to the file is found', () => {
  const file = join(temporaryFolder(), 'data-keys')
  const vault = createVault(readDataKeys(file), () => readDataKeys(file))
  addDataKey(file)
  const later = createVault(readDataKeys(file))
  assert.equal(readDataKeys(file).length, 2)
  assert.equal(statSync(file).mode & 0o077, 0)
  assert.equal(vault.open(later.seal('a', 'row'), 'row'), 'a')
  assert.equal(later.open(vault.seal('b', 'row'), 'row'), 'b')
  assert.equal(readFileSync(file, 'utf8').split('\n').length, 2)
})

test('the derived key changes with AUTH_SECRET', () => {
  assert.notEqual(derivedKey('a').id, derivedKey('b').id)
  assert.deepEqual(derivedKey('a'), derivedKey('a'))
})
