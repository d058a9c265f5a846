/** Batches: analyzed at once or queued, without duplicates, claimed by one worker at a time, with signed callbacks. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { recordedOracle } from '../../../../testing/coins/fixtures.ts'
import { recordedChain } from '../../../../testing/coins/recorded-chain.ts'
import { testClock } from '../../../../testing/support/clock.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { keepSecretOfTest, testLog } from '../../../../testing/support/log.ts'
import { eventually } from '../../../../testing/support/receivers.ts'
import { makeTestAccount } from '../../../../testing/support/service.ts'
import { systemClock } from '../../lib/clock.ts'
import { stringifyExactly } from '../../lib/json.ts'
import { batch } from '../http/analysis-schemas.ts'
import { NodeUnreachableError } from '../node/node-errors.ts'
import { createFeeService } from '../serve/fee-service.ts'
import type { ServedChain } from '../serve/served-chain.ts'
import { claimBatch } from './batch-claims.ts'
import { createBatchService } from './batch-service.ts'
import { deleteBatchesBefore, findBatch } from './batch-store.ts'
import { createCallbackQueue } from './callbacks.ts'
import { type BatchWorkerDeps, createBatchWorker, runBatches } from './run-batches.ts'

const { database } = await createTestDatabase()
const chain = await recordedChain()
const recorded = recordedOracle()
const addresses = recorded.addresses.slice(0, 8).map(({ address }) => address)
const clock = testClock('2026-11-15T12:00:00.000Z')
const errors: unknown[] = []
const deps: BatchWorkerDeps = {
  database,
  feeService: createFeeService({ clock: systemClock }),
  clock,
  chains: { find: (id) => (id === 'btc' ? chain : undefined) },
  outbound: { allowPrivate: true },
  log: testLog,
  onError: (error) => errors.push(error),
}
/** Service and worker of one process. */
const createBatches = (overrides: Partial<BatchWorkerDeps> = {}) => {
  const own = { ...deps, ...overrides }
  return { ...createBatchService(own), ...createBatchWorker(own), callbacks: createCallbackQueue(own) }
}
const service = createBatches()
const { id: accountId } = await makeTestAccount(database, { utxoPlan: 'pro' })
const request = { accountId, utxoLimit: 100, addresses, webhookUrl: undefined as string | undefined }

