/** What once doubled, lost or kept events of subscriptions: shared scripts, late subscriptions, indexes behind, floods. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BuiltInput, type BuiltTx, buildTx, outputScriptOf } from '../../../../testing/coins/block-builder.ts'
import { hdKey } from '../../../../testing/coins/hd-keys.ts'
import { type MemoryChain, startMemoryChain } from '../../../../testing/coins/memory-chain.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { testLog } from '../../../../testing/support/log.ts'
import { makeTestAccount } from '../../../../testing/support/service.ts'
import { systemClock } from '../../lib/clock.ts'
import { sql } from '../../platform/sql.ts'
import { readDescriptor } from '../descriptors/descriptor.ts'
import { indexTip } from '../index/follow.ts'
import { scriptMapKey } from '../mempool/mempool-view.ts'
import { bitcoinRegtest } from '../networks/bitcoin.ts'
import { describeScript } from '../parse/address.ts'
import { hashHex } from '../parse/block.ts'
import { scriptKey } from '../parse/script.ts'
import { createKeptWallets } from '../wallets/kept-wallets.ts'
import { type ChainFollower, createChainFollower, type FollowerDeps } from './chain-follower.ts'
import { MAX_EVENTS_PER_HOUR } from './event-limit.ts'
import { getCoinEvents } from './event-store.ts'
import { openCoinEventTail } from './event-tail.ts'
import { type NewCoinSubscription, saveCoinSubscription } from './subscription-store.ts'
import { COIN_EVENT_KINDS } from './transitions.ts'

const store = await createTestDatabase()
const { database } = store
const wallets = createKeptWallets({ database, clock: systemClock })

type World = {
  readonly memory: MemoryChain
  readonly follower: () => ChainFollower
  readonly restart: () => void
  readonly queued: number[]
  readonly pass: () => Promise<string>
}

/** A new chain and an account-free database: a test sees only its own events. */
async function startWorld(): Promise<World> {
  await database.query(sql`delete from user_account`)
  await database.query(sql`delete from coin_block`)
  await database.query(sql`update coin_cursor set height = null`)
  const memory = await startMemoryChain()
  const queued: number[] = []
  const deps: FollowerDeps = {
    database,
    alerts: { queue: async (_, ids) => void queued.push(...ids), retract: async () => undefined },
  }
  let follower = createChainFollower(deps, 'btc')
  return {
    memory,
    follower: () => follower,
    restart: () => {
      follower = createChainFollower(deps, 'btc')
    },
    queued,
    pass: () => follower.pass(memory.served),
  }
}

const heightOf = ({ memory }: World): number => indexTip(memory.served.index)?.height ?? 0

async function subscribe(
  world: World,
  accountId: string,
  kind: NewCoinSubscription['kind'],
  target: string,
  more: Partial<NewCoinSubscription> = {},
): Promise<number> {
  const made = await saveCoinSubscription(
    database,
    {
      accountId,
      chain: 'btc',
      kind,
      target,
      events: COIN_EVENT_KINDS,
      confirmations: 1,
      channels: ['webhook'],
      fromHeight: heightOf(world),
      ...more,
    },
    10_000,
  )
  return made?.id ?? assert.fail()
}

const walletAt = (seed: string) => {
  const descriptor = `wpkh(${hdKey(seed).tpub}/<0;1>/*)`
  const { branches } = readDescriptor(bitcoinRegtest, descriptor)
  const scriptAt = (index: number): Buffer => branches[0]?.scriptsAt(index)[0] ?? assert.fail()
  const addressAt = (index: number): string => describeScript(bitcoinRegtest, scriptAt(index)).address ?? assert.fail()
  const keep = async (accountId: string, gapLimit: number): Promise<string> =>
    (await wallets.keep({ accountId, chain: 'btc', name: 'a', descriptor, gapLimit }, 10))?.id ?? assert.fail()
  return { scriptAt, addressAt, keep }
}

/** `kind received` of the events of a subscription that hold, and `-kind reason` of retractions, in order. */
async function storyOf(accountId: string, id: number): Promise<string[]> {
  const events = await getCoinEvents(database, accountId, { after: 0, limit: 10_000 })
  return events
    .filter(({ event }) => event.subscriptionId === id)
    .map(({ isRetraction, event }) =>
      isRetraction ? `-${event.kind} ${event.retractedBecause}` : `${event.kind} ${event.received}`,
    )
}

const account = async (): Promise<string> => (await makeTestAccount(database)).id

