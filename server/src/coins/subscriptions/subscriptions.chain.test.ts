/** Subscriptions to a real node: every event is one record, and it is retracted when it does not hold any more. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { hdKey } from '../../../../testing/coins/hd-keys.ts'
import { missingLitecoind } from '../../../../testing/coins/litecoind.ts'
import { type ServedNode, startServedLitecoind } from '../../../../testing/coins/served-litecoind.ts'
import { accountWithWebhook } from '../../../../testing/support/alerts.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { seededRandom } from '../../../../testing/support/random.ts'
import { systemClock } from '../../lib/clock.ts'
import { sql } from '../../platform/sql.ts'
import { readDescriptor } from '../descriptors/descriptor.ts'
import { litecoinRegtest } from '../networks/litecoin.ts'
import { describeScript } from '../parse/address.ts'
import { createKeptWallets } from '../wallets/kept-wallets.ts'
import { type ChainFollower, createChainFollower, type FollowerDeps, type Pass } from './chain-follower.ts'
import { getCoinEvents } from './event-store.ts'
import { type NewCoinSubscription, saveCoinSubscription } from './subscription-store.ts'
import { COIN_EVENT_KINDS } from './transitions.ts'

const { database } = await createTestDatabase()
const queued: number[] = []
const retractedIds: number[] = []
const deps: FollowerDeps = {
  database,
  alerts: {
    queue: async (_, ids) => void queued.push(...ids),
    retract: async (_, ids) => void retractedIds.push(...ids),
  },
}

describe('subscriptions', { skip: missingLitecoind(), timeout: 300_000 }, () => {
  let node: ServedNode
  let follower: ChainFollower
  let account: { readonly id: string }
  let second: { readonly id: string }

  before(async () => {
    // A stop waits so long for idle connections.
    node = await startServedLitecoind(['-rpcservertimeout=5'])
    await node.mine(120)
    account = await accountWithWebhook(database)
    second = await accountWithWebhook(database)
    follower = createChainFollower(deps, 'ltc')
    await pass()
  })
  after(() => node.daemon.remove())

  const pass = async (): Promise<Pass> => follower.pass(await node.chain())
  const newAddress = (): Promise<string> => node.a('getnewaddress', '', 'bech32')
  const height = (): Promise<number> => node.daemon.call('getblockcount')

  async function subscribe(kind: NewCoinSubscription['kind'], target: string, more: Partial<NewCoinSubscription> = {}) {
    const made = await saveCoinSubscription(
      database,
      {
        accountId: account.id,
        chain: 'ltc',
        kind,
        target,
        events: COIN_EVENT_KINDS,
        confirmations: 1,
        channels: ['webhook'],
        fromHeight: await height(),
        ...more,
      },
      1_000,
    )
    return made?.id ?? assert.fail('not subscribed')
  }

  /** The order of events and retractions of a subscription. */
  async function storyOf(id: number): Promise<string[]> {
    const all = [account, second].map((each) => getCoinEvents(database, each.id, { after: 0, limit: 10_000 }))
    return (await Promise.all(all))
      .flat()
      .filter(({ event }) => event.subscriptionId === id)
      .map(({ isRetraction, event: { kind, txid, retractedBecause } }) =>
        isRetraction ? `${kind} ${txid?.slice(0, 8)} ${retractedBecause}` : `${kind} ${txid?.slice(0, 8)}`,
      )
  }
  const short = (txid: string): string => txid.slice(0, 8)

  test('a payment is seen, confirmed after so many blocks, and spent', async () => {
    const address = await newAddress()
    const id = await subscribe('address', address, { confirmations: 3 })
    const txid = await node.a<string>('sendtoaddress', address, 1.25)
    await pass()
    assert.equal(await pass(), 'unchanged', 'nothing happened')
    await node.mine(2)
    await pass()
    assert.deepEqual(await storyOf(id), [`seen ${short(txid)}`])
    await node.mine(1)
    await pass()
    assert.deepEqual(await storyOf(id), [`seen ${short(txid)}`, `confirmed ${short(txid)}`])
    const [, confirmed] = await getCoinEvents(database, account.id, { after: 0, limit: 10 })
    const { event } = confirmed ?? assert.fail()
    assert.deepEqual(
      [event.received, event.sent, event.blockHeight, event.confirmations, event.targetKind, event.target],
      [125_000_000, 0, (await height()) - 2, 3, 'address', address],
    )
    const spender = await spend(txid, address, node.miner)
    await pass()
    assert.deepEqual((await storyOf(id)).slice(2), [`seen ${short(spender)}`, `spent ${short(spender)}`])
  })

  /** Spends the output of a transaction that pays to the address. */
  async function spend(txid: string, address: string, to: string): Promise<string> {
    const { n: vout, value } = await outputOf(txid, address)
    const amount = (Number(value) - 0.001).toFixed(8)
    const raw = await node.a<string>('createrawtransaction', [{ txid, vout }], { [to]: amount })
    const { hex } = await node.a<{ hex: string }>('signrawtransactionwithwallet', raw)
    return await node.daemon.call<string>('sendrawtransaction', hex)
  }

  /** Restarts the node with an empty mempool, which its wallet does not fill. */
  async function drop(): Promise<void> {
    await node.daemon.stop()
    await node.daemon.start(['-persistmempool=0', '-walletbroadcast=0'])
  }
  /** The wallet sends its unconfirmed transactions again. */
  async function restore(): Promise<void> {
    await node.daemon.stop()
    await node.daemon.start()
    await node.daemon.call('loadwallet', 'a')
  }

  async function outputOf(txid: string, address: string): Promise<{ n: number; value: string | number }> {
    type Output = { n: number; value: string | number; scriptPubKey: { addresses?: string[]; address?: string } }
    const { decoded } = await node.a<{ decoded: { vout: Output[] } }>('gettransaction', txid, true, true)
    const found = decoded.vout.find(({ scriptPubKey: { addresses, address: one } }) =>
      [one, ...(addresses ?? [])].includes(address),
    )
    return found ?? assert.fail('no output')
  }

  test('events of an earlier block are not reported', async () => {
    const address = await newAddress()
    await node.a('sendtoaddress', address, 1)
    await node.mine(1)
    const id = await subscribe('address', address)
    await pass()
    await node.mine(1)
    await pass()
    assert.deepEqual(await storyOf(id), [])
  })

  test('a process that was down for blocks and died in between reports each event once', async () => {
    const address = await newAddress()
    const id = await subscribe('address', address, { events: ['confirmed'] })
    const txids = []
    for (let i = 0; i < 3; i++) {
      txids.push(await node.a<string>('sendtoaddress', address, 1 + i))
      await node.mine(1)
    }
    const dying = createChainFollower(
      { ...deps, alerts: { ...deps.alerts, queue: () => Promise.reject(new Error('killed')) } },
      'ltc',
    )
    await assert.rejects(dying.pass(await node.chain()), /killed/)
    assert.deepEqual(await storyOf(id), [])
    follower = createChainFollower(deps, 'ltc')
    await pass()
    const story = await storyOf(id)
    assert.deepEqual(story.toSorted(), txids.map((txid) => `confirmed ${short(txid)}`).toSorted())
    follower = createChainFollower(deps, 'ltc')
    await pass()
    assert.deepEqual(await storyOf(id), story)
    assert.equal(new Set(queued).size, queued.length)
  })

  test('a reorg of several blocks retracts what it removed and keeps what it kept', async () => {
    const [kept, removed] = [await newAddress(), await newAddress()]
    const [first, second] = [
      await subscribe('address', kept, { events: ['confirmed'] }),
      await subscribe('address', removed, { events: ['seen', 'confirmed', 'spent'], confirmations: 2 }),
    ]
    const one = await node.a<string>('sendtoaddress', kept, 1)
    const two = await node.a<string>('sendtoaddress', removed, 2)
    const [lowest = ''] = await node.mine(3)
    await pass()
    assert.deepEqual(
      [await storyOf(first), await storyOf(second)],
      [[`confirmed ${short(one)}`], [`confirmed ${short(two)}`]],
    )
    await node.daemon.call('invalidateblock', lowest)
    // The first block of the new branch has one of the two payments.
    const { hex } = await node.a<{ hex: string }>('gettransaction', one)
    await node.daemon.call('generateblock', node.miner, [hex.length > 0 ? one : ''])
    for (let i = 0; i < 4; i++) await node.daemon.call('generateblock', node.miner, [])
    follower = createChainFollower(deps, 'ltc')
    await pass()
    assert.deepEqual(await storyOf(first), [`confirmed ${short(one)}`], 'it is in the new branch')
    assert.deepEqual(await storyOf(second), [
      `confirmed ${short(two)}`,
      `confirmed ${short(two)} reorganized`,
      `seen ${short(two)}`,
    ])
    await node.mine(2)
    await pass()
    assert.deepEqual((await storyOf(second)).slice(3), [`confirmed ${short(two)}`])
    const { rows } = await database.query(
      sql`select subscription_id, kind, txid from coin_event where retracted_at is null group by 1, 2, 3 having count(*) > 1`,
    )
    assert.deepEqual(rows, [])
  })

  test('a subscription that is added, changed or deleted between two passes counts at once', async () => {
    const address = await newAddress()
    const [first, other] = [
      await subscribe('address', address),
      await subscribe('address', address, { accountId: second.id, events: ['confirmed'] }),
    ]
    const one = await node.a<string>('sendtoaddress', address, 1)
    await pass()
    await database.query(sql`delete from coin_subscription where id = $1`, [first])
    await subscribe('address', address, { accountId: second.id, events: ['seen', 'confirmed'] })
    const late = await subscribe('address', await newAddress())
    const two = await node.a<string>('sendtoaddress', address, 2)
    await pass()
    await node.mine(1)
    await pass()
    assert.deepEqual([await storyOf(first), await storyOf(late)], [[`seen ${short(one)}`], []])
    const story = [`seen ${short(one)}`, `seen ${short(two)}`, `confirmed ${short(one)}`, `confirmed ${short(two)}`]
    assert.deepEqual((await storyOf(other)).toSorted(), story.toSorted())
  })

  test('a replaced payment is reported with its replacement, in the mempool and in a block', async () => {
    const address = await newAddress()
    const id = await subscribe('address', address)
    const txid = await node.a<string>('sendtoaddress', address, 1)
    await pass()
    const { txid: bumped } = await node.a<{ txid: string }>('bumpfee', txid)
    await pass()
    assert.deepEqual(await storyOf(id), [
      `seen ${short(txid)}`,
      `seen ${short(txid)} replaced`,
      `replaced ${short(txid)}`,
      `seen ${short(bumped)}`,
    ])
    await node.mine(1)
    await pass()
    assert.deepEqual((await storyOf(id)).slice(4), [`confirmed ${short(bumped)}`])
  })

  test('a transaction is subscribed to before it exists, while it is unconfirmed, and in a block', async () => {
    const [address, other] = [await newAddress(), await newAddress()]
    const txid = await node.a<string>('sendtoaddress', address, 3)
    const early = await subscribe('transaction', txid, { confirmations: 2 })
    await pass()
    await node.mine(1)
    const late = await subscribe('transaction', txid, { accountId: second.id })
    await pass()
    assert.deepEqual(
      [await storyOf(early), await storyOf(late)],
      [[`seen ${short(txid)}`], [`confirmed ${short(txid)}`]],
    )
    const spender = await spend(txid, address, other)
    await pass()
    await node.mine(1)
    await pass()
    assert.deepEqual(await storyOf(early), [
      `seen ${short(txid)}`,
      `spent ${short(spender)}`,
      `confirmed ${short(txid)}`,
    ])
    assert.deepEqual(await storyOf(late), [`confirmed ${short(txid)}`, `spent ${short(spender)}`])
    assert.equal(await subscribe('transaction', txid), early, 'it is changed')
    // A spender that was never in the mempool.
    const direct = await subscribe('transaction', spender, { events: ['spent'] })
    const last = await spend(spender, other, node.miner)
    await node.mine(1)
    follower = createChainFollower(deps, 'ltc')
    await pass()
    assert.deepEqual(await storyOf(direct), [`spent ${short(last)}`])
  })

  test('a kept wallet is watched as a whole', async () => {
    const { tpub } = hdKey('a watched wallet')
    const descriptor = `wpkh(${tpub}/<0;1>/*)`
    const wallets = createKeptWallets({ database, clock: systemClock })
    const kept = await wallets.keep({ accountId: account.id, chain: 'ltc', name: 'a', descriptor, gapLimit: 3 }, 10)
    const id = await subscribe('wallet', kept?.id ?? '')
    const { branches } = readDescriptor(litecoinRegtest, descriptor)
    const addressAt = (branch: number, index: number): string =>
      describeScript(litecoinRegtest, branches[branch]?.scriptsAt(index)[0] ?? Buffer.alloc(0)).address ?? ''
    const first = await node.a<string>('sendmany', '', { [addressAt(0, 2)]: 1, [addressAt(1, 0)]: 2 })
    // Beyond the gap limit, until the first payment is known.
    const second = await node.a<string>('sendtoaddress', addressAt(0, 5), 4)
    await pass()
    assert.deepEqual((await storyOf(id)).toSorted(), [`seen ${short(first)}`, `seen ${short(second)}`].toSorted())
    await node.mine(1)
    await pass()
    const events = await getCoinEvents(database, account.id, { after: 0, limit: 10_000 })
    const amounts = events.filter(({ event }) => event.subscriptionId === id && event.kind === 'confirmed')
    assert.deepEqual(new Set(amounts.map(({ event }) => event.received)), new Set([300_000_000, 400_000_000]))
  })

  test('a payment that the node drops is retracted, and reported again when it returns', async () => {
    const address = await newAddress()
    const id = await subscribe('address', address)
    const txid = await node.a<string>('sendtoaddress', address, 1)
    await pass()
    await drop()
    await pass()
    assert.deepEqual(await storyOf(id), [`seen ${short(txid)}`, `seen ${short(txid)} dropped`])
    await restore()
    await pass()
    assert.deepEqual((await storyOf(id)).slice(2), [`seen ${short(txid)}`])
  })
  for (const seed of [1, 2, 3])
    test(`whatever happens, the records are what holds (seed ${seed})`, async () => {
      const random = seededRandom(seed)
      const addresses = await Promise.all(Array.from({ length: 4 }, newAddress))
      const ids = new Map<string, number>()
      for (const address of addresses) ids.set(address, await subscribe('address', address, { confirmations: 2 }))
      const sent: string[] = []
      const actions = {
        pay: async () => void sent.push(await node.a<string>('sendtoaddress', random.pick(addresses), 1)),
        mine: () => node.mine(1 + random.below(2)),
        bump: async () => {
          const unconfirmed = await node.daemon.call<string[]>('getrawmempool')
          const own = sent.filter((txid) => unconfirmed.includes(txid))
          if (own.length === 0) return
          // A transaction with descendants cannot be bumped.
          await node
            .a<{ txid: string }>('bumpfee', random.pick(own))
            .then(({ txid }) => sent.push(txid))
            .catch(() => undefined)
        },
        reorg: async () => {
          const depth = 1 + random.below(3)
          const hash = await node.daemon.call<string>('getblockhash', (await height()) - depth + 1)
          await node.daemon.call('invalidateblock', hash)
          // Another address, because an equal block would be the invalid one.
          const miner = await newAddress()
          const isEmpty = random.chance(0.5)
          for (let i = 0; i <= depth; i++)
            if (isEmpty) await node.daemon.call('generateblock', miner, [])
            else await node.daemon.call('generatetoaddress', 1, miner)
        },
        restart: async () => {
          follower = createChainFollower(deps, 'ltc')
        },
        fail: async () => {
          const alerts = { ...deps.alerts, queue: () => Promise.reject(new Error('killed')) }
          follower = createChainFollower({ ...deps, alerts }, 'ltc')
          await pass().catch(() => undefined)
          follower = createChainFollower(deps, 'ltc')
        },
      }
      for (let step = 0; step < 30; step++) {
        await actions[random.pick(['pay', 'pay', 'mine', 'bump', 'reorg', 'restart', 'fail'] as const)]()
        if (random.chance(0.6)) await pass()
      }
      await pass()
      assert.deepEqual(await recordedOf([...ids.values()]), await expectedOf(ids, sent))
    })

  /** The open records `confirmed` and `spent`, and `seen` of unconfirmed transactions. */
  async function recordedOf(ids: readonly number[]): Promise<string[]> {
    const { rows } = await database.query<{ record: string }>(
      sql`select subscription_id || ' ' || kind || ' ' || encode(txid, 'hex') as record from coin_event
       where subscription_id = any($1) and retracted_at is null
         and (kind in ('confirmed', 'spent') or (kind = 'seen' and block_height is null))`,
      [ids],
    )
    return rows.map(({ record }) => record).toSorted()
  }

  type Output = { scriptPubKey: { addresses?: string[] } }
  type WalletTx = { confirmations: number; decoded: { vin: { txid: string; vout: number }[]; vout: Output[] } }

  /** The same as the node's wallet knows it. */
  async function expectedOf(ids: ReadonlyMap<string, number>, txids: readonly string[]): Promise<string[]> {
    const read = (txid: string) => node.a<WalletTx>('gettransaction', txid, true, true)
    const unconfirmed = await node.daemon.call<string[]>('getrawmempool')
    const expected = new Set<string>()
    for (const txid of txids) {
      const { confirmations, decoded } = await read(txid)
      const isUnconfirmed = unconfirmed.includes(txid)
      if (confirmations < 1 && !isUnconfirmed) continue
      const paid = decoded.vout.flatMap(({ scriptPubKey }) => scriptPubKey.addresses ?? [])
      const spent: string[] = []
      for (const { txid: from, vout } of decoded.vin)
        spent.push(...((await read(from)).decoded.vout[vout]?.scriptPubKey.addresses ?? []))
      for (const address of [...paid, ...spent]) {
        const id = ids.get(address)
        if (id === undefined) continue
        if (spent.includes(address)) expected.add(`${id} spent ${txid}`)
        if (confirmations >= 2) expected.add(`${id} confirmed ${txid}`)
        if (isUnconfirmed) expected.add(`${id} seen ${txid}`)
      }
    }
    return [...expected].toSorted()
  }
})
