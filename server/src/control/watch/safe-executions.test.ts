/** Executions of modules by traces that are complete, not complete, or missing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem'
import { decodeCall } from '../catalog/inner-calls.ts'
import type { Frame } from '../rpc/traces.ts'
import type { Decoded } from './event-context.ts'
import { executionsIn } from './safe-executions.ts'

const addressOf = (n: number): Hex => numberToHex(n, { size: 20 })
const [SENDER, SAFE, MODULE, TARGET] = [1, 2, 3, 4].map(addressOf) as [Hex, Hex, Hex, Hex]
const hash: Hex = `0x${'11'.repeat(32)}`

const outcome = (key: string): Decoded =>
  ({
    log: { address: SAFE, txHash: hash },
    event: { key, category: 'multisig', severity: 'high', args: { module: MODULE }, decode: 'ok', signature: '' },
    isInit: false,
  }) as unknown as Decoded
const execution = (operation: number): Frame => ({
  kind: 'call',
  from: MODULE,
  to: SAFE,
  input: encodeFunctionData({
    abi: parseAbi(['function execTransactionFromModule(address,uint256,bytes,uint8)']),
    args: [TARGET, 0n, '0x12345678', operation],
  }),
  hasFailed: false,
  calls: [],
})
const rootOf = (...calls: readonly Frame[]): Frame => ({
  kind: 'call',
  from: SENDER,
  to: MODULE,
  input: '0xaa',
  hasFailed: false,
  calls,
})

/** What is found about the Safe: the target of each execution, whether it failed, and whether it is certain. */
async function found(logs: readonly Decoded[], trace: Frame | undefined, silentSafes: readonly Hex[] = []) {
  const transaction = { hash, index: 0, blockHash: hash, from: SENDER, to: MODULE, value: 0n, input: '0xaa' } as const
  const executions = await executionsIn(transaction, decodeCall({ ...transaction, data: '0xaa' }), {
    chainId: 1,
    logs,
    isWatched: (address) => address === SAFE,
    noncesOf: async () => [0],
    hasAdvanced: async () => undefined,
    isSafe: async () => true,
    silentSafes,
    trace: async () => trace,
  })
  return executions.map(({ call, hasFailed, isCertain }) => [call?.target, hasFailed, isCertain])
}
const [OK, FAILED] = [outcome('safe.module_tx_ok'), outcome('safe.module_tx_fail')]

test('what a module executes without a log is found in a trace only', async () => {
  assert.deepEqual(await found([], rootOf(execution(1)), [SAFE]), [[TARGET, false, true]])
  assert.deepEqual(await found([], rootOf(), [SAFE]), [])
  assert.deepEqual(await found([], undefined, [SAFE]), [])
  assert.deepEqual(await found([], rootOf(execution(1))), [], 'a Safe that logs executions has none')
})

test('each execution of a trace has the log in its place', async () => {
  assert.deepEqual(await found([OK, FAILED], rootOf(execution(1), execution(0))), [
    [TARGET, false, true],
    [TARGET, true, true],
  ])
})

test('with more logs than executions none counts as failed, and with fewer executions the rest is hidden', async () => {
  assert.deepEqual(await found([FAILED], rootOf(execution(1), execution(1))), [
    [TARGET, false, true],
    [TARGET, false, true],
  ])
  assert.deepEqual(await found([FAILED, OK], rootOf(execution(1))), [
    [TARGET, false, true],
    [undefined, false, false],
  ])
})

test('a trace without the execution, and no trace, hide it', async () => {
  for (const trace of [
    undefined,
    rootOf(),
    rootOf({ ...execution(1), hasFailed: true }),
    rootOf({ ...execution(1), to: TARGET }),
  ])
    assert.deepEqual(await found([OK], trace), [[undefined, false, false]])
})