let nonce = 0
/** An unconfirmed transaction with an input of its own that pays a script. */
function pay(
  { memory }: World,
  script: Buffer,
  value: number,
  input: BuiltInput = nextInput(),
): BuiltTx & { readonly id: string } {
  const tx = buildTx([input], [{ value, script }])
  memory.served.mempool.add({
    txid: hashHex(tx.txid),
    bytes: tx.bytes,
    inputs: [{ txid: hashHex(input.txid), vout: input.vout, script: 'other', value: value + 1 }],
    outputs: [{ script: scriptMapKey(scriptKey(script)), value }],
    fee: 1,
    vsize: 100,
    minedVsize: 100,
    time: 1,
  })
  return { ...tx, id: hashHex(tx.txid) }
}
const nextInput = () => ({ txid: Buffer.alloc(32, `input ${nonce++}`), vout: 0 })

/** Connects a block whose coinbase has so many outputs of others. Returns them as inputs. */
async function fund({ memory }: World, count: number) {
  const outputs = Array.from({ length: count }, () => ({ value: 1_000_000, script: outputScriptOf(1) }))
  const { txid } = await memory.add([], outputs)
  return outputs.map((_, vout) => ({ txid, vout }))
}

test('a script that an address and two wallets of two accounts share has its amount once when the wallets grow', async () => {
  const world = await startWorld()
  const [ann, ben] = [await account(), await account()]
  const { scriptAt, addressAt, keep } = walletAt('shared scripts')
  const ids = [
    [ann, await subscribe(world, ann, 'address', addressAt(4), { events: ['seen', 'confirmed'] })],
    [ann, await subscribe(world, ann, 'wallet', await keep(ann, 3), { events: ['seen', 'confirmed'] })],
    [ben, await subscribe(world, ben, 'wallet', await keep(ben, 3), { events: ['seen', 'confirmed'] })],
  ] as const
  await world.pass()
  // The first payment makes the wallets watch the address of the second, in the mempool and in a block.
  pay(world, scriptAt(2), 1_000)
  pay(world, scriptAt(4), 50)
  await world.pass()
  await world.memory.add(
    [],
    [
      { value: 7, script: scriptAt(5) },
      { value: 300, script: scriptAt(8) },
    ],
  )
  await world.pass()
  const stories = await Promise.all(ids.map(([owner, id]) => storyOf(owner, id)))
  assert.deepEqual(stories[0], ['seen 50'])
  for (const story of stories.slice(1)) assert.deepEqual(story.toSorted(), ['confirmed 307', 'seen 1000', 'seen 50'])
})

test('a block that was matched before a subscription was stored is not lost', async () => {
  const world = await startWorld()
  const ann = await account()
  const { scriptAt, addressAt } = walletAt('stored late')
  const fromHeight = heightOf(world)
  await world.memory.add([], [{ value: 5, script: scriptAt(0) }])
  await world.pass()
  const id = await subscribe(world, ann, 'address', addressAt(0), { fromHeight, events: ['confirmed'] })
  await world.pass()
  assert.deepEqual(await storyOf(ann, id), ['confirmed 5'])
  // A change of the subscription reports nothing earlier again.
  await subscribe(world, ann, 'address', addressAt(0), { events: ['confirmed', 'spent'] })
  await world.pass()
  world.restart()
  await world.pass()
  assert.deepEqual(await storyOf(ann, id), ['confirmed 5'])
})

for (const isRestarted of [false, true])
  test(`a payment beyond the gap limit is reported when the wallet grows${isRestarted ? ', after a restart' : ''}`, async () => {
    const world = await startWorld()
    const ann = await account()
    const { scriptAt, keep } = walletAt(`grows ${isRestarted}`)
    const id = await subscribe(world, ann, 'wallet', await keep(ann, 3), { events: ['confirmed'] })
    await world.pass()
    await world.memory.add([], [{ value: 40, script: scriptAt(4) }])
    await world.pass()
    assert.deepEqual(await storyOf(ann, id), [], 'it is beyond the gap limit')
    if (isRestarted) world.restart()
    await world.memory.add([], [{ value: 20, script: scriptAt(2) }])
    await world.pass()
    assert.deepEqual((await storyOf(ann, id)).toSorted(), ['confirmed 20', 'confirmed 40'])
    world.restart()
    await world.memory.add([])
    await world.pass()
    assert.equal((await storyOf(ann, id)).length, 2)
  })

