import assert from 'node:assert/strict'
import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fastify from 'fastify'
import { createTestDatabase } from '../../../testing/support/database.ts'
import { startService } from '../../../testing/support/service.ts'
import { temporaryFolder } from '../../../testing/support/temporary-folder.ts'
import { createWebPage } from './web.ts'

const { url } = await startService(await createTestDatabase())
const get = (path: string, accept = '*/*', headers = {}) => fetch(`${url}${path}`, { headers: { accept, ...headers } })

test('every route of the web app returns its page without caching', async () => {
  for (const path of ['/', '/badges', '/contracts/ethereum/0xabc', '/account/keys?from=mail', '/coins/btc/fees']) {
    const answer = await get(path)
    assert.equal(answer.status, 200, path)
    assert.match(answer.headers.get('content-type') ?? '', /text\/html/)
    assert.equal(answer.headers.get('cache-control'), 'no-cache')
    assert.match(await answer.text(), /<div id="root">/)
  }
})

test('an unknown path gets 404, as a page for browsers and as JSON for other clients', async () => {
  const page = await get('/nowhere', 'text/html,application/xhtml+xml')
  assert.equal(page.status, 404)
  assert.match(await page.text(), /<div id="root">/)
  const shapes = [
    ['/nowhere', { error: { code: 'not_found' } }],
    ['/assets/nothing.js', { error: { code: 'not_found' } }],
    ['/public/nothing', { error: { code: 'not_found' } }],
    ['/public/coins/nothing', { success: false, code: 'NOT_FOUND' }],
    ['/api/v1/nothing', { success: false, code: 'NOT_FOUND' }],
  ] as const
  for (const [path, body] of shapes) {
    const answer = await get(path, path === '/nowhere' ? '*/*' : 'text/html')
    assert.equal(answer.status, 404, path)
    assert.partialDeepStrictEqual(await answer.json(), body, path)
  }
})

test('built files are immutable and compressed', async () => {
  const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(await (await get('/')).text()) ?? []
  const answer = await get(script, '*/*', { 'accept-encoding': 'br' })
  assert.equal(answer.status, 200)
  assert.match(answer.headers.get('content-type') ?? '', /javascript/)
  assert.equal(answer.headers.get('content-encoding'), 'br')
  assert.match(answer.headers.get('cache-control') ?? '', /immutable/)
})

test('/public/about describes the installation', async () => {
  const about = await (await get('/public/about')).json()
  assert.partialDeepStrictEqual(about, { demo: false, contact: null, mail: false, telegram: false, missing: [] })
})

test('a rebuilt page is served at once, and marked in a demo', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'index.html')
  const page = createWebPage({ demo: true, folder })
  const app = fastify().get('/', (_request, reply) => page(reply))
  const shown = async () => (await app.inject('/')).body
  assert.match(await shown(), /has not been built/)
  writeFileSync(file, '<html lang="en">first')
  assert.equal(await shown(), '<html data-demo lang="en">first')
  writeFileSync(file, '<html lang="en">second')
  utimesSync(file, 1, 1)
  assert.equal(await shown(), '<html data-demo lang="en">second')
  rmSync(file)
  assert.equal(await shown(), '<html data-demo lang="en">second')
  await app.close()
})
