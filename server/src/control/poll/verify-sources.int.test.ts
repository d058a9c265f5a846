/** Source checks against a server with valid and invalid responses of Sourcify. */

import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { after, test } from 'node:test'
import { accountWithWebhook, deliveriesTo, subscribe } from '../../../../testing/support/alerts.ts'
import { hexOf } from '../../../../testing/support/control-records.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { testLog } from '../../../../testing/support/log.ts'
import { serve } from '../../../../testing/support/receivers.ts'
import { systemClock, type Timing } from '../../lib/clock.ts'
import { type Hex, toBytes } from '../../lib/hex.ts'
import { inTransaction } from '../../platform/database.ts'
import { takeLease } from '../../platform/leases.ts'
import { sql } from '../../platform/sql.ts'
import { findChain } from '../chains/chains.ts'
import { deleteEventsAbove } from '../feed/events.ts'
import { unprofiled } from '../profile/profile.ts'
import type { StorageLayout } from '../profile/storage-layouts.ts'
import { saveContract } from '../registry/contracts.ts'
import { findContractView } from '../views/contract-view.ts'
import { getProtocolContracts } from '../views/protocol-view.ts'
import { findProfile, findSnapshot, savePoll } from './profile-store.ts'
import { createSourcify } from './sourcify.ts'
import { startSourceVerification } from './verify-sources.ts'

const { database } = await createTestDatabase()
const chain = findChain(1) ?? assert.fail()

/** Contracts with source; `responses` replaces the response for an address. */
const published = new Set<string>()
const responses = new Map<string, RequestListener>()
const layouts = new Map<string, StorageLayout>()
const requested: string[] = []
const url = await serve((request, response) => {
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const [, , , , chainId, address = ''] = path.split('/')
  requested.push(query === '' ? address : `${address}?${query}`)
  const other = responses.get(address)
  if (other !== undefined) return other(request, response)
  const match = published.has(address) ? 'exact_match' : null
  response.writeHead(match === null ? 404 : 200, { 'content-type': 'application/json' })
  const storageLayout = query === '' ? undefined : (layouts.get(address) ?? null)
  response.end(JSON.stringify({ match, creationMatch: null, runtimeMatch: match, chainId, address, storageLayout }))
})

/** Checks when the test requests it; each step ends in the pause that would follow. */
function asking({ mayVerify = async () => true, timeoutMs = 60_000 } = {}) {
  let asleep = Promise.withResolvers<number>()
  let wake = () => {}
  const timing: Timing = {
    now: Date.now,
    sleep: (ms, signal) => {
      const woken = Promise.withResolvers<void>()
      wake = woken.resolve
      signal?.addEventListener('abort', () => woken.resolve())
      asleep.resolve(ms)
      asleep = Promise.withResolvers<number>()
      return woken.promise
    },
  }
  const first = asleep.promise
  const sourcify = createSourcify({ url: `${url}/server/`, timeoutMs })
  const { stop } = startSourceVerification({ database, log: testLog, sourcify, timing }, { chainIds: [1], mayVerify })
  after(stop)
  const step = async (): Promise<number> => {
    const next = asleep.promise
    wake()
    return await next
  }
  return { first, step, stop }
}

/** Until no check is due. */
async function askAll(): Promise<void> {
  const { first, step, stop } = asking()
  await first
  for (;;) {
    const before = requested.length
    await step()
    if (requested.length === before) break
  }
  await stop()
}

let made = 0x5000
const nextAddress = (): Hex => hexOf((made += 1), 20)
let height = 100
/** Long before the first poll. */
const began = Date.now() - 86_400_000
const timeOf = (block: number): number => began + block * 1_000

/** Stores a poll that finds this logic behind the contract. */
async function storePoll(
  address: Hex,
  implementation: Hex | null,
  hash = hexOf(7, 32),
  codeHash: Hex | null = hexOf(1, 32),
): Promise<void> {
  height += 1
  const contract = { chainId: 1, address }
  const last = await findSnapshot(database, contract)
  const logic = implementation === null ? [] : [implementation]
  const isNew = last?.fields.implementation !== undefined && last.fields.implementation !== implementation
  await savePoll(database, {
    ...contract,
    block: { number: height, hash: hexOf(height, 32), time: timeOf(height) },
    fields: { implementation, codeHash },
    since: last?.polledBlock,
    events: [],
    profile: { ...unprofiled(contract), label: 'multisig', kind: 'proxy_transparent' },
    cause: [],
    controllers: [],
    sources: logic.map((each) => ({ chainId: 1, address: each })),
    codes: [
      { address, codeHash: hexOf(1, 32), isNew: false },
      ...logic.map((each) => ({ address: each, codeHash: hash, isNew })),
    ],
  })
}

