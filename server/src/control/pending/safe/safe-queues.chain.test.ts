/** Safe transactions from a local Safe Transaction Service and real Safes to the list, through signatures and executions. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { concatHex, type Hex, pad, parseAbi, zeroAddress } from 'viem'
import { anvilForTests, anvilMissing } from '../../../../../testing/evm/anvil.ts'
import { safeContract } from '../../../../../testing/evm/compile.ts'
import { controlContracts, dataOf, eoa, FREE, own } from '../../../../../testing/evm/control.ts'
import { type Deployed, evmOf } from '../../../../../testing/evm/evm.ts'
import { batchData, multiSend, oldSafe } from '../../../../../testing/evm/safe-transactions.ts'
import { caughtUp, startWatching } from '../../../../../testing/evm/watching.ts'
import { createTestDatabase } from '../../../../../testing/support/database.ts'
import { testLog } from '../../../../../testing/support/log.ts'
import {
  entryOf,
  hashOf,
  type Proposal,
  type ServiceEntry,
  type Signer,
  signer,
  startSafeService,
  transactionOf,
} from '../../../../../testing/support/safe-service.ts'
import { systemClock, systemTiming } from '../../../lib/clock.ts'
import { sql } from '../../../platform/sql.ts'
import { parseSafeVersion, safeTransactionPreimage } from '../../profile/safe-transaction.ts'
import { saveContract } from '../../registry/contracts.ts'
import { createRpcPool } from '../../rpc/pool.ts'
import { collectSteps } from '../collect.ts'
import { getPendingPage } from '../pending-page.ts'
import { createSafeQueueReader } from './read-queues.ts'
import { createSafeService } from './safe-service.ts'
import type { Dropped } from './verify-transactions.ts'

const OWNERS = [signer(1), signer(2), signer(3)] as const
const [ONE, TWO, THREE] = OWNERS
/** Of every release: the fixture of the oldest one contains only what its deployment needs. */
const ABI = parseAbi([
  'function getTransactionHash(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,uint256) view returns (bytes32)',
  'function approveHash(bytes32)',
])
const addresses = OWNERS.map(({ address }) => address)

/** Signatures in the order of the signers' addresses, as a Safe takes them. */
async function signatures(proposal: Proposal): Promise<Hex> {
  const ordered = proposal.signers.toSorted((a, b) => (BigInt(a.address) < BigInt(b.address) ? -1 : 1))
  return concatHex(await Promise.all(ordered.map((by) => by.sign({ hash: hashOf(proposal) }))))
}

async function execution(proposal: Proposal): Promise<readonly unknown[]> {
  const { to, value, data, operation, safeTxGas } = transactionOf(proposal)
  return [to, value, data, operation, safeTxGas, 0n, 0n, zeroAddress, zeroAddress, await signatures(proposal)]
}

