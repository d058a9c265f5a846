/** Code that a Safe runs, calldata and senders that try to make an execution look milder than it is, or like one that was none. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { concatHex, type Hex, numberToHex, pad, size, toEventSelector } from 'viem'
import { anvilForTests, anvilMissing } from '../../../../testing/evm/anvil.ts'
import { controlContracts, dataOf, eoa, FREE, own } from '../../../../testing/evm/control.ts'
import { type Deployed, evmOf } from '../../../../testing/evm/evm.ts'
import { withoutTraces } from '../../../../testing/evm/node-without-traces.ts'
import { batchData, execData, execute, multiSend, oldSafe } from '../../../../testing/evm/safe-transactions.ts'
import { caughtUp, startWatching, storedEvents } from '../../../../testing/evm/watching.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { saveContract } from '../registry/contracts.ts'

const [OWNER, KEY] = [eoa(1), eoa(3)]
const FAILURES = {
  old: toEventSelector('ExecutionFailed(bytes32)'),
  new: toEventSelector('ExecutionFailure(bytes32,uint256)'),
  module: toEventSelector('ExecutionFromModuleFailure(address)'),
}

async function world() {
  const node = await anvilForTests(1, FREE)
  const evm = await evmOf(node)
  const { database } = await createTestDatabase()
  return {
    evm,
    made: controlContracts(node, evm),
    watch: async (...contracts: readonly Deployed[]) => {
      for (const { address } of contracts) await saveContract(database, { chainId: 1, address })
      const watching = startWatching(database, [await withoutTraces(node)])
      after(() => watching.stop())
      await caughtUp(database, node)
    },
    findings: async (hash: Hex): Promise<readonly string[]> => {
      await caughtUp(database, node)
      const events = (await storedEvents(database, 1)).filter(
        ({ txHash, logIndex }) => txHash === hash && logIndex >= 1e9,
      )
      return events
        .map(({ key, severity, args }) => `${key} ${severity} ${typeof args.to === 'string' ? args.to : ''}`)
        .toSorted()
    },
  }
}

test('code that logs a failure in the name of its Safe is reported as executed', {
  skip: anvilMissing,
  timeout: 300_000,
}, async () => {
  const { evm, made, watch, findings } = await world()
  const forger = await evm.deploy(own('Forger'))
  const first = await oldSafe(evm, [OWNER], 1)
  const silent = await made.safe(1, [OWNER], '1.3.0', 'L1')
  const verbose = await made.safe(1, [OWNER], '1.4.1', 'L2')
  await watch(first, silent, verbose)
  for (const [safe, topic, form] of [
    [first, FAILURES.old, 0n],
    [silent, FAILURES.new, 1n],
    [verbose, FAILURES.new, 2n],
  ] as const) {
    const call = { to: forger.address, data: dataOf(forger, 'fail', [topic, form]), isDelegated: true }
    assert.ok(
      (await findings(await execute(made, safe, OWNER, call))).includes(
        `safe.delegatecall_unknown critical ${forger.address}`,
      ),
      `form ${form}`,
    )
  }
  for (const safe of [silent, verbose]) {
    await execute(made, safe, OWNER, { to: safe.address, data: dataOf(safe, 'enableModule', [KEY]) })
    const data = dataOf(forger, 'failModule', [FAILURES.module, pad(KEY)])
    const hash = await made.as(KEY, safe, 'execTransactionFromModule', forger.address, 0n, data, 1)
    const found = await findings(hash)
    assert.ok(
      found.includes(`safe.delegatecall_unknown critical ${forger.address}`) ||
        found.some((line) => line.startsWith('safe.execution_hidden')),
      String(found),
    )
  }
})

test('of two executions in one transaction, the one that failed is named', {
  skip: anvilMissing,
  timeout: 300_000,
}, async () => {
  const { evm, made, watch, findings } = await world()
  const unknown = await evm.deploy(own('Plain'))
  const foreign = await evm.deploy(own('OwnedToken'), eoa(9))
  const outer = await made.safe(1, [OWNER], '1.4.1', 'L1')
  const library = await multiSend(evm, '1.4.1')
  const safes = [
    await oldSafe(evm, [outer.address], 1),
    await made.safe(1, [outer.address], '1.3.0', 'L1'),
    await made.safe(1, [outer.address], '1.4.1', 'L2'),
  ]
  await watch(...safes, foreign)
  const delegated = { to: unknown.address, data: dataOf(unknown, 'set', [1n]), isDelegated: true }
  const failing = { to: foreign.address, data: dataOf(foreign, 'transferOwnership', [eoa(5)]), safeTxGas: 100_000n }
  for (const safe of safes)
    for (const calls of [
      [delegated, failing],
      [failing, delegated],
    ]) {
      const batch = calls.map((call) => ({ to: safe.address, data: execData(safe, outer.address, call) }))
      const sent = { to: library.address, data: batchData(batch), isDelegated: true }
      assert.deepEqual(await findings(await execute(made, outer, OWNER, sent)), [
        `attempt.failed high ${foreign.address}`,
        `safe.delegatecall_unknown critical ${unknown.address}`,
      ])
    }
})

/** A list of calls that are all the same bytes: contracts accept offsets that are equal. */
function sharedCalls(count: number, data: Hex): Hex {
  const words = [32, count, ...Array.from({ length: count }, () => count * 32), size(data)]
  return concatHex(['0xac9650d8', ...words.map((word) => numberToHex(word, { size: 32 })), data])
}