const shown = async (address: Hex) => {
  const { contract, controlProfile, recentEvents } =
    (await findContractView({ database, clock: systemClock }, { chain, address })) ?? assert.fail()
  return {
    verified: contract?.verified,
    implementationVerified: contract?.metadata.implementationVerified,
    label: controlProfile.label,
    events: recentEvents.map(({ eventKey, severity, args }) => ({ eventKey, severity, args })),
  }
}
const checkOf = async (address: Hex) => {
  const { rows } = await database.query<{ published: boolean | null; checked_at: Date | null; next: string | null }>(
    sql`select published, checked_at, extract(epoch from check_at - checked_at)::int::text as next from source_check where address = $1`,
    [toBytes(address)],
  )
  return rows[0] ?? assert.fail()
}
const proxy = async (implementation: Hex | null): Promise<Hex> => {
  const address = nextAddress()
  await saveContract(database, { chainId: 1, address }, { protocol: 'Example' })
  await storePoll(address, implementation)
  return address
}

test('published source is final; unpublished source is checked again after a day', async () => {
  const [logic, other] = [nextAddress(), nextAddress()]
  published.add(logic)
  const [known, unknown] = [await proxy(logic), await proxy(other)]
  assert.deepEqual(await shown(known), {
    verified: false,
    implementationVerified: undefined,
    label: 'multisig',
    events: [],
  })
  published.add(known)
  await askAll()
  assert.deepEqual(new Set(requested.splice(0)), new Set([logic, other, known, unknown]), 'each once')
  assert.deepEqual(await shown(known), {
    verified: true,
    implementationVerified: true,
    label: 'multisig',
    events: [],
  })
  assert.deepEqual(await shown(unknown), {
    verified: false,
    implementationVerified: false,
    label: 'multisig',
    events: [],
  })
  const { rows } = await database.query<{ id: number }>(sql`select id from protocol where slug = 'example'`)
  const contracts = await getProtocolContracts(database, rows[0]?.id ?? 0, new Date(0))
  assert.deepEqual(new Map(contracts.map(({ address, verified }) => [address, verified])).get(known), true)
  assert.deepEqual([(await checkOf(logic)).next, (await checkOf(other)).next], [null, '86400'])

  await storePoll(known, logic)
  await storePoll(unknown, other)
  await askAll()
  assert.deepEqual(requested.splice(0), [], 'the same code is not checked twice')

  await database.query(sql`update source_check set check_at = now() where address = $1`, [toBytes(other)])
  published.add(other)
  await askAll()
  assert.deepEqual(requested.splice(0), [other])
  assert.equal((await shown(unknown)).implementationVerified, true)
})

test('a deployment with unpublished logic is no upgrade', async () => {
  const address = nextAddress()
  await saveContract(database, { chainId: 1, address })
  await storePoll(address, null, undefined, null)
  await storePoll(address, nextAddress())
  await askAll()
  assert.deepEqual((await shown(address)).events, [])
})

test('other code at the same address is checked again', async () => {
  const logic = nextAddress()
  published.add(logic)
  const address = await proxy(logic)
  await askAll()
  assert.equal((await shown(address)).implementationVerified, true)
  published.delete(logic)
  await storePoll(address, logic, hexOf(8, 32))
  assert.equal((await shown(address)).implementationVerified, undefined)
  await askAll()
  assert.equal((await shown(address)).implementationVerified, false)
})

