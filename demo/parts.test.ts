import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testLog } from '../testing/support/log.ts'
import { keepParts } from './parts.ts'

test('a part that comes when everything was stopped is stopped too', async () => {
  const parts = keepParts(testLog)
  const stopped: string[] = []
  parts.keep({ stop: () => void stopped.push('first') })
  await parts.stop()
  parts.keep({ stop: () => void stopped.push('late') })
  assert.deepEqual(stopped, ['first', 'late'])
})
