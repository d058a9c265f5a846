import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LoopFault, LoopMonitor, supervise } from './supervise.ts'

test('a loop is started again after every error, with pauses up to a minute, until it is stopped', async () => {
  const stopping = new AbortController()
  const { signal } = stopping
  const faults: (LoopFault | undefined)[] = []
  let now = 1_000
  const monitor = new LoopMonitor({ now: () => now }, (fault) => faults.push(fault))
  const pauses: number[] = []
  let attempts = 0
  await supervise(
    () => {
      attempts++
      if (attempts === 11) monitor.works()
      if (attempts === 12) stopping.abort()
      return attempts < 12 ? Promise.reject(new TypeError(`attempt ${attempts}`)) : Promise.resolve()
    },
    {
      monitor,
      signal,
      pause: (_error, ms) => {
        pauses.push(ms)
        now += ms
        return Promise.resolve()
      },
    },
  )
  assert.deepEqual(pauses, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000, 500])
  assert.deepEqual(faults[9], { code: 'internal_error', reason: 'attempt 10', since: 1_000 })
  assert.equal(faults[10], undefined, 'it worked once')
  assert.equal(faults[11]?.since, now - 500, 'the time of the first error since then')
  assert.equal(monitor.fault?.reason, 'attempt 11')
})

test('an error during the stop is no fault', async () => {
  const stopping = new AbortController()
  const monitor = new LoopMonitor({ now: Date.now })
  const attempt = (): Promise<void> => {
    stopping.abort()
    return Promise.reject(new Error('closed'))
  }
  await supervise(attempt, { monitor, signal: stopping.signal, pause: () => assert.fail('no pause') })
  assert.equal(monitor.fault, undefined)
})