test('calls behind calldata that cannot be decoded completely are critical', {
  skip: anvilMissing,
  timeout: 300_000,
}, async () => {
  const { evm, made, watch, findings } = await world()
  const unknown = await evm.deploy(own('Plain'))
  const safe = await made.safe(1, [OWNER], '1.4.1', 'L1')
  const library = await multiSend(evm, '1.4.1')
  await watch(safe)
  const bulk = { to: eoa(5), data: sharedCalls(100, sharedCalls(100, sharedCalls(100, '0x'))) }
  const delegated = { to: unknown.address, data: dataOf(unknown, 'set', [1n]), isDelegated: true }
  const hash = await execute(made, safe, OWNER, {
    to: library.address,
    data: batchData([bulk, delegated]),
    isDelegated: true,
  })
  assert.ok((await findings(hash)).includes('safe.execution_hidden critical '))
})

test('calldata that names a Safe which executes nothing is no execution', {
  skip: anvilMissing,
  timeout: 300_000,
}, async () => {
  const { evm, made, watch, findings } = await world()
  const unknown = await evm.deploy(own('Plain'))
  const victims = [await oldSafe(evm, [OWNER], 1), await made.safe(1, [OWNER], '1.4.1', 'L1')]
  const mine = await made.safe(1, [OWNER], '1.4.1', 'L1')
  const queue = await evm.deploy(own('QueueingDelay'), mine.address, 1n, 0n)
  await watch(...victims, mine, queue)
  const delegated = { to: unknown.address, data: dataOf(unknown, 'set', [1n]), isDelegated: true }
  const named = victims.map((safe) => ({ to: safe.address, data: execData(safe, OWNER, delegated) }))
  assert.deepEqual(await findings(await evm.sendRaw(eoa(5), batchData(named))), [], 'sent to an account without code')
  // The batch is data of a call that a watched Safe makes, and not executed.
  const carried = { to: eoa(5), data: batchData(named) }
  assert.deepEqual(await findings(await execute(made, mine, OWNER, carried)), [], 'carried by a Safe that is watched')
  const queued = [unknown.address, 0n, delegated.data, 1] as const
  assert.deepEqual(await findings(await evm.send(queue, 'execTransactionFromModule', queued)), [], 'only queued')
})
