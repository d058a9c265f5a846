/** Batches: at once and queued, folded, with their own errors, over processes that die, and with signed callbacks. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { recordedOracle } from '../../../../testing/coins/fixtures.ts'
import { recordedChain } from '../../../../testing/coins/recorded-chain.ts'
import { testClock } from '../../../../testing/support/clock.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { keepSecretOfTest } from '../../../../testing/support/log.ts'
import { makePerson } from '../../../../testing/support/service.ts'
import { systemClock } from '../../lib/clock.ts'
import { stringifyExactly } from '../../lib/json.ts'
import { batch } from '../http/analysis-schemas.ts'
import { NodeUnreachableError } from '../node/node-errors.ts'
import { createFeeService } from '../serve/fee-service.ts'
import type { ServedChain } from '../serve/served-chain.ts'
import { type BatchServiceDeps, createBatchService } from './batch-service.ts'
import { claimBatch, deleteBatchesBefore, findBatch } from './batch-store.ts'
import { afterAttempt } from './callback-schedule.ts'

const { database } = await createTestDatabase()
const chain = await recordedChain()
const oracle = recordedOracle()
const addresses = oracle.addresses.slice(0, 8).map(({ address }) => address)
const clock = testClock('2026-11-15T12:00:00.000Z')
const faults: unknown[] = []
const deps: BatchServiceDeps = {
  database,
  feeService: createFeeService({ clock: systemClock }),
  clock,
  findSynced: (id) => (id === 'btc' ? chain : undefined),
  outbound: { allowPrivate: true },
  onFault: (error) => faults.push(error),
}
const service = createBatchService(deps)
const { id: accountId } = await makePerson(database, { utxoPlan: 'pro' })
const request = { accountId, mostCoins: 100, addresses, webhookUrl: undefined as string | undefined }

type Call = { readonly headers: Record<string, string>; readonly body: string }
const calls: Call[] = []
let status = 200
const server = createServer((incoming, outgoing) => {
  let body = ''
  incoming.setEncoding('utf8').on('data', (chunk: string) => {
    body += chunk
  })
  incoming.on('end', () => {
    calls.push({ headers: incoming.headers as Record<string, string>, body })
    outgoing.writeHead(status, { location: '/elsewhere' }).end()
  })
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
after(() => server.close())
const webhookUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`

const workUntilIdle = async (worker = service): Promise<void> => {
  while (await worker.step());
}

test('a small batch is answered at once, in order, and can be read again by its account alone', async () => {
  const made = batch.parse(await service.create(chain, request))
  assert.deepEqual([made.status, made.total, made.summary, made.webhook], ['completed', 8, { ok: 8, failed: 0 }, null])
  assert.deepEqual(
    made.results.map(({ address }) => address),
    addresses,
  )
  const read = await service.find(accountId, made.batchId)
  assert.equal(stringifyExactly(read), stringifyExactly(made))
  const { id: stranger } = await makePerson(database)
  assert.equal(await service.find(stranger, made.batchId), undefined)
})

test('an address named twice is judged once, a wrong one fails alone', async () => {
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

test('with a callback it waits, is worked on, and is delivered with a signature that verifies', async () => {
  const made = await service.create(chain, { ...request, webhookUrl })
  const secret = keepSecretOfTest(made.webhookSecret ?? '')
  assert.deepEqual([made.status, made.results, made.webhook?.status], ['queued', [], 'waiting'])
  await workUntilIdle()
  const read = batch.parse(await service.find(accountId, made.batchId))
  assert.deepEqual([read.status, read.webhook?.status, read.webhook?.attempts], ['completed', 'delivered', 1])
  assert.equal('webhookSecret' in read, false, 'told once')
  const call = calls.pop() ?? assert.fail()
  // The package checks the time against its own clock; the signature is of the test's.
  const { event, batchId, results } = verify(secret, call) as { event: string; batchId: string; results: unknown[] }
  assert.deepEqual([event, batchId, results.length], ['batch.completed', made.batchId, 8])
  assert.equal(call.headers['webhook-id'], `batch_${made.batchId}`)
  assert.throws(() => verify(secret, { ...call, body: call.body.replace('"btc"', '"ltc"') }))
  assert.throws(() => verify(`whsec_${Buffer.alloc(24).toString('base64')}`, call))
})

/** The package refuses what is older than five minutes by the system's clock: it is shown the test's. */
function verify(secret: string, { body, headers }: Call): unknown {
  const { now } = Date
  Date.now = clock.now
  try {
    return new Webhook(secret).verify(body, headers)
  } finally {
    Date.now = now
  }
}

