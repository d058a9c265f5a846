import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cannotRun } from './leash.ts'

test('a program that is there may still not run, and why is said', () => {
  assert.equal(cannotRun('true', { command: 'sh', args: ['-c', 'exit 0'] }), false)
  const broken = { command: 'sh', args: ['-c', 'echo "libfoo.so.1: cannot open" >&2; echo more >&2; exit 127'] }
  assert.equal(cannotRun('anvil', broken), 'anvil is installed but does not run here (libfoo.so.1: cannot open)')
  assert.match(cannotRun('anvil', { command: '/nowhere/anvil', args: [] }) || '', /ENOENT/)
  assert.match(cannotRun('anvil', { command: 'sh', args: ['-c', 'exit 3'] }) || '', /status 3/)
})
