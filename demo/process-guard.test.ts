import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runFailure } from './process-guard.ts'

test('the reason is returned for an installed program that does not run', () => {
  assert.equal(runFailure('true', { command: 'sh', args: ['-c', 'exit 0'] }), false)
  const broken = { command: 'sh', args: ['-c', 'echo "libfoo.so.1: cannot open" >&2; echo more >&2; exit 127'] }
  assert.equal(
    runFailure('anvil', broken),
    'anvil is installed but does not run on this machine (libfoo.so.1: cannot open)',
  )
  assert.match(runFailure('anvil', { command: '/nowhere/anvil', args: [] }) || '', /ENOENT/)
  assert.match(runFailure('anvil', { command: 'sh', args: ['-c', 'exit 3'] }) || '', /status 3/)
})
