import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceOf } from './devices.ts'

test('a user agent is named by browser and system', () => {
  const chrome =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36'
  assert.equal(deviceOf(chrome), 'Chrome on Windows')
  assert.equal(deviceOf(`${chrome} Edg/140.0`), 'Edge on Windows')
  assert.equal(deviceOf('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'), 'Firefox on Linux')
  assert.equal(
    deviceOf('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1'),
    'Safari on iOS',
  )
  assert.equal(deviceOf('node'), 'Unknown browser')
})