test('a receiver that fails is tried again after growing pauses, and then given up', async () => {
  status = 500
  calls.length = 0
  const made = await service.create(chain, { ...request, webhookUrl })
  keepSecretOfTest(made.webhookSecret ?? '')
  const pauses = [30_000, 300_000, 1_800_000, 7_200_000, 28_800_000]
  await workUntilIdle()
  for (const [i, pause] of pauses.entries()) {
    assert.equal(calls.length, i + 1)
    assert.deepEqual((await service.find(accountId, made.batchId))?.webhook, {
      url: webhookUrl,
      status: 'retrying',
      attempts: i + 1,
      lastError: 'the receiver answered 500',
    })
    clock.advance(pause - 1)
    await workUntilIdle()
    assert.equal(calls.length, i + 1, 'not before its time')
    clock.advance(1)
    await workUntilIdle()
  }
  assert.equal(calls.length, 6)
  assert.equal((await service.find(accountId, made.batchId))?.webhook?.status, 'failed')
  assert.equal(new Set(calls.map(({ headers }) => headers['webhook-id'])).size, 1)
  clock.advance(100_000_000)
  await workUntilIdle()
  assert.equal(calls.length, 6)
  status = 200
})

test('a receiver may recover, redirect in vain, or be gone for good', async () => {
  const outcomeOf = async (first: number): Promise<string | undefined> => {
    status = first
    const made = await service.create(chain, { ...request, addresses: addresses.slice(0, 1), webhookUrl })
    keepSecretOfTest(made.webhookSecret ?? '')
    await workUntilIdle()
    status = 200
    clock.advance(30_000)
    await workUntilIdle()
    return (await service.find(accountId, made.batchId))?.webhook?.status
  }
  assert.equal(await outcomeOf(503), 'delivered')
  assert.equal(await outcomeOf(302), 'delivered', 'a redirect is a failure, and not followed')
  assert.equal(await outcomeOf(410), 'failed', 'gone')
  assert.ok(!calls.some(({ headers }) => headers['x-followed'] !== undefined))
})

test('a private receiver is never connected to unless allowed', async () => {
  calls.length = 0
  const careful = createBatchService({ ...deps, outbound: { allowPrivate: false } })
  const made = await careful.create(chain, { ...request, addresses: addresses.slice(0, 1), webhookUrl })
  keepSecretOfTest(made.webhookSecret ?? '')
  await workUntilIdle(careful)
  const read = await careful.find(accountId, made.batchId)
  assert.deepEqual([read?.webhook?.status, calls.length], ['failed', 0])
  assert.match(read?.webhook?.lastError ?? '', /not a public address/)
})

test('a large batch waits without a callback, also while its chain is not synced', async () => {
  const many = oracle.addresses.slice(0, 51).map(({ address }) => address)
  let isSynced = false
  const worker = createBatchService({ ...deps, findSynced: (id) => (isSynced && id === 'btc' ? chain : undefined) })
  const made = await worker.create(chain, { ...request, addresses: many })
  assert.deepEqual([made.status, made.webhook, made.webhookSecret], ['queued', null, undefined])
  assert.equal(await worker.step(), false)
  isSynced = true
  await workUntilIdle(worker)
  const read = await worker.find(accountId, made.batchId)
  assert.deepEqual([read?.status, read?.results.length], ['completed', 51])
})

/** The same chain, its node away as long as it is told to be. */
function shakyWorker() {
  const told: unknown[] = []
  const node = { isAway: true }
  const shaky: ServedChain = {
    ...chain,
    loader: {
      ...chain.loader,
      load: (placed) =>
        node.isAway ? Promise.reject(new NodeUnreachableError('node:8332', 'cut off')) : chain.loader.load(placed),
    },
  }
  const findSynced = (id: string) => (id === 'btc' ? shaky : undefined)
  return {
    node,
    shaky,
    told,
    worker: createBatchService({ ...deps, findSynced, onFault: (error) => told.push(error) }),
  }
}

