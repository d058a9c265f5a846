import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testLog } from '../testing/support/log.ts'
import { createComponents } from './components.ts'

test('a component that is added after the stop is stopped too', async () => {
  const components = createComponents(testLog)
  const stopped: string[] = []
  components.keep({ stop: () => void stopped.push('first') })
  await components.stop()
  components.keep({ stop: () => void stopped.push('late') })
  assert.deepEqual(stopped, ['first', 'late'])
})
