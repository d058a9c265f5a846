/** Webhooks never reach a private address, whatever name or redirect leads to it. */
import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { LookupAddress } from 'node:dns'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { after, test } from 'node:test'
import { HOSTILE_TARGETS } from '../../../testing/support/hostile-targets.ts'
import {
  checkTarget,
  isPublicAddress,
  OutboundError,
  type OutboundOptions,
  PUBLIC_TARGETS,
  postOutbound,
} from './outbound.ts'

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

test('a URL that names a private address is refused before any lookup', () => {
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

test('only ports 80, 443 and from 1024 on are allowed', () => {
  for (const port of [1, 22, 25, 53, 79, 81, 111, 389, 444, 445, 1_023])
    assert.throws(() => checkTarget(`https://example.org:${port}/`, PUBLIC_TARGETS), OutboundError, String(port))
  for (const port of [80, 443, 1_024, 8_443, 65_535]) checkTarget(`http://example.org:${port}/`, PUBLIC_TARGETS)
  checkTarget('http://10.0.0.1:81/', { allowPrivate: true })
})

test('metadata addresses of clouds are refused, also where private addresses are allowed', async () => {
  const addresses = [
    ['169.254.169.254', '169.254.170.2', '169.254.0.23', '169.254.42.42', '100.100.100.200', '168.63.129.16'],
    ['192.0.0.192', '192.80.8.124', '[fd00:ec2::254]', '[fd20:ce::254]', '[fd00:42::42]', '[fe80::a9fe:a9fe]'],
    ['[::ffff:169.254.169.254]', '[64:ff9b::a9fe:a9fe]', '[::ffff:a83f:8110]', '2852039166', '0xa9fea9fe'],
  ].flat()
  for (const address of addresses)
    for (const allowPrivate of [false, true])
      assert.throws(() => checkTarget(`http://${address}/`, { allowPrivate }), OutboundError, address)
  const names = [
    [
      'metadata.google.internal',
      'METADATA.GOOGLE.INTERNAL.',
      'instance-data.ec2.internal',
      'metadata',
      'instance-data',
    ],
    ['metadata.tencentyun.com', 'metadata.packet.net', 'api.metadata.cloud.ibm.com', 'printer.local', 'redis'],
  ].flat()
  for (const name of names) assert.throws(() => checkTarget(`http://${name}/`, PUBLIC_TARGETS), OutboundError, name)
  for (const address of ['168.63.129.16', '169.254.169.254', '::ffff:169.254.169.254'])
    await assert.rejects(
      postOutbound('http://hooks.example.org/', message, {
        allowPrivate: true,
        lookup: resolvingTo({ address, family: address.includes(':') ? 6 : 4 }),
      }),
      /is not a public address/,
    )
})

test('an own target is allowed exactly as it is', async () => {
  const url = await listen((_request, response) => response.writeHead(204).end())
  const rules = { allowPrivate: false, ownTargets: [`${url}/own`] }
  assert.equal((await postOutbound(`${url}/own`, message, rules)).status, 204)
  for (const other of [`${url}/other`, `${url}/own?x`, `${url}/own/..`, url])
    assert.throws(() => checkTarget(other, rules), OutboundError, other)
})

test('a name that resolves to a private address is not connected to', async () => {
  let reached = 0
  const url = await listen((_request, response) => {
    reached++
    response.end()
  })
  const port = new URL(url).port
  const lookup = resolvingTo({ address: '127.0.0.1', family: 4 })
  await assert.rejects(
    postOutbound(`http://rebind.example:${port}/`, message, { allowPrivate: false, lookup }),
    (error) => error instanceof OutboundError && error.retryable && /not a public address/.test(error.message),
  )
  assert.equal(reached, 0)
  assert.deepEqual(await postOutbound(`http://rebind.example:${port}/`, message, { allowPrivate: true, lookup }), {
    status: 200,
    body: '',
  })
})

/** The addresses that sockets are opened to while `work` runs. */
async function addressesTried(work: () => Promise<unknown>): Promise<readonly string[]> {
  const tried: string[] = []
  const onSocket = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket }
    socket.on('connectionAttempt', (address: string) => tried.push(address))
  }
  subscribe('net.client.socket', onSocket)
  try {
    await work()
  } finally {
    unsubscribe('net.client.socket', onSocket)
  }
  return tried
}

test('of several addresses only the public ones are tried', async () => {
  let reached = 0
  const url = await listen((_request, response) => {
    reached += 1
    response.end()
  })
  const lookup = resolvingTo(
    { address: '127.0.0.1', family: 4 },
    { address: '93.184.216.34', family: 4 },
    { address: '::1', family: 6 },
    { address: '10.0.0.1', family: 4 },
  )
  const post = (allowPrivate: boolean) =>
    postOutbound(`http://mixed.example:${new URL(url).port}/`, message, { allowPrivate, lookup, timeoutMs: 200 })
  // Nothing responds there. What counts is that only this address was tried.
  const tried = await addressesTried(() => assert.rejects(post(false), OutboundError))
  assert.deepEqual(tried, ['93.184.216.34'])
  assert.equal(reached, 0)
  assert.deepEqual(await addressesTried(() => post(true)), ['127.0.0.1'])
  assert.equal(reached, 1)
})