test('an index that is behind, or in the middle of a reorg, retracts nothing', async () => {
  const world = await startWorld()
  const ann = await account()
  const { scriptAt, addressAt } = walletAt('behind')
  const id = await subscribe(world, ann, 'address', addressAt(0), { events: ['confirmed'] })
  const tx = buildTx(await fund(world, 1), [{ value: 9, script: scriptAt(0) }])
  await world.memory.add([])
  await world.memory.add([tx])
  await world.pass()
  const height = heightOf(world)
  // The index of a process that takes over has one block less.
  await world.memory.disconnectTo(height - 1)
  world.restart()
  assert.equal(await world.pass(), 'behind')
  // The index connects the blocks of another branch one by one.
  await world.memory.disconnectTo(height - 2)
  await world.memory.add([])
  const { served } = world.memory
  const ahead = { ...served, state: () => ({ ...served.state(), tip: { height, hash: 'f'.repeat(64) } }) }
  assert.equal(await world.follower().pass(ahead), 'behind')
  await world.memory.add([tx])
  await world.pass()
  assert.deepEqual(await storyOf(ann, id), ['confirmed 9'], 'the transaction is in the new branch')
  await world.memory.disconnectTo(height - 1)
  await world.memory.add([])
  served.mempool.publish(indexTip(served.index)?.hash)
  await world.pass()
  assert.deepEqual(await storyOf(ann, id), ['confirmed 9', '-confirmed reorganized'])
})

test('a replacement that pays the same address is one payment more, and the replaced one is not followed forever', async () => {
  const world = await startWorld()
  const ann = await account()
  const { scriptAt, addressAt } = walletAt('replaced')
  const [input] = await fund(world, 1)
  const id = await subscribe(world, ann, 'address', addressAt(0))
  const { mempool, index } = world.memory.served
  mempool.publish(indexTip(index)?.hash)
  const first = pay(world, scriptAt(0), 60, input)
  await world.pass()
  mempool.remove(first.id)
  const second = pay(world, scriptAt(0), 50, input)
  await world.pass()
  const story = ['seen 60', '-seen replaced', 'replaced 60', 'seen 50']
  assert.deepEqual(await storyOf(ann, id), story)
  mempool.remove(second.id)
  await world.memory.add([second])
  mempool.publish(indexTip(index)?.hash)
  world.restart()
  await world.pass()
  assert.deepEqual(await storyOf(ann, id), [...story, 'confirmed 50'])
  for (let i = 0; i < bitcoinRegtest.undoDepth; i++) await world.memory.add([])
  mempool.publish(indexTip(index)?.hash)
  await world.pass()
  const { rows } = await database.query(sql`select txid from coin_activity`)
  assert.deepEqual(rows, [], 'no reorg can change anything')
  assert.deepEqual(await storyOf(ann, id), [...story, 'confirmed 50'])
})

test('spenders of a transaction are searched when another output is spent, not at every block', async () => {
  const world = await startWorld()
  const ann = await account()
  const { scriptAt } = walletAt('spenders')
  const outputs = [0, 1].map((index) => ({ value: 500, script: scriptAt(index) }))
  const tx = buildTx(await fund(world, 1), outputs)
  await world.memory.add([tx])
  const id = await subscribe(world, ann, 'transaction', hashHex(tx.txid), { events: ['spent'] })
  let loads = 0
  const { loader, ...served } = world.memory.served
  const counted = {
    ...served,
    loader: { ...loader, load: (txs: Parameters<typeof loader.load>[0]) => (loads++, loader.load(txs)) },
  }
  const pass = async (): Promise<number> => {
    const before = loads
    await world.follower().pass(counted)
    return loads - before
  }
  await pass()
  const spend = (vout: number): BuiltTx =>
    buildTx([{ txid: tx.txid, vout }], [{ value: 400 + vout, script: scriptAt(9) }])
  await world.memory.add([spend(0)])
  assert.ok((await pass()) > 0)
  await world.memory.add([])
  assert.equal(await pass(), 0)
  await world.memory.add([spend(1)])
  assert.ok((await pass()) > 0)
  assert.deepEqual(await storyOf(ann, id), ['spent 0', 'spent 0'])
  // A reorg removes the second spender.
  await world.memory.disconnectTo(heightOf(world) - 1)
  await world.memory.add([])
  served.mempool.publish(indexTip(served.index)?.hash)
  await pass()
  assert.deepEqual(await storyOf(ann, id), ['spent 0', 'spent 0', '-spent reorganized'])
})

