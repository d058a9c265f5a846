/** A service that hangs, floods, repeats or refuses ends in an error or in a list of limited size. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Hex } from 'viem'
import { entryOf, signer, startSafeService } from '../../../../../testing/support/safe-service.ts'
import { checkSafeService, createSafeService, SafeServiceError } from './safe-service.ts'

const SAFE: Hex = `0x${'5afe'.padStart(40, '0')}`
const service = await startSafeService()
const client = createSafeService({ url: service.url, timeoutMs: 60_000 })
const entry = async (nonce: number) => await entryOf({ safe: SAFE, to: SAFE, nonce, signers: [signer(1)] })

beforeEach(() => {
  service.interfere = undefined
  service.entries.clear()
  service.requests.length = 0
})

const fails = async (isTemporary: boolean, message: RegExp, from = client): Promise<void> =>
  await assert.rejects(
    from.list(SAFE, 0n),
    (error) => error instanceof SafeServiceError && error.isTemporary === isTemporary && message.test(error.message),
  )

test('all pages are read, by offset and never by the link of the service', async () => {
  service.entries.set(SAFE, await Promise.all(Array.from({ length: 45 }, (_, nonce) => entry(nonce + 3))))
  const { transactions, isComplete } = await client.list(SAFE, 3n)
  assert.deepEqual([transactions.length, isComplete, service.requests.length], [45, true, 3])
  assert.equal(new Set(transactions.map(({ safeTxHash }) => safeTxHash)).size, 45)
  assert.match(service.requests[0] ?? '', /executed=false&nonce__gte=3/)
})

test('a service with smaller pages than requested loses no entry', async () => {
  const all = await Promise.all(Array.from({ length: 25 }, (_, nonce) => entry(nonce)))
  service.interfere = (request, response) => {
    const offset = Number(new URL(request.url ?? '', service.url).searchParams.get('offset'))
    const results = all.slice(offset, offset + 10)
    response.end(JSON.stringify({ next: offset + 10 < all.length ? 'more' : null, results }))
    return true
  }
  const { transactions, isComplete } = await client.list(SAFE, 0n)
  assert.deepEqual([new Set(transactions.map(({ safeTxHash }) => safeTxHash)).size, isComplete], [25, true])
})

test('a page with more entries than requested is not a complete list', async () => {
  const all = await Promise.all(Array.from({ length: 30 }, (_, nonce) => entry(nonce)))
  service.interfere = (_request, response) => {
    response.end(JSON.stringify({ next: null, results: all }))
    return true
  }
  const { transactions, isComplete } = await client.list(SAFE, 0n)
  assert.deepEqual([transactions.length, isComplete], [20, false])
})

test('a Safe that the service does not know has no transactions', async () => {
  service.interfere = (_request, response) => {
    response.writeHead(404).end('{"detail":"Not found."}')
    return true
  }
  assert.deepEqual(await client.list(SAFE, 0n), { transactions: [], malformed: 0, isComplete: true })
})

test('a list without end is cut', async () => {
  const same = Array.from({ length: 20 }, () => ({ anything: true }))
  service.interfere = (_request, response) => {
    response.end(JSON.stringify({ next: 'more', results: same }))
    return true
  }
  assert.deepEqual(await client.list(SAFE, 0n), { transactions: [], malformed: 100, isComplete: false })
  assert.equal(service.requests.length, 5)
})

test('a service that hangs ends at the time limit, before and within a response', async () => {
  const hurried = createSafeService({ url: service.url, timeoutMs: 50 })
  service.interfere = () => true
  await fails(true, /TimeoutError/, hurried)
  service.interfere = (_request, response) => {
    response.write('{"next":null,"results":[')
    return true
  }
  await fails(true, /TimeoutError/, hurried)
  const stop = new AbortController()
  const listing = client.list(SAFE, 0n, stop.signal)
  stop.abort()
  await assert.rejects(listing, SafeServiceError)
})

test('a response without end is cut at its size', async () => {
  service.interfere = (_request, response) => {
    const chunk = ' '.repeat(65_536)
    const write = (): void => {
      while (!response.destroyed && response.write(chunk)) {}
      if (!response.destroyed) response.once('drain', write)
    }
    write()
    return true
  }
  await fails(false, /too much data/)
})

test('other responses are errors: refusals, redirects, deep nesting, text', async () => {
  const answer = (status: number, body: string, headers: Record<string, string> = {}): void => {
    service.interfere = (_request, response) => {
      response.writeHead(status, headers).end(body)
      return true
    }
  }
  for (const [status, isTemporary] of [
    [401, true],
    [422, false],
    [429, true],
    [503, true],
  ] as const) {
    answer(status, '{}')
    await fails(isTemporary, new RegExp(`returned ${status}`))
  }
  answer(302, '', { location: 'http://192.0.2.1/' })
  await fails(true, /did not return a response/)
  answer(200, `{"next":null,"results":[${'['.repeat(5_000)}${']'.repeat(5_000)}]}`)
  await fails(false, /did not return a response/)
  answer(200, '<html>')
  await fails(false, /did not return a response/)
  answer(200, '[]')
  await fails(false, /unexpected body/)
})

test('an API key is sent as a bearer token, a user and password as they are', async () => {
  const at = (login: string): string => service.url.replace('http://', `http://${login}@`)
  service.headers.length = 0
  await createSafeService({ url: `${at(':the%20key')}/` }).list(SAFE, 0n)
  await createSafeService({ url: at('me:secret') }).list(SAFE, 0n)
  assert.deepEqual(
    service.headers.map(({ authorization }) => authorization),
    ['Bearer the key', `Basic ${Buffer.from('me:secret').toString('base64')}`],
  )
})

test('the check names the version, or what to correct', async () => {
  const { host } = new URL(service.url)
  assert.deepEqual(await checkSafeService('base', service.url), {
    about: `base safe transaction service ${host}`,
    status: 'ok',
    seen: 'It responds, version 5.31.0.',
  })
  const { status, advice } = await checkSafeService('base', `${service.url}/api/v1`)
  assert.deepEqual([status, /BASE_SAFE_TX_SERVICE_URL/.test(advice ?? '')], ['failed', true])
})
