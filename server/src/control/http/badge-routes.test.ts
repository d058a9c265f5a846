/** Badges over real HTTP: every response is an image. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { validatorCompiler } from 'fastify-type-provider-zod'
import type { BadgeProfiles } from '../views/profile-view.ts'
import { badgeRoutes } from './badge-routes.ts'

const ADDRESS = '0x00000000000000000000000000000000c0ffee11'
const profiles: BadgeProfiles = {
  findProfile: async (chainId, address) =>
    chainId === 1 && address === ADDRESS
      ? { label: 'timelocked', tone: 'green', stale: false, name: 'Vault <1>' }
      : undefined,
  findProtocol: async (slug) =>
    slug.toLowerCase() === 'garden'
      ? {
          name: 'Garden',
          contracts: [
            { label: 'immutable', tone: 'green' },
            { label: 'single_key', tone: 'red' },
          ],
        }
      : undefined,
}

const app = Fastify()
app.setValidatorCompiler(validatorCompiler)
app.setSerializerCompiler(() => String)
await app.register(badgeRoutes({ profiles, limit: async () => {} }))
const get = async (url: string, headers: Record<string, string> = {}) => {
  const answer = await app.inject({ url, headers })
  return { status: answer.statusCode, headers: answer.headers, svg: answer.body }
}

test('the badge of a contract shows its label and its escaped name, cached for five minutes', async () => {
  const { status, headers, svg } = await get(`/badge/ethereum/${ADDRESS}.svg`)
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'image/svg+xml; charset=utf-8')
  assert.equal(headers['cache-control'], 'public, max-age=300')
  assert.match(svg, /Multisig \+ 24h\+ timelock/)
  assert.match(svg, /Vault &lt;1&gt; · Ethereum/)
  assert.equal((await get(`/badge/1/${ADDRESS.toUpperCase().replace('0X', '0x')}.svg`)).svg, svg, 'by id, in any case')
  const again = await get(`/badge/ethereum/${ADDRESS}.svg`, { 'if-none-match': `W/${String(headers.etag)}` })
  assert.equal(again.status, 304)
  assert.equal(again.svg, '')
})

test('the dark theme is another image, and an unknown theme is light', async () => {
  const path = `/badge/ethereum/${ADDRESS}.svg`
  const light = await get(path)
  assert.notEqual((await get(`${path}?theme=dark`)).svg, light.svg)
  for (const query of ['theme=light', 'theme=neon', 'theme=', 'theme=dark&theme=dark', 'v=7'])
    assert.equal((await get(`${path}?${query}`)).svg, light.svg, query)
})

test('an unknown contract has a gray badge with status 200', async () => {
  const { status, svg } = await get(`/badge/base/${ADDRESS}.svg`)
  assert.equal(status, 200)
  assert.match(svg, /Not profiled yet/)
})

test('a malformed chain or address returns 400 with an image', async () => {
  for (const path of [`/badge/moon/${ADDRESS}.svg`, '/badge/ethereum/0x12.svg', '/badge/1/%3Cscript%3E.svg']) {
    const { status, headers, svg } = await get(path)
    assert.equal(status, 400, path)
    assert.match(String(headers['content-type']), /^image\/svg\+xml/)
    assert.match(svg, /Unknown chain|Invalid address/)
    assert.doesNotMatch(svg, /<script/)
  }
})

test('the badge of a protocol shows its weakest label; an unknown one is gray', async () => {
  assert.match((await get('/badge/protocol/Garden.svg')).svg, /Upgradeable by a single key.*Garden · 1 of 2 contracts/)
  const unknown = await get('/badge/protocol/nobody.svg')
  assert.equal(unknown.status, 200)
  assert.match(unknown.svg, /Not profiled yet/)
})

test('without a database a badge is a gray image that is not cached', async () => {
  const away = Fastify()
  away.setValidatorCompiler(validatorCompiler)
  away.setSerializerCompiler(() => String)
  const fail = () => Promise.reject(new Error('connect ECONNREFUSED'))
  await away.register(badgeRoutes({ profiles: { findProfile: fail, findProtocol: fail }, limit: async () => {} }))
  for (const path of [`/badge/ethereum/${ADDRESS}.svg`, '/badge/protocol/garden.svg?theme=dark']) {
    const { statusCode, headers, body } = await away.inject({ url: path })
    assert.equal(statusCode, 503)
    assert.equal(headers['content-type'], 'image/svg+xml; charset=utf-8')
    assert.deepEqual([headers['cache-control'], headers['retry-after']], ['no-store', '30'])
    assert.match(body, /^<svg .*Not available now/)
  }
})

test('HEAD returns the headers of GET without the image', async () => {
  for (const url of [`/badge/ethereum/${ADDRESS}.svg`, '/badge/protocol/garden.svg']) {
    const [head, shown] = [await app.inject({ method: 'HEAD', url }), await get(url)]
    assert.equal(head.statusCode, 200)
    assert.equal(head.headers.etag, shown.headers.etag)
    assert.equal(head.headers['content-type'], 'image/svg+xml; charset=utf-8')
    assert.equal(head.body, '')
  }
})
