import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCommonPassword } from './common-passwords.ts'

test('passwords that lead breached lists are refused in their usual spellings', () => {
  for (const password of [
    'password',
    'Password1',
    'P@ssw0rd!',
    'passw0rd2026',
    '12345678',
    '1234567890',
    '87654321',
    'qwertyuiop',
    'qwerty123',
    '1q2w3e4r',
    '1qaz2wsx',
    'iloveyou',
    'Iloveyou2!',
    'sunshine1',
    'letmein!!',
    'monkeymonkey',
    'abcabcabc',
    'aaaaaaaaaaaa',
    'Summer2026!',
    'gatewatch1',
    '!!!admin!!!',
    '11111111',
    '!@#$%^&*('.slice(0, 4).repeat(3),
  ])
    assert.equal(isCommonPassword(password), true, password)
})

test('the address of the account is not a password', () => {
  assert.equal(isCommonPassword('grace.hopper', ['grace.hopper@example.org']), true)
  assert.equal(isCommonPassword('grace.hopper@example.org', ['grace.hopper@example.org']), true)
  assert.equal(isCommonPassword('grace.hopper', ['ada@example.org']), false)
})

test('other passwords are accepted', () => {
  for (const password of [
    'a long password',
    'another long password',
    'correct horse battery staple',
    'long enough to be one',
    'Xk29vLq8',
    'Zt7-plover-gneiss',
    '日本語のパスワードです',
  ])
    assert.equal(isCommonPassword(password), false, password)
})