test('a redirect is a response and is not followed', async () => {
  let followed = 0
  const url = await listen((request, response) => {
    if (request.url === '/next') followed++
    response.writeHead(302, { location: '/next' })
    response.end()
  })
  assert.deepEqual(await postOutbound(url, message, { allowPrivate: true }), { status: 302, body: '' })
  assert.equal(followed, 0)
})

test('body and headers arrive; an endless response is cut off', async () => {
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
  const { status, body } = await postOutbound(url, message, { allowPrivate: true })
  assert.deepEqual([status, body.length], [200, 2_048])
  assert.equal(received, message.body)
})

test('a refused connection and a timeout can be retried', async () => {
  const isRetryable = (error: unknown): boolean => error instanceof OutboundError && error.retryable
  await assert.rejects(postOutbound('http://127.0.0.1:1/', message, { allowPrivate: true }), isRetryable)
  const silent = await listen(() => undefined)
  await assert.rejects(postOutbound(silent, message, { allowPrivate: true, timeoutMs: 50 }), isRetryable)
  const lookup: OutboundOptions['lookup'] = (_, done) => done(new Error('ENOTFOUND'), [])
  await assert.rejects(postOutbound('http://gone.example/', message, { allowPrivate: false, lookup }), isRetryable)
})

test(`${HOSTILE_TARGETS.length} hostile targets are refused before a socket is opened`, async () => {
  assert.ok(new Set(HOSTILE_TARGETS).size === HOSTILE_TARGETS.length && HOSTILE_TARGETS.length >= 60)
  // A lookup would return a public address, so that the refusal cannot come from the lookup.
  const lookup = resolvingTo({ address: '93.184.216.34', family: 4 })
  for (const url of HOSTILE_TARGETS) {
    assert.throws(() => checkTarget(url, { allowPrivate: false }), OutboundError, url)
    await assert.rejects(async () => postOutbound(url, message, { allowPrivate: false, lookup }), OutboundError, url)
  }
})

/** Addresses that a DNS server may return to direct a name into this network. */
const PRIVATE_RECORDS = [
  ['127.0.0.1', 4],
  ['10.0.0.1', 4],
  ['169.254.169.254', 4],
  ['0.0.0.0', 4],
  ['192.168.1.1', 4],
  ['::1', 6],
  ['::', 6],
  ['::ffff:127.0.0.1', 6],
  ['::ffff:7f00:1', 6],
  ['::127.0.0.1', 6],
  ['64:ff9b::7f00:1', 6],
  ['2002:7f00:1::', 6],
  ['2001:0:7f00:1::', 6],
  ['fe80::1', 6],
  ['fe80::1%lo', 6],
  ['2606:4700::1%lo', 6],
  ['fd00::1', 6],
  ['ff02::1', 6],
  ['2001:db8::1', 6],
  ['not an address', 4],
] as const

test(`${PRIVATE_RECORDS.length} private addresses of a DNS server are refused, under any name`, async () => {
  for (const [address, family] of PRIVATE_RECORDS)
    for (const name of [
      'localhost.localdomain',
      'ip6-localhost',
      'intranet',
      '127.0.0.1.nip.example',
      'metadata.google.internal',
    ])
      await assert.rejects(
        postOutbound(`http://${name}/`, message, { allowPrivate: false, lookup: resolvingTo({ address, family }) }),
        /is not a public address/,
        `${name} → ${address}`,
      )
})

test('a name that resolves to another address after the check is refused, and a redirect is not followed', async () => {
  let reached = 0
  const url = await listen((_request, response) => {
    reached += 1
    response.end()
  })
  const { port } = new URL(url)
  const records: LookupAddress[] = [
    { address: '93.184.216.34', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ]
  let lookups = 0
  const lookup: NonNullable<OutboundOptions['lookup']> = (_hostname, done) =>
    done(null, [records[Math.min(lookups++, 1)] as LookupAddress])
  // Public at the first lookup, private at that of the connection, which is the one that is checked.
  lookup('rebind.example', () => undefined)
  await assert.rejects(
    postOutbound(`http://rebind.example:${port}/`, message, { allowPrivate: false, lookup }),
    /not a public address/,
  )
  // Both at once: only the public one may be tried, and nothing responds there.
  const both: NonNullable<OutboundOptions['lookup']> = (_hostname, done) => done(null, records.toReversed())
  await assert.rejects(
    postOutbound(`http://both.example:${port}/`, message, { allowPrivate: false, lookup: both, timeoutMs: 200 }),
    OutboundError,
  )
  for (const status of [301, 302, 303, 307, 308]) {
    const redirector = await listen((_request, response) => response.writeHead(status, { location: url }).end())
    assert.deepEqual(await postOutbound(redirector, message, { allowPrivate: true }), { status, body: '' })
  }
  assert.equal(reached, 0)
})