test('two payments in one block, and two outputs of one transaction, are two events with exact amounts', async () => {
  const world = await startWorld()
  const ann = await account()
  const { scriptAt, addressAt } = walletAt('twice')
  const id = await subscribe(world, ann, 'address', addressAt(0), { events: ['confirmed'] })
  const twice = buildTx(await fund(world, 1), [
    { value: 3, script: scriptAt(0) },
    { value: 4, script: scriptAt(0) },
  ])
  await world.memory.add([twice], [{ value: 5, script: scriptAt(0) }])
  await world.pass()
  assert.deepEqual((await storyOf(ann, id)).toSorted(), ['confirmed 5', 'confirmed 7'])
})

test('a flood of payments reports so many an hour, then how many more, and leaves nothing behind', async () => {
  const world = await startWorld()
  const ann = await account()
  const { scriptAt, addressAt } = walletAt('flood')
  const id = await subscribe(world, ann, 'address', addressAt(0), { events: ['seen', 'confirmed'] })
  const other = await subscribe(world, ann, 'address', addressAt(1), { events: ['seen', 'confirmed'] })
  const { mempool, index } = world.memory.served
  const inputs = await fund(world, MAX_EVENTS_PER_HOUR + 50)
  mempool.publish(indexTip(index)?.hash)
  const txs = inputs.map((input, i) => pay(world, scriptAt(0), i + 1, input))
  pay(world, scriptAt(1), 5)
  await world.pass()
  const countOf = async (subscription: number, kind: string): Promise<number> => {
    const story = await storyOf(ann, subscription)
    return story.filter((each) => each.startsWith(`${kind} `)).length
  }
  assert.equal(await countOf(id, 'seen'), MAX_EVENTS_PER_HOUR)
  assert.deepEqual(await storyOf(ann, other), ['seen 5'], 'others are not limited by it')
  // What was not reported is neither reported later nor retracted, by whichever process.
  world.restart()
  assert.equal(await world.pass(), 'unchanged')
  for (const { id: txid } of txs) mempool.remove(txid)
  await world.memory.add(txs)
  mempool.publish(indexTip(index)?.hash)
  await world.pass()
  assert.deepEqual([await countOf(id, 'confirmed'), await countOf(id, '-seen')], [0, 0])
  const activities = async (): Promise<number> => {
    const { rows } = await database.query<{ count: number }>(
      sql`select count(*)::int as count from coin_activity where subscription_id = $1`,
      [id],
    )
    return rows[0]?.count ?? 0
  }
  assert.equal(await activities(), MAX_EVENTS_PER_HOUR, 'only reported transactions are followed')
  await world.follower().endHours()
  assert.equal(await countOf(id, 'more'), 0, 'the hour is not over')

  await database.query(sql`update coin_event_hour set hour = hour - interval '1 hour'`)
  await world.follower().endHours()
  await world.follower().endHours()
  const events = await getCoinEvents(database, ann, { after: 0, limit: 10_000 })
  const more = events.filter(({ event }) => event.kind === 'more').map(({ event }) => event)
  assert.deepEqual(
    more.map((event) => [event.subscriptionId, event.count, event.txid, event.target]),
    [[id, 50 + txs.length, null, addressAt(0)]],
  )
  assert.equal(world.queued.filter((queued) => queued === more[0]?.id).length, 1)
  // The next hour reports again.
  pay(world, scriptAt(0), 77)
  await world.pass()
  assert.equal((await storyOf(ann, id)).at(-1), 'seen 77')
})

test('a reader that resumes with the cursor of another account gets its own events only', async () => {
  const world = await startWorld()
  const [ann, ben] = [await account(), await account()]
  const { scriptAt, addressAt } = walletAt('readers')
  await subscribe(world, ann, 'address', addressAt(0), { events: ['seen'] })
  await subscribe(world, ben, 'address', addressAt(1), { events: ['seen'] })
  for (let i = 0; i < 4; i++) {
    pay(world, scriptAt(i % 2), 10 + i)
    await world.pass()
  }
  const tail = await openCoinEventTail({ database, url: store.url, log: testLog })
  const ofAnn = await getCoinEvents(database, ann, { after: 0, limit: 10 })
  const reader = await tail.open(ben, ofAnn[0]?.position)
  const read = await reader.next({ signal: AbortSignal.timeout(10_000), waitMs: 1 })
  await tail.close()
  assert.deepEqual(
    read.map(({ event }) => [event.accountId, event.received]),
    [
      [ben, 11],
      [ben, 13],
    ],
  )
})
