/**
 * Simulates a Safe Transaction Service that hangs, lies, repeats, floods and withholds.
 *
 * The seed decides which transactions owners propose and sign, and what the service makes of them in each round. After every
 * round nothing is listed that no owner signed, and nothing is reported twice. At the end the service is honest, and the
 * list is exactly what owners signed.
 */
import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { encodeFunctionResult, type Hex, parseAbi, toFunctionSelector } from 'viem'
import { createSafeQueueReader } from '../../server/src/control/pending/safe/read-queues.ts'
import { createSafeService, SafeServiceError } from '../../server/src/control/pending/safe/safe-service.ts'
import type { Dropped } from '../../server/src/control/pending/safe/verify-transactions.ts'
import { saveContract } from '../../server/src/control/registry/contracts.ts'
import type { RpcPool } from '../../server/src/control/rpc/pool.ts'
import { toHex } from '../../server/src/lib/hex.ts'
import type { Database } from '../../server/src/platform/database.ts'
import { sql } from '../../server/src/platform/sql.ts'
import { testLog } from '../support/log.ts'
import { type Random, seededRandom } from '../support/random.ts'
import {
  entryOf,
  hashOf,
  type Proposal,
  type ServiceEntry,
  type Signer,
  signer,
  type TestSafeService,
} from '../support/safe-service.ts'

export type SafeQueueNews = { readonly operations: number; readonly dropped: number; readonly failures: number }

const CHAIN = 1
const OWNERS = [signer(1), signer(2), signer(3)] as const
const FOREIGN_SIGNER = signer(99)
const THRESHOLD = 2
const ROUNDS = 6
/** Long enough for a local response, short enough for a service that hangs in many rounds. */
const TIMEOUT_MS = 400

const SAFE = parseAbi([
  'function VERSION() view returns (string)',
  'function nonce() view returns (uint256)',
  'function getThreshold() view returns (uint256)',
  'function getOwners() view returns (address[])',
])

/** A node with one block, where the Safe has its owners and has executed nothing. */
function safePool(): RpcPool {
  const answers = new Map<string, Hex>(
    (
      [
        ['VERSION', '1.4.1'],
        ['nonce', 0n],
        ['getThreshold', BigInt(THRESHOLD)],
        ['getOwners', OWNERS.map(({ address }) => address)],
      ] as const
    ).map(([functionName, result]) => [
      toFunctionSelector(`${functionName}()`),
      encodeFunctionResult({ abi: SAFE, functionName, result }),
    ]),
  )
  const block = { number: 1, hash: `0x${'11'.repeat(32)}`, parentHash: `0x${'00'.repeat(32)}`, time: Date.now() }
  return {
    request: async ({ method, params }: { readonly method: string; readonly params: readonly unknown[] }) => {
      if (method === 'eth_getBlockByNumber') return { value: block, from: 0 }
      if (method === 'eth_getCode') return { value: '0x', from: 0 }
      const [{ data }] = params as readonly [{ readonly data: Hex }]
      return { value: answers.get(data) ?? '0x', from: 0 }
    },
  } as unknown as RpcPool
}

type Mood = 'honest' | 'hanging' | 'failing' | 'garbage' | 'lying' | 'repeating' | 'flooding' | 'withholding'
const MOODS: readonly Mood[] = [
  'honest',
  'hanging',
  'failing',
  'garbage',
  'lying',
  'lying',
  'repeating',
  'flooding',
  'withholding',
]

/** Responds instead of the service, where its mood prevents an answer. */
const interfering =
  (mood: Mood) =>
  (_: IncomingMessage, response: ServerResponse): boolean => {
    if (mood === 'hanging') return true
    if (mood === 'failing') response.writeHead(503).end()
    else if (mood === 'garbage') response.writeHead(200, { 'content-type': 'application/json' }).end('{"results": [{"')
    return mood === 'failing' || mood === 'garbage'
  }

/** What a lie changes about an entry. None has the hash that owners signed. */
async function lieAbout(random: Random, proposal: Proposal, entry: ServiceEntry): Promise<ServiceEntry> {
  switch (random.below(6)) {
    case 0:
      return { ...entry, to: `0x${'99'.repeat(20)}` }
    case 1:
      return { ...entry, safeTxHash: random.hex(32) }
    case 2:
      return await entryOf({ ...proposal, safe: random.hex(20) })
    case 3:
      return await entryOf({ ...proposal, value: 1n + BigInt(random.below(1_000)), signers: [FOREIGN_SIGNER] })
    case 4: {
      // Signatures of another transaction.
      const other = await entryOf({ ...proposal, nonce: proposal.nonce + 500 })
      return await entryOf({ ...proposal, data: '0xdeadbeef' }, { confirmations: other.confirmations })
    }
    default:
      return { ...entry, nonce: 'none', confirmations: null }
  }
}