test('an upgrade to unpublished code is one event and changes no label', async () => {
  const [before, unpublished, fine, vouched] = [nextAddress(), nextAddress(), nextAddress(), nextAddress()]
  const account = await accountWithWebhook(database)
  const address = await proxy(before)
  await subscribe(database, account, address, { minSeverity: 'critical' })
  await askAll()
  assert.deepEqual(await deliveriesTo(database, account), [], 'code that always ran is not an event')

  published.add(fine)
  await storePoll(address, fine)
  await saveContract(database, { chainId: 1, address: vouched })
  await database.query(sql`update contract set verified = true where address = $1`, [toBytes(vouched)])
  await askAll()
  await storePoll(address, vouched)
  await askAll()
  assert.deepEqual((await shown(address)).events, [], 'Sourcify has the one, the registry vouches for the other')
  assert.equal((await shown(address)).implementationVerified, true)

  requested.splice(0)
  const waiting = await proxy(null)
  await storePoll(address, unpublished)
  await askAll()
  assert.deepEqual(requested, [unpublished, waiting], 'an upgrade does not wait for those that came before')
  await database.query(sql`update source_check set check_at = now() where address = $1`, [toBytes(unpublished)])
  await askAll()
  const expected = {
    eventKey: 'slot.implementation_unpublished',
    severity: 'critical',
    args: {
      field: 'implementation',
      previous: vouched,
      current: unpublished,
      reason: 'Sourcify has no source of the new code',
    },
  }
  assert.deepEqual(await shown(address), {
    verified: false,
    implementationVerified: false,
    label: 'multisig',
    events: [expected],
  })
  assert.deepEqual(
    (await deliveriesTo(database, account)).map(({ key }) => key),
    ['slot.implementation_unpublished'],
  )
  assert.deepEqual((await findProfile(database, { chainId: 1, address }))?.reasons, [{ code: 'not_profiled' }])

  await storePoll(address, before)
  await askAll()
  const [first] = (await shown(address)).events
  assert.equal(first?.args.current, before, 'back to code that is known to have no source: reported again')
})

test('the event of an unpublished upgrade has the time of its block and is rolled back with it', async () => {
  const [before, unpublished] = [nextAddress(), nextAddress()]
  const address = await proxy(before)
  await storePoll(address, unpublished)
  const upgradedAt = height
  await askAll()
  const times = async () => {
    const { recentEvents } =
      (await findContractView({ database, clock: systemClock }, { chain, address })) ?? assert.fail()
    return recentEvents.map(({ blockTime }) => new Date(blockTime).getTime())
  }
  assert.deepEqual(await times(), [timeOf(upgradedAt)])
  const back = { number: upgradedAt - 1, time: timeOf(upgradedAt - 1) }
  await inTransaction(database, (client) => deleteEventsAbove(client, 1, back))
  assert.deepEqual(await times(), [])
})

test('an upgrade that moves variables in storage is one event for each contract and changes no label', async () => {
  const [before, moved, same] = [nextAddress(), nextAddress(), nextAddress()]
  const types = { number: { encoding: 'inplace', label: 'uint256', numberOfBytes: '32' } }
  const layoutOf = (...labels: readonly string[]): StorageLayout => ({
    storage: labels.map((label, slot) => ({ label, slot: String(slot), offset: 0, type: 'number' })),
    types: { ...types, owner: { encoding: 'inplace', label: 'address', numberOfBytes: '20' } },
  })
  const inserted = layoutOf('supply', 'cap')
  const owner = { label: 'owner', slot: '0', offset: 0, type: 'owner' }
  layouts.set(before, layoutOf('supply'))
  layouts.set(moved, { ...inserted, storage: [owner, ...inserted.storage.slice(1)] })
  layouts.set(same, inserted)
  for (const each of [before, moved, same]) published.add(each)
  const [address, other] = [await proxy(before), await proxy(before)]
  await askAll()
  await storePoll(address, same)
  await askAll()
  assert.deepEqual((await shown(address)).events, [], 'a variable was added')
  await storePoll(address, moved)
  await askAll()
  await storePoll(other, moved)
  await askAll()
  const event = (previous: Hex, name: string) => ({
    eventKey: 'slot.storage_layout_changed',
    severity: 'high',
    args: {
      field: 'implementation',
      previous,
      current: moved,
      changes: [{ slot: '0', offset: 0, previous: `uint256 ${name}`, current: 'address owner' }],
    },
  })
  assert.deepEqual((await shown(address)).events, [event(same, 'supply')])
  assert.deepEqual((await shown(other)).events, [event(before, 'supply')])
  assert.equal((await shown(address)).label, 'multisig')
})

test('an upgrade without layouts, or with one that cannot be read, is no event', async () => {
  const [before, after] = [nextAddress(), nextAddress()]
  for (const each of [before, after]) published.add(each)
  const address = await proxy(before)
  await askAll()
  layouts.set(after, { storage: [{ label: 'x', slot: '-1', offset: 0, type: 'number' }], types: {} })
  await storePoll(address, after)
  await askAll()
  assert.deepEqual((await shown(address)).events, [])
  assert.equal((await shown(address)).implementationVerified, true)
})