type Call = { readonly headers: Record<string, string>; readonly body: string }
const calls: Call[] = []
let status = 200
let retryAfter: string | undefined
const server = createServer((incoming, outgoing) => {
  let body = ''
  incoming.setEncoding('utf8').on('data', (chunk: string) => {
    body += chunk
  })
  incoming.on('end', () => {
    calls.push({ headers: incoming.headers as Record<string, string>, body })
    outgoing.writeHead(status, {
      location: '/elsewhere',
      ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
    })
    outgoing.end()
  })
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
after(() => server.close())
const webhookUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`

const workUntilIdle = async (worker = service): Promise<void> => {
  while (await worker.analyzeNext());
  while ((await worker.callbacks.deliverDue()) > 0) await worker.callbacks.settled()
}

test('a small batch is analyzed at once, in order; only its account can read it later', async () => {
  const created = batch.parse(await service.create(chain, request))
  assert.deepEqual(
    [created.status, created.total, created.summary, created.webhook],
    ['completed', 8, { ok: 8, failed: 0 }, null],
  )
  assert.deepEqual(
    created.results.map(({ address }) => address),
    addresses,
  )
  const read = await service.find(accountId, created.batchId)
  assert.equal(stringifyExactly(read), stringifyExactly(created))
  const { id: otherAccount } = await makeTestAccount(database)
  assert.equal(await service.find(otherAccount, created.batchId), undefined)
})

test('a repeated address is analyzed once, and an invalid address fails without affecting the others', async () => {
  const [first = '', second = ''] = addresses
  const twice = { ...request, addresses: [first, 'nonsense', first, second, second.toUpperCase(), 'ltc1xyz'] }
  const { results, summary, total } = await service.create(chain, twice)
  const isBech32 = second.startsWith('bcrt1')
  assert.deepEqual(
    results.slice(0, 3).map(({ address, ok, error }) => [address, ok, error?.code]),
    [
      [first, true, undefined],
      ['nonsense', false, 'INVALID_ADDRESS'],
      [second, true, undefined],
    ],
  )
  assert.equal(total, results.length)
  assert.deepEqual(summary?.ok, 2)
  if (isBech32) assert.equal(total, 4)
})

test('a batch with a callback is queued, analyzed, and delivered with a valid signature', async () => {
  const created = await service.create(chain, { ...request, webhookUrl })
  const secret = keepSecretOfTest(created.webhookSecret ?? '')
  assert.deepEqual([created.status, created.results, created.webhook?.status], ['queued', [], 'waiting'])
  await workUntilIdle()
  const read = batch.parse(await service.find(accountId, created.batchId))
  assert.deepEqual([read.status, read.webhook?.status, read.webhook?.attempts], ['completed', 'delivered', 1])
  assert.equal('webhookSecret' in read, false, 'returned only on creation')
  const call = calls.pop() ?? assert.fail()
  const { event, batchId, results } = verify(secret, call) as { event: string; batchId: string; results: unknown[] }
  assert.deepEqual([event, batchId, results.length], ['batch.completed', created.batchId, 8])
  assert.equal(call.headers['webhook-id'], `batch_${created.batchId}`)
  assert.throws(() => verify(secret, { ...call, body: call.body.replace('"btc"', '"ltc"') }))
  assert.throws(() => verify(`whsec_${Buffer.alloc(24).toString('base64')}`, call))
})

/** The package rejects timestamps older than five minutes, so it gets the clock of the test. */
function verify(secret: string, { body, headers }: Call): unknown {
  const { now } = Date
  Date.now = clock.now
  try {
    return new Webhook(secret).verify(body, headers)
  } finally {
    Date.now = now
  }
}

test('a failing receiver is retried after growing pauses, six attempts in all', async () => {
  status = 500
  calls.length = 0
  const created = await service.create(chain, { ...request, webhookUrl })
  keepSecretOfTest(created.webhookSecret ?? '')
  const pauses = [30_000, 300_000, 1_800_000, 7_200_000, 28_800_000]
  await workUntilIdle()
  for (const [i, pause] of pauses.entries()) {
    assert.equal(calls.length, i + 1)
    assert.deepEqual((await service.find(accountId, created.batchId))?.webhook, {
      url: webhookUrl,
      status: 'retrying',
      attempts: i + 1,
      lastError: 'The webhook returned status 500.',
    })
    clock.advance(pause - 1)
    await workUntilIdle()
    assert.equal(calls.length, i + 1, 'not before the pause ends')
    clock.advance(1)
    await workUntilIdle()
  }
  assert.equal(calls.length, 6)
  assert.equal((await service.find(accountId, created.batchId))?.webhook?.status, 'failed')
  assert.equal(new Set(calls.map(({ headers }) => headers['webhook-id'])).size, 1)
  clock.advance(100_000_000)
  await workUntilIdle()
  assert.equal(calls.length, 6)
  status = 200
})

test('a retry can succeed, a redirect is not followed, and 410 ends the retries', async () => {
  const outcomeOf = async (first: number): Promise<string | undefined> => {
    status = first
    const created = await service.create(chain, { ...request, addresses: addresses.slice(0, 1), webhookUrl })
    keepSecretOfTest(created.webhookSecret ?? '')
    await workUntilIdle()
    status = 200
    clock.advance(30_000)
    await workUntilIdle()
    return (await service.find(accountId, created.batchId))?.webhook?.status
  }
  assert.equal(await outcomeOf(503), 'delivered')
  assert.equal(await outcomeOf(302), 'delivered', 'a redirect counts as a failure')
  assert.equal(await outcomeOf(410), 'failed', 'gone')
  assert.ok(!calls.some(({ headers }) => headers['x-followed'] !== undefined))
})

test('Retry-After of a callback makes the pause longer, also for the other callbacks of the account to that host', async () => {
  const createBatch = async () => {
    const created = await service.create(chain, { ...request, addresses: addresses.slice(0, 1), webhookUrl })
    keepSecretOfTest(created.webhookSecret ?? '')
    return created.batchId
  }
  const statusOf = async (id: string) => (await service.find(accountId, id))?.webhook?.status
  ;[status, retryAfter, calls.length] = [429, '120', 0]
  const first = await createBatch()
  await workUntilIdle()
  status = 200
  const second = await createBatch()
  clock.advance(119_000)
  await workUntilIdle()
  assert.deepEqual([await statusOf(first), await statusOf(second), calls.length], ['retrying', 'waiting', 1])
  clock.advance(1_000)
  await workUntilIdle()
  assert.deepEqual([await statusOf(first), await statusOf(second)], ['delivered', 'delivered'])
  retryAfter = undefined
})

test('no connection is made to a private receiver unless private receivers are allowed', async () => {
  calls.length = 0
  const publicOnly = createBatches({ outbound: { allowPrivate: false } })
  const created = await publicOnly.create(chain, { ...request, addresses: addresses.slice(0, 1), webhookUrl })
  keepSecretOfTest(created.webhookSecret ?? '')
  await workUntilIdle(publicOnly)
  const read = await publicOnly.find(accountId, created.batchId)
  assert.deepEqual([read?.webhook?.status, calls.length], ['failed', 0])
  assert.match(read?.webhook?.lastError ?? '', /not a public address/)
})

test('a queued batch waits until its chain is synced', async () => {
  const many = recorded.addresses.slice(0, 51).map(({ address }) => address)
  let isSynced = false
  const worker = createBatches({ chains: { find: (id) => (isSynced && id === 'btc' ? chain : undefined) } })
  const created = await worker.create(chain, { ...request, addresses: many, webhookUrl })
  keepSecretOfTest(created.webhookSecret ?? '')
  assert.equal(created.status, 'queued')
  assert.equal(await worker.analyzeNext(), false)
  isSynced = true
  await workUntilIdle(worker)
  const read = await worker.find(accountId, created.batchId)
  assert.deepEqual([read?.status, read?.results.length], ['completed', 51])
})

test('a large batch without a callback is streamed, and an outage of the node ends the work, not the response', async () => {
  const many = recorded.addresses.slice(0, 60).map(({ address }) => address)
  const parts = await Array.fromAsync(service.stream(chain, { ...request, addresses: [...many, many[0] ?? ''] }))
  assert.ok(parts.length > 60, 'part by part')
  const streamed = batch.parse(JSON.parse(parts.join('')))
  assert.deepEqual([streamed.status, streamed.total, streamed.summary], ['completed', 60, { ok: 60, failed: 0 }])
  const read = await service.find(accountId, streamed.batchId)
  assert.deepEqual(JSON.parse(stringifyExactly(read)), JSON.parse(parts.join('')))

  const { unreliable, reported, worker } = unreliableWorker()
  const failed = await Array.fromAsync(worker.stream(unreliable, { ...request, addresses: ['nonsense', ...many] }))
  const { results, summary } = batch.parse(JSON.parse(failed.join('')))
  assert.deepEqual([results.length, summary?.failed, results.at(-1)?.error?.code], [61, 61, 'UNAVAILABLE'])
  assert.equal(reported.length, 1, 'the node is called once')
})

test('an account streams at most two batches at a time', async () => {
  const streams = [1, 2].map(() => service.stream(chain, request))
  for (const stream of streams) await stream.next()
  assert.throws(() => service.stream(chain, request), /2 batches of this account are being answered/)
  for (const stream of streams) await stream.return(undefined)
  assert.equal((await Array.fromAsync(service.stream(chain, request))).length > 8, true)
})

/** The same chain with a node that a test makes unreachable. */
function unreliableWorker() {
  const reported: unknown[] = []
  const node = { isAway: true }
  const unreliable: ServedChain = {
    ...chain,
    loader: {
      ...chain.loader,
      load: (placed) =>
        node.isAway ? Promise.reject(new NodeUnreachableError('node:8332', 'cut off')) : chain.loader.load(placed),
    },
  }
  const chains = { find: (id: string) => (id === 'btc' ? unreliable : undefined) }
  return { node, unreliable, reported, worker: createBatches({ chains, onError: (error) => reported.push(error) }) }
}

test('an unreachable node fails a small batch as a whole and delays a queued one', async () => {
  const { node, unreliable, reported, worker } = unreliableWorker()
  calls.length = 0
  await assert.rejects(worker.create(unreliable, request), NodeUnreachableError)
  const created = await worker.create(unreliable, { ...request, addresses: ['nonsense', ...addresses], webhookUrl })
  keepSecretOfTest(created.webhookSecret ?? '')
  assert.equal(await worker.analyzeNext(), false)
  assert.equal((await worker.find(accountId, created.batchId))?.status, 'queued')
  assert.equal(reported.length, 1)
  node.isAway = false
  assert.equal(await worker.analyzeNext(), false, 'not before the pause ends')
  clock.advance(30_000)
  await workUntilIdle(worker)
  const read = await worker.find(accountId, created.batchId)
  assert.deepEqual([read?.status, read?.summary], ['completed', { ok: 8, failed: 1 }])
  assert.deepEqual([read?.webhook?.status, calls.length], ['delivered', 1])
})

test('a delayed batch does not block others, and after a day the error becomes the result', async () => {
  const { node, unreliable, reported, worker } = unreliableWorker()
  const created = await worker.create(unreliable, { ...request, addresses: ['nonsense', ...addresses], webhookUrl })
  keepSecretOfTest(created.webhookSecret ?? '')
  assert.equal(await worker.analyzeNext(), false)
  node.isAway = false
  const later = await worker.create(unreliable, { ...request, addresses: addresses.slice(0, 1), webhookUrl })
  keepSecretOfTest(later.webhookSecret ?? '')
  await workUntilIdle(worker)
  assert.equal((await worker.find(accountId, later.batchId))?.status, 'completed')
  node.isAway = true
  clock.advance(86_400_000 - 1)
  assert.equal(await worker.analyzeNext(), false)
  assert.equal(reported.length, 2)
  clock.advance(30_000)
  await workUntilIdle(worker)
  const read = await worker.find(accountId, created.batchId)
  assert.equal(read?.status, 'completed')
  assert.deepEqual(
    read.results.map(({ error }) => error?.code),
    ['INVALID_ADDRESS', ...addresses.map(() => 'UNAVAILABLE')],
  )
})

test('one worker claims a batch, and another one takes it over when the claim ends', async () => {
  const created = await service.create(chain, { ...request, webhookUrl, addresses: addresses.slice(0, 2) })
  keepSecretOfTest(created.webhookSecret ?? '')
  const at = (ms: number) => new Date(clock.now() + ms)
  const taken = await Promise.all([
    claimBatch(database, ['btc'], at(0), at(120_000)),
    claimBatch(database, ['btc'], at(0), at(120_000)),
  ])
  assert.deepEqual(
    taken.map((found) => found?.id).filter((id) => id !== undefined),
    [created.batchId],
  )
  assert.equal(await service.analyzeNext(), false, 'claimed')
  clock.advance(120_000)
  await workUntilIdle()
  assert.equal((await findBatch(database, accountId, created.batchId))?.status, 'completed')
})

test('an account has at most 20 open batches, and old batches are deleted', async () => {
  const idle = createBatches({ chains: { find: () => undefined } })
  const { id } = await makeTestAccount(database)
  const queue = () => idle.create(chain, { ...request, accountId: id, addresses: addresses.slice(0, 1), webhookUrl })
  for (let i = 0; i < 20; i++) keepSecretOfTest((await queue()).webhookSecret ?? '')
  await assert.rejects(queue(), /20 batches of this account are not completed/)
  assert.ok((await deleteBatchesBefore(database, new Date(clock.now() + 1_000))) > 5)
})

test('a running worker analyzes a queued batch when it is woken, and stops', async () => {
  const worker = runBatches(deps)
  const { create, find } = createBatchService({ ...deps, onQueued: worker.wake })
  const { batchId, webhookSecret } = await create(chain, { ...request, webhookUrl })
  keepSecretOfTest(webhookSecret ?? '')
  await eventually(async () => (await find(accountId, batchId))?.webhook?.status === 'delivered' || undefined)
  await worker.stop()
  assert.deepEqual(errors, [])
})

test('a batch that is queued while the worker reads the queue is analyzed without a pause', async () => {
  // A pause that only a wake-up ends.
  const sleep = (_ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal?.aborted === true) resolve()
      else signal?.addEventListener('abort', () => resolve(), { once: true })
    })
  let batchId: string | undefined
  const queueAfterRead = async (text: unknown, values: unknown[]) => {
    const result = await database.query(text as never, values)
    if (batchId === undefined && String(text).includes("set status = 'running'")) {
      batchId = ''
      const created = await create(chain, { ...request, webhookUrl })
      keepSecretOfTest(created.webhookSecret ?? '')
      batchId = created.batchId
    }
    return result
  }
  const slow = Object.create(database, { query: { value: queueAfterRead } }) as typeof database
  const worker = runBatches({ ...deps, database: slow }, { sleep })
  const { create, find } = createBatchService({ ...deps, onQueued: worker.wake })
  await eventually(async () => {
    const isCreated = batchId !== undefined && batchId !== ''
    return (isCreated && (await find(accountId, batchId ?? ''))?.status === 'completed') || undefined
  })
  await worker.stop()
})