async function entriesOf(random: Random, mood: Mood, proposals: readonly Proposal[]): Promise<ServiceEntry[]> {
  const honest = await Promise.all(proposals.map((proposal) => entryOf(proposal)))
  const of = async (at: number): Promise<ServiceEntry> =>
    await lieAbout(random, proposals[at] as Proposal, honest[at] as ServiceEntry)
  switch (mood) {
    case 'lying': {
      const lies = await Promise.all(honest.map((_, at) => of(at)))
      return [...lies, ...honest.filter(() => random.chance(0.5))]
    }
    case 'repeating':
      return honest.flatMap((entry) => Array<ServiceEntry>(random.between(1, 4)).fill(entry))
    case 'flooding': {
      // More entries than are read, before and after what is true.
      const junk = honest.length === 0 ? [] : await Promise.all(Array.from({ length: 130 }, () => of(0)))
      return [...junk.slice(0, random.below(130)), ...honest, ...junk]
    }
    case 'withholding':
      return honest.filter(() => random.chance(0.5))
    case 'honest':
    case 'hanging':
    case 'failing':
    case 'garbage':
    default:
      return honest
  }
}

export async function simulateSafeQueue(
  { database, service }: { readonly database: Database; readonly service: TestSafeService },
  seed: number,
): Promise<SafeQueueNews> {
  const random = seededRandom(seed)
  const safe = random.hex(20)
  await saveContract(database, { chainId: CHAIN, address: safe }, { kind: 'safe' })
  let [dropped, failures] = [0, 0]
  const read = createSafeQueueReader({
    database,
    pool: safePool(),
    service: createSafeService({ url: service.url, timeoutMs: TIMEOUT_MS }),
    confirmations: 0,
    log: testLog,
    count: (found: Dropped) => {
      for (const count of Object.values(found)) dropped += count
    },
  })
  let proposals: Proposal[] = []
  const round = async (mood: Mood): Promise<void> => {
    service.entries.set(safe, await entriesOf(random, mood, proposals))
    service.interfere = interfering(mood)
    await database.query(sql`delete from safe_queue`)
    try {
      await read(CHAIN)
    } catch (error) {
      if (!(error instanceof SafeServiceError)) throw error
      failures += 1
    }
  }

  for (let n = 0; n < ROUNDS; n += 1) {
    proposals = change(random, safe, proposals)
    await round(random.pick(MOODS))
    await assertTrue(database, seed, safe, proposals)
  }
  await round('honest')
  await assertTrue(database, seed, safe, proposals)
  const listed = await operationsOf(database, safe)
  const wanted = proposals.map((one) => [hashOf(one), one.signers.length].join(' '))
  const open = listed.filter(({ state }) => state === 'queued').map(({ hash, by }) => [hash, by.length].join(' '))
  assert.deepEqual(open.toSorted(), wanted.toSorted(), `seed ${seed}: the list is not what owners signed`)
  await database.query(sql`delete from contract where chain_id = $1 and address = decode($2, 'hex')`, [
    CHAIN,
    safe.slice(2),
  ])
  return { operations: listed.length, dropped, failures }
}

/** Owners propose transactions, several with one nonce, and sign those of others. */
function change(random: Random, safe: Hex, proposals: readonly Proposal[]): Proposal[] {
  const signed = proposals.map((proposal): Proposal => {
    const more: Signer | undefined = OWNERS.find((owner) => !proposal.signers.includes(owner))
    return more !== undefined && random.chance(0.3) ? { ...proposal, signers: [...proposal.signers, more] } : proposal
  })
  const added = Array.from(
    { length: random.below(3) },
    (_, n): Proposal => ({
      safe,
      to: random.hex(20),
      value: BigInt(random.below(1_000)),
      nonce: Math.max(0, proposals.length + n - random.below(2)),
      signers: [random.pick(OWNERS)],
    }),
  )
  return [...signed, ...added]
}

type Listed = { readonly hash: Hex; readonly state: string; readonly by: readonly Hex[] }

async function operationsOf(database: Database, safe: Hex): Promise<readonly Listed[]> {
  const { rows } = await database.query<{ operation: Hex; state: string; by: Buffer[] }>(
    sql`select operation, state, confirmed_by as by from pending_operation where chain_id = $1 and address = decode($2, 'hex')`,
    [CHAIN, safe.slice(2)],
  )
  return rows.map(({ operation, state, by }) => ({ hash: operation, state, by: by.map(toHex) }))
}

async function assertTrue(database: Database, seed: number, safe: Hex, proposals: readonly Proposal[]): Promise<void> {
  const signers = new Map(
    proposals.map((one) => [hashOf(one), one.signers.map(({ address }) => address.toLowerCase())]),
  )
  const listed = await operationsOf(database, safe)
  assert.equal(new Set(listed.map(({ hash }) => hash)).size, listed.length, `seed ${seed}: listed twice`)
  for (const { hash, by } of listed)
    assert.ok(
      by.every((owner) => signers.get(hash)?.includes(owner) === true),
      `seed ${seed}: ${hash} is listed with a signature that no owner gave`,
    )
  const { rows } = await database.query<{ key: string; operation: string; times: number }>(
    sql`select k.key, e.args ->> 'operation' as operation, count(*)::int as times
     from control_event e join event_kind k on k.id = e.kind_id
     where e.chain_id = $1 and e.address = decode($2, 'hex') group by 1, 2`,
    [CHAIN, safe.slice(2)],
  )
  for (const { key, operation, times } of rows) {
    assert.equal(times, 1, `seed ${seed}: ${key} of ${operation} was reported ${times} times`)
    assert.ok(signers.has(operation as Hex), `seed ${seed}: ${key} of a transaction that no owner signed`)
  }
}