test('an old upgrade is not reported', async () => {
  const [before, unpublished] = [nextAddress(), nextAddress()]
  const address = await proxy(before)
  await storePoll(address, unpublished)
  await database.query(sql`update control_snapshot set taken_at = now() - interval '8 days' where address = $1`, [
    toBytes(address),
  ])
  await askAll()
  assert.deepEqual((await shown(address)).events, [])
  assert.equal((await shown(address)).implementationVerified, false)
})

const FAILURES: Readonly<
  Record<string, { readonly respond: RequestListener; readonly steps: boolean; readonly timeoutMs?: number }>
> = {
  'a refusal': { respond: (_, response) => void response.writeHead(429).end('{}'), steps: false },
  'a fault': { respond: (_, response) => void response.writeHead(503).end('<html>'), steps: false },
  'a connection that breaks': { respond: (request) => void request.socket.destroy(), steps: false },
  'no response in time': { respond: () => {}, steps: false, timeoutMs: 1_000 },
  'half a response': {
    respond: (_, response) => void response.writeHead(200).write('{"match":'),
    steps: false,
    timeoutMs: 1_000,
  },
  'an endless response': {
    respond: (_, response) => {
      const more = () => response.writable && response.write(' '.repeat(32_768), more)
      response.writeHead(200)
      more()
    },
    steps: true,
  },
  'a length too large': {
    respond: (_, response) => response.writeHead(200, { 'content-length': '99999999' }).flushHeaders(),
    steps: true,
  },
  'another page': { respond: (_, response) => void response.writeHead(404).end('<html>'), steps: true },
  'something else': { respond: (_, response) => void response.writeHead(200).end('{"match":"match"}'), steps: true },
  'a way elsewhere': {
    respond: (_, response) => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
    steps: false,
  },
}

for (const [name, { respond, steps, ...patience }] of Object.entries(FAILURES))
  test(`${name} changes no stored result, and the next request waits`, async () => {
    await database.query(sql`update source_check set check_at = null`)
    const logic = nextAddress()
    const address = await proxy(logic)
    await askAll()
    const before = await checkOf(logic)
    assert.equal(before.published, false)
    await database.query(sql`update source_check set check_at = now() - interval '1 minute' where address = $1`, [
      toBytes(logic),
    ])
    responses.set(logic, respond)
    requested.splice(0)
    const { first, step, stop } = asking(patience)
    const pauses = [await first, await step()]
    assert.deepEqual(pauses, steps ? [5_000, 1_000] : [5_000, 10_000])
    assert.deepEqual(requested, steps ? [logic] : [logic, logic], 'a contract that causes the failure is postponed')
    const { published: still, checked_at: at } = await checkOf(logic)
    assert.deepEqual([still, at], [before.published, before.checked_at])
    assert.equal((await shown(address)).implementationVerified, false)
    await stop()
    responses.delete(logic)
    published.add(logic)
    await database.query(sql`update source_check set check_at = now() where address = $1`, [toBytes(logic)])
    await askAll()
    assert.equal((await shown(address)).implementationVerified, true)
  })

test('Retry-After is honored up to an hour; a contract that always fails does not block the others', async () => {
  await database.query(sql`update source_check set check_at = null`)
  const [bad, good] = [await proxy(null), await proxy(null)]
  published.add(good)
  let retryAfter = '40'
  responses.set(bad, (_, response) => void response.writeHead(429, { 'retry-after': retryAfter }).end())
  const { first, step, stop } = asking()
  assert.equal(await first, 40_000)
  retryAfter = '999999'
  assert.deepEqual([await step(), await step()], [3_600_000, 3_600_000])
  assert.equal(await step(), 1_000)
  assert.equal((await shown(good)).verified, true)
  await stop()
})

test('only one process makes requests', async () => {
  await database.query(sql`update source_check set check_at = null`)
  const [one, two] = [await proxy(null), await proxy(null)]
  requested.splice(0)
  const lease = (holder: string) => async () => (await takeLease(database, 'sourcify', holder, 60_000)) !== undefined
  const mine = asking({ mayVerify: lease('mine') })
  await mine.first
  const theirs = asking({ mayVerify: lease('theirs') })
  await theirs.first
  await theirs.step()
  assert.deepEqual(requested, [one])
  await mine.step()
  assert.deepEqual(requested, [one, two])
  await Promise.all([mine.stop(), theirs.stop()])
})