test('Safe transactions are listed from the first signature to their end', {
  skip: anvilMissing,
  timeout: 600_000,
}, async () => {
  const node = await anvilForTests(1, FREE)
  const evm = await evmOf(node)
  const made = controlContracts(node, evm)
  const { database } = await createTestDatabase()
  const safe = await made.safe(2, addresses, '1.4.1', 'L1')
  const token = await evm.deploy(own('OwnedToken'), safe.address)
  const library = await multiSend(evm, '1.4.1')
  await saveContract(database, { chainId: 1, address: safe.address }, { kind: 'safe', name: 'Treasury' })
  await saveContract(database, { chainId: 1, address: token.address }, { name: 'Token' })
  const watching = startWatching(database, [node])
  after(() => watching.stop())
  const pool = createRpcPool(
    { timing: systemTiming, report: () => undefined },
    { chain: 'ethereum', chainId: 1, urls: [node.url] },
  )
  after(() => pool.close())
  const service = await startSafeService()
  const entries: ServiceEntry[] = []
  service.entries.set(safe.address, entries)
  const dropped: Record<string, number> = {}
  const count = (found: Dropped): void => {
    for (const [reason, number] of Object.entries(found)) dropped[reason] = (dropped[reason] ?? 0) + number
  }
  const read = createSafeQueueReader({
    database,
    pool,
    service: createSafeService({ url: service.url }),
    confirmations: 0,
    log: testLog,
    count,
  })
  const collect = async (): Promise<void> => {
    await caughtUp(database, node)
    while (await collectSteps(database)) {}
  }
  const round = async (): Promise<void> => {
    await collect()
    await database.query(sql`delete from safe_queue`)
    await read(1)
    await collect()
  }
  const list = async (isClosed = false) =>
    (await getPendingPage({ database, clock: systemClock }, { filter: { isClosed }, limit: 50 })).data
  /** The states by nonce and operation, open ones first. */
  const states = async () =>
    [...(await list()), ...(await list(true))].map(({ state, operation }) => [operation, state])
  const reported = async (): Promise<readonly unknown[]> =>
    (
      await database.query(
        sql`select k.key, e.severity, e.args ->> 'signatures' as signed from control_event e join event_kind k on k.id = e.kind_id
         where k.key like 'pending.%' order by e.id`,
      )
    ).rows.map(({ key, severity, signed }) => [key, severity, signed])

  const propose = (nonce: number, to: Hex, data: Hex, signers: readonly Signer[], operation: 0 | 1 = 0): Proposal => ({
    safe: safe.address,
    to,
    data,
    nonce,
    signers,
    operation,
  })
  const give = dataOf(token, 'transferOwnership', [eoa(5)])
  const first = propose(0, token.address, give, [ONE])
  entries.push(await entryOf(first))
  await round()
  const [change] = await list()
  assert.ok(change !== undefined)
  assert.deepEqual(
    [change.family, change.operation, change.state, change.severity, change.summary],
    ['safe', hashOf(first), 'queued', 'critical', `Transfer the ownership of ${token.address} to ${eoa(5)}`],
  )
  const low = (by: Signer): Hex => by.address.toLowerCase() as Hex
  assert.deepEqual(change.confirmations, { required: 2, owners: [low(ONE)], missing: [low(TWO), low(THREE)], nonce: 0 })
  assert.equal(change.queuedBy, low(ONE))
  assert.deepEqual(await reported(), [['pending.queued', 2, '1 of 2']])

  // Lies change nothing, and are counted.
  entries.push(
    { ...(await entryOf(first)), to: eoa(6) },
    await entryOf({ ...first, safe: eoa(7) }),
    await entryOf(first),
  )
  await round()
  await round()
  assert.equal((await list()).length, 1)
  assert.deepEqual(dropped, { wrong_hash: 2, other_safe: 2, repeated: 2 })
  assert.equal((await reported()).length, 1)

  // The second signature makes it ready; a batch and a rejection wait behind it.
  const rival = propose(0, safe.address, '0x', [TWO])
  const batch = batchData([
    { to: token.address, data: give },
    { to: eoa(8), value: 10n ** 18n },
  ])
  const second = propose(1, library.address, batch, [TWO, ONE], 1)
  const rejection = propose(1, safe.address, '0x', [THREE, ONE])
  const third = propose(2, eoa(9), '0x', [THREE])
  entries.splice(
    0,
    9,
    ...(await Promise.all(
      [{ ...first, signers: [ONE, THREE] }, rival, second, rejection, third].map((one) => entryOf(one)),
    )),
  )
  await round()
  const [ready] = (await list()).filter(({ operation }) => operation === hashOf(first))
  assert.deepEqual([ready?.state, ready?.confirmations?.owners], ['ready', [low(ONE), low(THREE)]])
  const batched = (await list()).find(({ operation }) => operation === hashOf(second))
  assert.deepEqual(
    batched?.calls[0]?.calls.map(({ text }) => text),
    [`Transfer the ownership of ${token.address} to ${eoa(5)}`, `Send 1 of the native coin to ${eoa(8)}`],
  )
  assert.equal(
    (await list()).find(({ operation }) => operation === hashOf(rejection))?.summary,
    'Reject the other transactions with nonce 1',
  )
  assert.deepEqual((await reported()).slice(1), [
    ['pending.ready', 2, '2 of 2'],
    ['pending.queued', 0, '1 of 2'],
    ['pending.ready', 2, '2 of 2'],
    ['pending.ready', 0, '2 of 2'],
    ['pending.queued', 0, '1 of 2'],
  ])

  // An execution ends it and what has the same nonce. A reorg opens both again.
  const before = await evm.blockNumber()
  await evm.send(safe, 'execTransaction', await execution({ ...first, signers: [ONE, THREE] }))
  await collect()
  const closed = async () => new Map((await states()) as [Hex, string][])
  assert.deepEqual([(await closed()).get(hashOf(first)), (await closed()).get(hashOf(rival))], ['executed', 'replaced'])
  await node.rpc('anvil_reorg', (await evm.blockNumber()) - before, [])
  await evm.mine(2)
  await collect()
  assert.deepEqual([(await closed()).get(hashOf(first)), (await closed()).get(hashOf(rival))], ['ready', 'queued'])
  await evm.send(safe, 'execTransaction', await execution({ ...first, signers: [ONE, THREE] }))
  // A rejection cancels. The service still lists what was executed.
  await evm.send(safe, 'execTransaction', await execution(rejection))
  await round()
  const ends = await closed()
  assert.deepEqual(
    [first, rival, second, rejection, third].map((one) => ends.get(hashOf(one))),
    ['executed', 'replaced', 'canceled', 'executed', 'queued'],
  )

  // Withdrawn from the service without enough signatures; one with enough stays.
  const fourth = propose(3, eoa(9), '0x', [THREE, TWO])
  entries.splice(0, 9, await entryOf(third), await entryOf(fourth))
  await round()
  entries.splice(0, 9)
  await round()
  const left = await closed()
  assert.deepEqual([left.get(hashOf(third)), left.get(hashOf(fourth))], ['canceled', 'ready'])
  entries.push(await entryOf(third))
  await round()
  assert.equal((await closed()).get(hashOf(third)), 'queued')
  assert.equal((await reported()).length, 7)

  // An owner that was removed no longer counts.
  await made.as(safe.address, safe, 'removeOwner', '0x0000000000000000000000000000000000000001', ONE.address, 2n)
  entries.push(await entryOf({ ...third, nonce: 4, signers: [ONE] }))
  await round()
  assert.equal(
    (await list()).some(({ confirmations }) => confirmations?.nonce === 4),
    false,
  )
})

