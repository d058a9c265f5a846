import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseArguments, seedRangeOf } from './arguments.ts'

const parsed = (...args: readonly string[]) => {
  const request = parseArguments(args)
  if ('error' in request) assert.fail(request.error)
  return request
}

for (const [args, message] of [
  [['watch', '--seeds', 'abc'], /--seeds: abc is not a whole number/],
  [['--seeds', '0'], /--seeds: 0 /],
  [['index', '--seeds', '1.5'], /--seeds: 1\.5 /],
  [['index', '--minutes', 'ten'], /--minutes: ten is not a number/],
  [['--minutes', ''], /--minutes: "" /],
  [['--minutes', '0'], /--minutes: 0 /],
  [['watch', '--from', '3x'], /--from: 3x /],
  [['watch', '--from', '99999999999999999999'], /--from: 9/],
  [['watch', '--seed', '1'], /--seed/],
  [['blocks'], /Unknown simulation "blocks"\. Use one of watch, index, alerts, parse, hostile/],
  [['watch', 'index'], /one simulation or none/],
] as const)
  test(`npm run sim -- ${args.join(' ')} is refused with a reason`, () => {
    const request = parseArguments(args)
    assert.match('error' in request ? request.error : '', message)
  })

test('without a name all simulations except hostile run, each with its own number of seeds', () => {
  const request = parsed()
  assert.deepEqual(request.names, ['watch', 'index', 'alerts', 'parse'])
  assert.deepEqual(seedRangeOf(request, 'watch', 0), { from: 1, below: 5_001, until: Number.MAX_SAFE_INTEGER })
  assert.ok(seedRangeOf(request, 'alerts', 0).below < 5_001)
})

test('seeds, minutes and the first seed limit the range', () => {
  const some = parsed('watch', '--seeds', '5', '--from', '10')
  assert.deepEqual(some.names, ['watch'])
  assert.deepEqual(seedRangeOf(some, 'watch', 0), { from: 10, below: 15, until: Number.MAX_SAFE_INTEGER })
  assert.deepEqual(seedRangeOf(parsed('--minutes', '0.5'), 'index', 1_000), {
    from: 1,
    below: Number.MAX_SAFE_INTEGER,
    until: 31_000,
  })
})
