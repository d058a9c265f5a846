import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readArguments, stretchOf } from './arguments.ts'

const asked = (...args: readonly string[]) => {
  const request = readArguments(args)
  if ('refusal' in request) assert.fail(request.refusal)
  return request
}

for (const [args, named] of [
  [['watch', '--seeds', 'abc'], /--seeds: abc is not a whole number/],
  [['--seeds', '0'], /--seeds: 0 /],
  [['index', '--seeds', '1.5'], /--seeds: 1\.5 /],
  [['index', '--minutes', 'ten'], /--minutes: ten is not a number/],
  [['--minutes', ''], /--minutes: "" /],
  [['--minutes', '0'], /--minutes: 0 /],
  [['watch', '--from', '3x'], /--from: 3x /],
  [['watch', '--from', '99999999999999999999'], /--from: 9/],
  [['watch', '--seed', '1'], /--seed/],
  [['blocks'], /no simulation called blocks; there are: watch, index, alerts/],
  [['watch', 'index'], /one simulation or none/],
] as const)
  test(`npm run sim -- ${args.join(' ')} is refused in words`, () => {
    const request = readArguments(args)
    assert.match('refusal' in request ? request.refusal : '', named)
  })

test('without a name all simulations run, each with its own number of seeds', () => {
  const request = asked()
  assert.deepEqual(request.names, ['watch', 'index', 'alerts'])
  assert.deepEqual(stretchOf(request, 'watch', 0), { from: 1, below: 5_001, until: Number.MAX_SAFE_INTEGER })
  assert.ok(stretchOf(request, 'alerts', 0).below < 5_001)
})

test('seeds, minutes and the first seed bound a stretch', () => {
  const some = asked('watch', '--seeds', '5', '--from', '10')
  assert.deepEqual(some.names, ['watch'])
  assert.deepEqual(stretchOf(some, 'watch', 0), { from: 10, below: 15, until: Number.MAX_SAFE_INTEGER })
  assert.deepEqual(stretchOf(asked('--minutes', '0.5'), 'index', 1_000), {
    from: 1,
    below: Number.MAX_SAFE_INTEGER,
    until: 31_000,
  })
})
