/** What contracts would be after queued changes, on a real node. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Hex, parseAbi, zeroAddress, zeroHash } from 'viem'
import { anvilForTests, anvilMissing } from '../../../../../testing/evm/anvil.ts'
import { openZeppelin5 } from '../../../../../testing/evm/compile.ts'
import { controlContracts, dataOf, eoa, FREE, signers } from '../../../../../testing/evm/control.ts'
import { evmOf } from '../../../../../testing/evm/evm.ts'
import { batchData, multiSend } from '../../../../../testing/evm/safe-transactions.ts'
import { systemTiming } from '../../../lib/clock.ts'
import { createCodeAnalyzer } from '../../poll/code-analyzer.ts'
import { createRpcPool } from '../../rpc/pool.ts'
import { type SimulatedOperation, simulateOperation } from './simulate.ts'
import { parseDiff } from './state-diff.ts'

/** The interface of a transparent proxy, which its artifact does not contain. */
const PROXY = { abi: parseAbi(['function changeAdmin(address)']) }
const changeTo = (admin: Hex): Hex => dataOf(PROXY, 'changeAdmin', [admin])

test('the label after a queued change is read from the simulated state', {
  skip: anvilMissing,
  timeout: 600_000,
}, async () => {
  const node = await anvilForTests(1, FREE)
  const evm = await evmOf(node)
  const made = controlContracts(node, evm)
  await made.deployMulticall()
  const reports: unknown[] = []
  const pool = createRpcPool(
    { timing: systemTiming, report: (report) => reports.push(report) },
    { chain: 'ethereum', chainId: 1, urls: [node.url] },
  )
  after(() => pool.close())
  const codes = createCodeAnalyzer({ processes: 1 })
  after(async () => await codes.close())
  const [me] = evm.accounts as readonly [Hex]
  const safe = await made.safe(3, signers(5), '1.4.1', 'L1')
  const timelock = await evm.deploy(openZeppelin5('TimelockController'), 86_400n, [me], [me], me)
  const proxy = await made.transparent4(safe.address)
  const library = await multiSend(evm, '1.4.1')
  const latest = await node.rpc<{ number: Hex; hash: Hex }>('eth_getBlockByNumber', 'latest', false)
  const block = { number: Number(latest.number), hash: latest.hash }
  const attempt = async (
    operation: Partial<SimulatedOperation> & Pick<SimulatedOperation, 'family' | 'address' | 'affected'>,
  ) =>
    await simulateOperation(
      { poolOf: () => pool, codes, confirmationsOf: () => 0 },
      1,
      { calls: [], queuedIn: undefined, ...operation },
      block,
    )
  const callOf = (target: Hex, data: Hex, isDelegated = false) => ({ target, value: 0n, data, isDelegated })
  const changeAdmin = changeTo(eoa(66))

  // A Safe gives its proxy to a key: alone, and in a batch behind a delegatecall.
  for (const call of [
    callOf(proxy.address, changeAdmin),
    callOf(library.address, batchData([{ to: proxy.address, data: changeAdmin }]), true),
  ]) {
    const { problem, contracts } = await attempt({
      family: 'safe',
      address: safe.address,
      calls: [call],
      affected: [proxy.address],
    })
    assert.equal(problem, undefined)
    assert.deepEqual(
      contracts.map(({ before, after: next }) => [before.label, next.label]),
      [['multisig', 'single_key']],
    )
  }
  // The chain itself is unchanged, and a call that reverts has no result.
  const own4 = callOf(proxy.address, changeTo(zeroAddress))
  const failing = await attempt({ family: 'safe', address: safe.address, calls: [own4], affected: [proxy.address] })
  assert.deepEqual([failing.problem, failing.contracts], ['reverts', []])
  // So has one that sends more than there is, and no endpoint is blamed for it.
  reports.length = 0
  const rich = { ...callOf(proxy.address, '0x'), value: 2n ** 255n }
  const sending = await attempt({ family: 'oz_timelock', address: timelock.address, calls: [rich], affected: [] })
  assert.deepEqual([sending.problem, reports], ['reverts', []])
  const roles = callOf(timelock.address, dataOf(timelock, 'grantRole', [zeroHash, me]))
  assert.equal(
    (await attempt({ family: 'oz_timelock', address: timelock.address, calls: [roles], affected: [proxy.address] }))
      .problem,
    'roles',
  )
  const unsupported = {
    ...pool,
    request: async (request: Parameters<typeof pool.request>[0]) =>
      await pool.request(request.method === 'debug_traceCall' ? { ...request, method: 'debug_noSuchMethod' } : request),
  }
  const blind = await simulateOperation(
    { poolOf: () => unsupported as typeof pool, codes, confirmationsOf: () => 0 },
    1,
    {
      family: 'safe',
      address: safe.address,
      calls: [callOf(proxy.address, changeAdmin)],
      queuedIn: undefined,
      affected: [proxy.address],
    },
    block,
  )
  assert.equal(blind.problem, 'unavailable')
})

test('a word that became zero counts as changed', () => {
  const slot = `0x${'1'.padStart(64, '0')}`
  const at = `0x${'AA'.padStart(40, '0')}`
  const diff = parseDiff({ pre: { [at]: { storage: { [slot]: `0x${'2'.padStart(64, '0')}` } } }, post: { [at]: {} } })
  assert.deepEqual(
    [...diff],
    [[at.toLowerCase(), { storage: new Map([[slot, `0x${'0'.repeat(64)}`]]), code: undefined }]],
  )
  assert.throws(() => parseDiff({ pre: {} }))
})
