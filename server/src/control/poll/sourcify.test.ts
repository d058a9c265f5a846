import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serve } from '../../../../testing/support/receivers.ts'
import { checkSourcify, parseLayout, parseResponse } from './sourcify.ts'

const ref = { chainId: 10, address: `0x${'ab'.repeat(20)}` } as const
const responseBody = (more: object): string =>
  JSON.stringify({
    match: 'match',
    creationMatch: null,
    runtimeMatch: 'match',
    chainId: '10',
    address: ref.address.toUpperCase().replace('0X', '0x'),
    verifiedAt: '2026-01-02T03:04:05Z',
    ...more,
  })

const CASES: readonly (readonly [string, number, string, boolean | undefined])[] = [
  ['a match', 200, responseBody({}), true],
  ['an exact match', 200, responseBody({ match: 'exact_match' }), true],
  ['none', 404, responseBody({ match: null }), false],
  ['none, with status 200', 200, responseBody({ match: null }), false],
  ['a match that is not found', 404, responseBody({}), undefined],
  ['an unknown kind of match', 200, responseBody({ match: 'partial' }), undefined],
  ['without a match', 200, responseBody({ match: undefined }), undefined],
  ['of another chain', 200, responseBody({ chainId: '1' }), undefined],
  ['an error with a body', 404, '{"customCode":"unsupported_chain","message":"","errorId":""}', undefined],
  ['a route that is not there', 404, '<html>not found</html>', undefined],
  ['the other interface of old', 200, '[{"address":"0x","status":"false"}]', undefined],
  ['a list of it', 200, `[${responseBody({})}]`, undefined],
  ['half of it', 200, responseBody({}).slice(0, 40), undefined],
  ['nothing', 200, '', undefined],
  ['null', 200, 'null', undefined],
  ['a refusal with the right body', 429, responseBody({}), undefined],
  ['a fault with the right body', 500, responseBody({ match: null }), undefined],
]

for (const [name, status, text, expected] of CASES)
  test(`a response: ${name}`, () => assert.equal(parseResponse(status, text, ref), expected))

test('a response for another contract changes nothing', () => {
  const other = responseBody({ address: `0x${'cd'.repeat(20)}` })
  assert.equal(parseResponse(200, other, ref), undefined)
})

test('a layout must be of the requested contract, and have the form that solc writes', () => {
  const storage = [{ astId: 7, contract: 'A.sol:A', label: 'owner', offset: 0, slot: '0', type: 't_address' }]
  const types = { t_address: { encoding: 'inplace', label: 'address', numberOfBytes: '20' } }
  const parse = (storageLayout: unknown, more: object = {}) =>
    parseLayout(200, responseBody({ storageLayout, ...more }), ref)
  const owner = { label: 'owner', offset: 0, slot: '0', type: 't_address' }
  assert.deepEqual(parse({ storage, types }), { layout: { storage: [owner], types } })
  assert.deepEqual(parse({ storage: [], types: null }), { layout: { storage: [], types: {} } })
  assert.deepEqual(parse(null), { layout: undefined })
  assert.deepEqual(parseLayout(404, responseBody({ match: null }), ref), { layout: undefined })
  assert.equal(parse({ storage, types }, { address: `0x${'cd'.repeat(20)}` }), undefined)
  assert.equal(parse({ storage: [{ ...owner, slot: '0x0' }], types }), undefined)
  assert.equal(parse({ storage: [{ ...owner, offset: 32 }], types }), undefined)
  assert.equal(parse([]), undefined)
})

test('the doctor reports whether Sourcify responds, with the host of its URL only', async () => {
  const url = await serve((request, response) => {
    const [, interfaceName, , chainId, address] = (request.url ?? '').split('/')
    const isOurs = interfaceName === 'v2' && chainId === '1'
    response.writeHead(404).end(isOurs ? JSON.stringify({ match: null, chainId, address }) : '<html>')
  })
  const about = `sourcify ${new URL(url).host}`
  assert.deepEqual(await checkSourcify(url), { about, status: 'ok', seen: 'It responds.' })
  assert.deepEqual(await checkSourcify(`${url.replace('//', '//me:hunter2@')}/v2/`), {
    about,
    status: 'failed',
    seen: 'Sourcify returned 404.',
    advice: 'Check SOURCIFY_URL, without /v2 at its end.',
  })
})