test('hashes are those of the Safes themselves, and owners can be contracts or approve on the chain', {
  skip: anvilMissing,
  timeout: 600_000,
}, async () => {
  const node = await anvilForTests(1, FREE)
  const evm = await evmOf(node)
  const made = controlContracts(node, evm)
  const { database } = await createTestDatabase()
  const service = await startSafeService()
  const pool = createRpcPool(
    { timing: systemTiming, report: () => undefined },
    { chain: 'ethereum', chainId: 1, urls: [node.url] },
  )
  after(() => pool.close())
  const inner = await made.safe(1, [ONE.address], '1.4.1', 'L1')
  const handler = await evm.deploy(safeContract('1.4.1', 'handler/CompatibilityFallbackHandler'))
  await made.as(inner.address, inner, 'setFallbackHandler', handler.address)
  /** The signature of the Safe that is an owner, by its own owner: of the hash since 1.5.0, of what is hashed before. */
  const byContract = async (version: string, safe: Hex, proposal: Proposal): Promise<Hex> => {
    const release = parseSafeVersion(version) ?? [0, 0, 0]
    const preimage = safeTransactionPreimage({ chainId: 1, address: safe }, release, transactionOf(proposal))
    const message = version === '1.5.0' ? hashOf(proposal) : preimage
    const hash = await evm.read(handler, 'getMessageHashForSafe', [inner.address, message])
    return concatHex([pad(inner.address), pad('0x41'), '0x00', pad('0x41'), await ONE.sign({ hash })])
  }
  const all: (readonly [string, Deployed])[] = []
  const old = ['1.0.0', '1.1.1', '1.2.0'] as const
  for (const version of old) all.push([version, await oldSafe(evm, addresses, 2, version)])
  for (const version of ['1.3.0', '1.4.1', '1.5.0'] as const)
    all.push([version, await made.safe(2, [...addresses, inner.address], version, 'L1')])
  for (const [version, safe] of all) {
    await saveContract(database, { chainId: 1, address: safe.address }, { kind: 'safe' })
    const proposal: Proposal = {
      safe: safe.address,
      version,
      to: eoa(1),
      value: 7n,
      data: '0x1234',
      nonce: 0,
      signers: [TWO],
    }
    const { to, value, data, operation } = transactionOf(proposal)
    const hash = hashOf(proposal)
    const args = [to, value, data, operation, 0n, 0n, 0n, zeroAddress, zeroAddress, 0n]
    assert.equal(await evm.read({ ...safe, abi: ABI }, 'getTransactionHash', args), hash, version)
    await made.as(THREE.address, { ...safe, abi: ABI }, 'approveHash', hash)
    const contract = { owner: inner.address, signature: await byContract(version, safe.address, proposal) }
    const approvals = [ONE, THREE].map(({ address }) => ({
      owner: address,
      signature: concatHex([pad(address), pad('0x', { size: 32 }), '0x01']),
    }))
    const { confirmations } = await entryOf(proposal)
    service.entries.set(safe.address, [
      await entryOf(proposal, { confirmations: [...(confirmations as object[]), ...approvals, contract] }),
    ])
  }
  const dropped: Dropped[] = []
  const read = createSafeQueueReader({
    database,
    pool,
    service: createSafeService({ url: service.url }),
    confirmations: 0,
    log: testLog,
    count: (found) => dropped.push(found),
  })
  assert.equal(await read(1), all.length)
  const { data } = await getPendingPage({ database, clock: systemClock }, { filter: {}, limit: 50 })
  for (const [version, safe] of all) {
    const found = data.find(({ address }) => address === safe.address)
    const keys = [TWO, THREE].map(({ address }) => address.toLowerCase())
    const owners = old.some((one) => one === version) ? keys : [...keys, inner.address]
    assert.deepEqual([found?.confirmations?.owners, found?.state], [owners, 'ready'], version)
  }
  assert.equal(dropped.length, all.length)
  assert.equal(dropped.filter(({ invalid_signature: invalid }) => invalid === 1).length, all.length)
  assert.equal(dropped.filter(({ foreign_signature: foreign }) => foreign === 1).length, old.length)
})
