import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, test } from 'node:test'
import { freePort } from './port.ts'

test('no port is returned twice, in use, or in the ephemeral range', async () => {
  const first = await freePort()
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(first + 1, '127.0.0.1', resolve))
  after(() => taken.close())
  const ports = [first]
  for (let n = 0; n < 50; n++) ports.push(await freePort())
  assert.equal(new Set(ports).size, 51)
  assert.ok(!ports.includes(first + 1))
  assert.ok(ports.every((port) => port >= 12_000 && port < 32_768))
})
