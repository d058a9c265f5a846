/** Callbacks never reach into this network, by whatever name, and never follow anyone anywhere. */
import assert from 'node:assert/strict'
import type { LookupAddress } from 'node:dns'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { checkTarget, isPublicAddress, OutboundError, type OutboundOptions, postOutbound } from './outbound.ts'

async function listen(handler: RequestListener): Promise<string> {
  const server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.closeAllConnections())
  after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const resolvingTo =
  (...found: LookupAddress[]): NonNullable<OutboundOptions['lookup']> =>
  (_, done) =>
    done(null, found)
const message = { body: '{"a":1}', headers: { 'content-type': 'application/json' } }

test('public and other addresses', () => {
  for (const address of ['1.1.1.1', '8.8.8.8', '172.15.0.1', '172.32.0.1', '100.63.0.1', '2606:4700::1111', '2a00::1'])
    assert.ok(isPublicAddress(address), address)
  const others = [
    [
      '0.0.0.0',
      '10.1.2.3',
      '100.64.0.1',
      '127.0.0.1',
      '127.255.0.1',
      '169.254.169.254',
      '172.16.0.1',
      '172.31.255.255',
    ],
    ['192.168.1.1', '192.0.2.1', '198.18.0.1', '224.0.0.1', '255.255.255.255', '::', '::1', '::ffff:8.8.8.8'],
    [
      '::ffff:127.0.0.1',
      'fe80::1',
      'fc00::1',
      'fd00:ec2::254',
      'ff02::1',
      '64:ff9b::7f00:1',
      '2001:db8::1',
      '2002:7f00:1::',
    ],
    ['not an address', ''],
  ].flat()
  for (const address of others) assert.ok(!isPublicAddress(address), address)
})

test('what an address alone gives away is refused before anything is looked up', () => {
  const refused = [
    'http://127.0.0.1/x',
    'http://[::1]/',
    'http://169.254.169.254/latest/meta-data',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://localhost:8080/',
    'http://a.localhost/',
    'https://user:pass@example.org/',
    'ftp://example.org/',
    'nonsense',
  ]
  for (const url of refused) assert.throws(() => checkTarget(url, { allowPrivate: false }), OutboundError, url)
  checkTarget('https://example.org/hook', { allowPrivate: false })
  checkTarget('http://127.0.0.1/x', { allowPrivate: true })
})

test('a name that resolves to this network is not connected to', async () => {
  let reached = 0
  const url = await listen((_request, response) => {
    reached++
    response.end()
  })
  const port = new URL(url).port
  const lookup = resolvingTo({ address: '127.0.0.1', family: 4 })
  await assert.rejects(
    postOutbound(`http://rebind.example:${port}/`, message, { allowPrivate: false, lookup }),
    (error) => error instanceof OutboundError && !error.retryable && /not a public address/.test(error.message),
  )
  assert.equal(reached, 0)
  assert.deepEqual(await postOutbound(`http://rebind.example:${port}/`, message, { allowPrivate: true, lookup }), {
    status: 200,
  })
})

test('of several addresses only the public ones are tried', async () => {
  const lookup = resolvingTo({ address: '10.0.0.1', family: 4 }, { address: '::1', family: 6 })
  await assert.rejects(postOutbound('http://mixed.example/', message, { allowPrivate: false, lookup }), OutboundError)
})

test('redirects are answers, not ways', async () => {
  let followed = 0
  const url = await listen((request, response) => {
    if (request.url === '/next') followed++
    response.writeHead(302, { location: '/next' })
    response.end()
  })
  assert.deepEqual(await postOutbound(url, message, { allowPrivate: true }), { status: 302 })
  assert.equal(followed, 0)
})

test('body and headers arrive; an endless answer does not keep us', async () => {
  let received = ''
  const url = await listen((request, response) => {
    request.setEncoding('utf8').on('data', (chunk: string) => {
      received += chunk
    })
    request.on('end', () => {
      response.writeHead(200)
      response.write(Buffer.alloc(1_000_000))
    })
  })
  assert.deepEqual(await postOutbound(url, message, { allowPrivate: true }), { status: 200 })
  assert.equal(received, message.body)
})

test('nobody there, and nobody who answers, can be tried again', async () => {
  const isRetryable = (error: unknown): boolean => error instanceof OutboundError && error.retryable
  await assert.rejects(postOutbound('http://127.0.0.1:1/', message, { allowPrivate: true }), isRetryable)
  const silent = await listen(() => undefined)
  await assert.rejects(postOutbound(silent, message, { allowPrivate: true, timeoutMs: 50 }), isRetryable)
  const lookup: OutboundOptions['lookup'] = (_, done) => done(new Error('ENOTFOUND'), [])
  await assert.rejects(postOutbound('http://gone.example/', message, { allowPrivate: false, lookup }), isRetryable)
})
