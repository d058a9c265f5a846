import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { test } from 'node:test'
import { serve } from '../../../../testing/support/receivers.ts'
import { faultOf, findAbilities } from './endpoint-abilities.ts'

const faultAt = async (listener: RequestListener): Promise<string> => {
  const url = await serve(listener)
  return await findAbilities(url).then(
    () => 'none',
    (error: unknown) => faultOf(error, url),
  )
}

test('an endpoint that redirects is refused, as the service refuses it', async () => {
  const fault = await faultAt((_request, response) => response.writeHead(308, { location: '/elsewhere' }).end())
  assert.match(fault, /redirect/)
})

test('a response that is no object is reported as such', async () => {
  for (const body of ['null', '1', '"text"'])
    assert.equal(await faultAt((_request, response) => response.end(body)), 'its response is not an object')
})
