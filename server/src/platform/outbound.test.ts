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

/** One line for each way to write an address of this network, or to lead there. */
const HOSTILE = [
  // Loopback, however it is written.
  'http://127.0.0.1/',
  'http://127.1/',
  'http://127.0.1/',
  'http://127.255.255.254/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.0.0.1/',
  'http://0x7f.1/',
  'http://0177.0.0.1/',
  'http://017700000001/',
  'http://0/',
  'http://0.0.0.0/',
  'http://0x0/',
  'http://127.0.0.1./',
  'http://①②⑦.⓪.⓪.①/',
  'http://127。0。0。1/',
  'http://%31%32%37.0.0.1/',
  'http://localhost/',
  'http://LOCALHOST/',
  'http://localhost./',
  'http://api.localhost/',
  // Private, shared, link-local, metadata.
  'http://10.0.0.1/',
  'http://10.255.255.255/',
  'http://012.0.0.1/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.0.1/',
  'http://0xc0a80001/',
  'http://3232235521/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://0xa9fea9fe/',
  'http://2852039166/',
  'http://169.254.0.1/',
  'http://192.0.0.192/',
  // Not for hosts.
  'http://192.0.2.1/',
  'http://198.18.0.1/',
  'http://198.51.100.1/',
  'http://203.0.113.1/',
  'http://224.0.0.1/',
  'http://239.255.255.250/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'http://192.88.99.1/',
  // IPv6, and IPv4 inside it.
  'http://[::1]/',
  'http://[::]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::ffff:10.0.0.1]/',
  'http://[::ffff:169.254.169.254]/',
  'http://[::127.0.0.1]/',
  'http://[64:ff9b::127.0.0.1]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[64:ff9b:1::1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:0:7f00:1::]/',
  'http://[fe80::1]/',
  'http://[fec0::1]/',
  'http://[fc00::1]/',
  'http://[fd00:ec2::254]/',
  'http://[ff02::1]/',
  'http://[100::1]/',
  'http://[2001:db8::1]/',
  'http://[3fff::1]/',
  'http://[5f00::1]/',
  // Not our language, or more in it than a place.
  'https://user:password@example.org/',
  'https://user@example.org/',
  'ftp://example.org/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:70/',
  'data:text/plain,hello',
  'javascript:alert(1)',
  'unix:/var/run/docker.sock',
  '//example.org/',
  'http://',
  'nonsense',
]

test(`${HOSTILE.length} hostile targets are refused before a socket is opened`, async () => {
  assert.ok(HOSTILE.length >= 60)
  const lookup = resolvingTo({ address: '127.0.0.1', family: 4 })
  for (const url of HOSTILE)
    await assert.rejects(async () => postOutbound(url, message, { allowPrivate: false, lookup }), OutboundError, url)
})

test('a name that answers differently each time gains nothing, and a redirect leads nowhere', async () => {
  let reached = 0
  const url = await listen((_request, response) => {
    reached += 1
    response.end()
  })
  const { port } = new URL(url)
  const answers: LookupAddress[] = [
    { address: '93.184.216.34', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ]
  let asked = 0
  const lookup: NonNullable<OutboundOptions['lookup']> = (_hostname, done) =>
    done(null, [answers[Math.min(asked++, 1)] as LookupAddress])
  // Public when it is checked, private when it is connected to: the check is the connection's own lookup.
  lookup('rebind.example', () => undefined)
  await assert.rejects(
    postOutbound(`http://rebind.example:${port}/`, message, { allowPrivate: false, lookup }),
    /not a public address/,
  )
  // Both at once: only the public one may be tried, and nobody answers there.
  const both: NonNullable<OutboundOptions['lookup']> = (_hostname, done) => done(null, answers.toReversed())
  await assert.rejects(
    postOutbound(`http://both.example:${port}/`, message, { allowPrivate: false, lookup: both, timeoutMs: 200 }),
    OutboundError,
  )
  for (const status of [301, 302, 303, 307, 308]) {
    const door = await listen((_request, response) => response.writeHead(status, { location: url }).end())
    assert.deepEqual(await postOutbound(door, message, { allowPrivate: true }), { status })
  }
  assert.equal(reached, 0)
})