test('a node that is away for a moment is no result: what is asked at once fails whole, what is queued waits', async () => {
  const { node, shaky, told, worker } = shakyWorker()
  calls.length = 0
  await assert.rejects(worker.create(shaky, request), NodeUnreachableError)
  const made = await worker.create(shaky, { ...request, addresses: ['nonsense', ...addresses], webhookUrl })
  keepSecretOfTest(made.webhookSecret ?? '')
  assert.equal(await worker.step(), false)
  assert.equal((await worker.find(accountId, made.batchId))?.status, 'queued')
  assert.equal(told.length, 1, 'it is said')
  node.isAway = false
  assert.equal(await worker.step(), false, 'not before its time')
  clock.advance(30_000)
  await workUntilIdle(worker)
  const read = await worker.find(accountId, made.batchId)
  assert.deepEqual([read?.status, read?.summary], ['completed', { ok: 8, failed: 1 }])
  assert.deepEqual([read?.webhook?.status, calls.length], ['delivered', 1])
})

test('one that waits does not keep others, and after a day a fault that does not pass is a result', async () => {
  const { node, shaky, told, worker } = shakyWorker()
  const made = await worker.create(shaky, { ...request, addresses: ['nonsense', ...addresses], webhookUrl })
  keepSecretOfTest(made.webhookSecret ?? '')
  assert.equal(await worker.step(), false)
  node.isAway = false
  const later = await worker.create(shaky, { ...request, addresses: addresses.slice(0, 1), webhookUrl })
  keepSecretOfTest(later.webhookSecret ?? '')
  await workUntilIdle(worker)
  assert.equal((await worker.find(accountId, later.batchId))?.status, 'completed')
  node.isAway = true
  clock.advance(86_400_000 - 1)
  assert.equal(await worker.step(), false)
  assert.equal(told.length, 2)
  clock.advance(30_000)
  await workUntilIdle(worker)
  const read = await worker.find(accountId, made.batchId)
  assert.equal(read?.status, 'completed')
  assert.deepEqual(
    read.results.map(({ error }) => error?.code),
    ['INVALID_ADDRESS', ...addresses.map(() => 'INTERNAL_ERROR')],
  )
})

test('a process that dies leaves its batch to the next, and only one works on it', async () => {
  const made = await service.create(chain, { ...request, webhookUrl, addresses: addresses.slice(0, 2) })
  keepSecretOfTest(made.webhookSecret ?? '')
  const at = (ms: number) => new Date(clock.now() + ms)
  const taken = await Promise.all([
    claimBatch(database, ['btc'], at(0), at(120_000)),
    claimBatch(database, ['btc'], at(0), at(120_000)),
  ])
  assert.deepEqual(
    taken.map((found) => found?.id).filter((id) => id !== undefined),
    [made.batchId],
  )
  assert.equal(await service.step(), false, 'someone is at it')
  clock.advance(120_000)
  await workUntilIdle()
  assert.equal((await findBatch(database, accountId, made.batchId))?.status, 'completed')
})

test('too many that wait are refused; old ones go', async () => {
  const idle = createBatchService({ ...deps, findSynced: () => undefined })
  const { id } = await makePerson(database)
  const queue = () => idle.create(chain, { ...request, accountId: id, addresses: addresses.slice(0, 1), webhookUrl })
  for (let i = 0; i < 20; i++) keepSecretOfTest((await queue()).webhookSecret ?? '')
  await assert.rejects(queue(), /20 batches are waiting/)
  assert.ok((await deleteBatchesBefore(database, new Date(clock.now() + 1_000))) > 5)
})

test('a loop that is told to stop ends', async () => {
  const worker = createBatchService(deps)
  worker.start()
  await worker.stop()
  assert.deepEqual(faults, [])
})

test('the schedule of callbacks', () => {
  const failed = { ok: false, reason: 'no', isFinal: false } as const
  assert.deepEqual(afterAttempt(1, { ok: true }, 0), { status: 'delivered', nextAt: null, error: null })
  assert.deepEqual(afterAttempt(1, failed, 1_000), { status: 'retrying', nextAt: new Date(31_000), error: 'no' })
  assert.deepEqual(afterAttempt(6, failed, 0), { status: 'failed', nextAt: null, error: 'no' })
  assert.deepEqual(afterAttempt(1, { ...failed, isFinal: true }, 0).status, 'failed')
})
