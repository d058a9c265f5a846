/** Executions of Safes that other contracts compose: the calldata may name something else, or nothing. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { concatHex, type Hex, numberToHex, zeroAddress } from 'viem'
import { anvilForTests, anvilMissing } from '../../../../testing/evm/anvil.ts'
import { controlContracts, dataOf, eoa, FREE, own, wordOf } from '../../../../testing/evm/control.ts'
import { type Deployed, evmOf } from '../../../../testing/evm/evm.ts'
import { withoutTraces } from '../../../../testing/evm/node-without-traces.ts'
import { batchData, execData } from '../../../../testing/evm/safe-transactions.ts'
import { caughtUp, startWatching, storedEvents } from '../../../../testing/evm/watching.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { saveContract } from '../registry/contracts.ts'

const OWNER = eoa(1)

test('what a contract makes a Safe execute is not taken from its input', { skip: anvilMissing }, async () => {
  const node = await anvilForTests(1, FREE)
  const evm = await evmOf(node)
  const made = controlContracts(node, evm)
  const { database } = await createTestDatabase()
  const silent = await made.safe(1, [OWNER], '1.3.0', 'L1')
  const verbose = await made.safe(1, [OWNER], '1.4.1')
  const unknown = await evm.deploy(own('Plain'))
  const other = await evm.deploy(own('Plain'))
  const relay = await evm.deploy(own('Relay'))
  for (const { address } of [silent, verbose]) await saveContract(database, { chainId: 1, address })
  const watching = startWatching(database, [await withoutTraces(node)])
  after(() => watching.stop())
  await caughtUp(database, node)

  const findings = async (hash: Hex) => {
    await caughtUp(database, node)
    const events = (await storedEvents(database, 1)).filter(({ txHash }) => txHash === hash)
    return events
      .filter(({ logIndex }) => logIndex >= 1e9)
      .map(({ key, severity, args }) => JSON.stringify([key, severity, args.to ?? null]))
      .toSorted((a, b) => a.localeCompare(b))
  }
  const set = dataOf(unknown, 'set', [1n])
  const signature = concatHex([wordOf(OWNER), numberToHex(1, { size: 33 })])
  /** The owner approves a delegatecall to unknown code, and a contract executes it. */
  const composed = async (safe: Deployed, isAtOnce: boolean): Promise<Deployed> => {
    const nonce = BigInt(await evm.read(safe, 'nonce'))
    const fields = [unknown.address, 0n, set, 1, 0n, 0n, 0n, zeroAddress, zeroAddress] as const
    const hash = await evm.read(safe, 'getTransactionHash', [...fields, nonce])
    await made.as(OWNER, safe, 'approveHash', hash)
    return await evm.deploy(own('HiddenExecution'), safe.address, unknown.address, set, signature, isAtOnce)
  }
  const delegatedTo = ({ address }: Deployed): string =>
    JSON.stringify(['safe.delegatecall_unknown', 'critical', address])
  const HIDDEN = [JSON.stringify(['safe.execution_hidden', 'high', null])]

  for (const [safe, expected] of [
    [silent, HIDDEN],
    [verbose, [delegatedTo(unknown)]],
  ] as const) {
    const decoy = batchData([{ to: safe.address, data: execData(safe, OWNER, { to: eoa(5) }) }])
    const contract = await composed(safe, false)
    assert.deepEqual(
      await findings(await evm.sendRaw(contract.address, decoy)),
      expected,
      'the input names another call',
    )
    const created = await composed(safe, true)
    assert.deepEqual(await findings(created.txHash), expected, 'the constructor of a contract executes')
  }

  // Passed on unchanged, the calldata contains what was executed. Two executions are two findings.
  const nonce = BigInt(await evm.read(silent, 'nonce'))
  const calls = [unknown, other].map(({ address }) => ({ to: address, data: set, isDelegated: true }))
  for (const [at, { to }] of calls.entries()) {
    const fields = [to, 0n, set, 1, 0n, 0n, 0n, zeroAddress, zeroAddress] as const
    const hash = await evm.read(silent, 'getTransactionHash', [...fields, nonce + BigInt(at)])
    await made.as(OWNER, silent, 'approveHash', hash)
  }
  const datas = calls.map((call) => execData(silent, OWNER, call))
  const passed = await evm.send(relay, 'multicall', [[silent.address, silent.address], datas])
  assert.deepEqual(
    await findings(passed),
    [unknown, other].map(delegatedTo).toSorted((a, b) => a.localeCompare(b)),
  )
})
