import assert from 'node:assert/strict'
import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fastify from 'fastify'
import { PNG } from 'pngjs'
import { hexOf, storeProfile } from '../../../testing/support/control-records.ts'
import { createTestDatabase } from '../../../testing/support/database.ts'
import { startService } from '../../../testing/support/service.ts'
import { temporaryFolder } from '../../../testing/support/temporary-folder.ts'
import { saveContract } from '../control/registry/contracts.ts'
import { createWebPage } from './web.ts'

const store = await createTestDatabase()
const { database } = store
const { url } = await startService(store)
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

test('every route that the web app declares is served', async () => {
  const app = readFileSync(join(import.meta.dirname, '../../../web/src/app.tsx'), 'utf8')
  const routes = [...app.matchAll(/^\s*(?:\[)?'(\/[^']*)',/gm)].map(([, route = '']) => route.replaceAll(/:\w+/g, 'x'))
  assert.ok(routes.length > 30, 'the routes were found')
  for (const route of routes) assert.equal((await get(route, 'text/html')).status, 200, route)
})

test('a page of a contract or a protocol names it and its label for link previews', async () => {
  const ref = { chainId: 1, address: hexOf(0x77, 20) }
  await saveContract(database, ref, { name: 'Vault "$&" <script>', protocol: 'Meadow' })
  await storeProfile(database, ref, { label: 'multisig' })
  const html = await (await get(`/contracts/ethereum/${ref.address}?at=3`)).text()
  const name = 'Vault &quot;$&amp;&quot; &lt;script&gt;'
  assert.match(html, new RegExp(`<title>${name.replace('$', '\\$')}: Multisig, no delay · Gatewatch</title>`))
  assert.ok(html.includes(`<meta property="og:title" content="${name}: Multisig, no delay" />`))
  assert.ok(html.includes(`content="${url}/contracts/ethereum/${ref.address}?at=3"`))
  assert.ok(!html.includes('<script>'))
  const protocol = await (await get('/protocols/meadow')).text()
  assert.ok(protocol.includes('<title>Meadow: Multisig, no delay · Gatewatch</title>'))
  for (const path of [
    '/contracts/ethereum/nonsense',
    '/contracts/mars/0x',
    '/protocols/%00',
    '/protocols/%ff',
    '/feed',
  ])
    assert.match(await (await get(path)).text(), /<title>Gatewatch<\/title>|error/, path)
})

test('the image of a link is a PNG of the size that messengers expect, and the same one has the same tag', async () => {
  const html = await (await get(`/contracts/ethereum/${hexOf(0x77, 20)}`)).text()
  const [, image = ''] = /og:image" content="([^"]+)"/.exec(html) ?? []
  assert.equal(image, `${url}/cards/contracts/ethereum/${hexOf(0x77, 20)}.png`)
  const answer = await get(image.slice(url.length))
  assert.equal(answer.headers.get('content-type'), 'image/png')
  const { width, height } = PNG.sync.read(Buffer.from(await answer.arrayBuffer()))
  assert.deepEqual([width, height], [1200, 630])
  const tag = answer.headers.get('etag') ?? ''
  assert.equal((await get(image.slice(url.length), '*/*', { 'if-none-match': tag })).status, 304)
  assert.equal((await get('/cards/protocols/meadow.png')).status, 200)
  for (const path of [
    '/cards/contracts/ethereum/nonsense.png',
    '/cards/contracts/mars/0x.png',
    '/cards/protocols/%ff.png',
    '/cards/protocols/nothing.png',
  ]) {
    const { status } = await get(path)
    assert.ok(status === 404 || status === 400, `${path}: ${status}`)
  }
})

test('robots.txt and sitemap.xml name the public pages', async () => {
  const robots = await (await get('/robots.txt')).text()
  assert.match(robots, /^User-agent: \*\nDisallow: \/account\n/)
  assert.ok(robots.includes(`Sitemap: ${url}/sitemap.xml`))
  const sitemap = await get('/sitemap.xml')
  assert.match(sitemap.headers.get('content-type') ?? '', /application\/xml/)
  const locations = [...(await sitemap.text()).matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, location]) => location)
  assert.ok(locations.includes(`${url}/protocols/meadow`))
  assert.ok(locations.includes(`${url}/contracts/ethereum/${hexOf(0x77, 20)}`))
  for (const location of locations.slice(0, 12)) {
    const { status } = await get((location ?? '').replace(url, ''), 'text/html')
    assert.equal(status, 200, location)
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
