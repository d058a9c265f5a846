/** What transactions show about approvals that events of a Safe name. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  parseAbi,
  parseAbiParameters,
  toEventSelector,
  zeroAddress,
} from 'viem'
import { at } from '../../../../testing/evm/sample-world.ts'
import { toWord } from '../profile/abi-values.ts'
import { type SafeTransaction, safeTransactionHash } from '../profile/safe-transaction.ts'
import { type Approval, unread, value } from '../profile/state.ts'
import type { Log, Transaction } from '../rpc/parse.ts'
import type { ChainReads } from './chain-reads.ts'
import { readApprovals } from './safe-approvals.ts'

const [safe, owner, other] = [at('safe'), at('owner'), at('other')]
const ABI = parseAbi([
  'function approveHash(bytes32)',
  'function execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
])
const executedTransaction: SafeTransaction = {
  to: other,
  value: 1n,
  data: '0x1234',
  operation: 0,
  safeTxGas: 0n,
  baseGas: 0n,
  gasPrice: 0n,
  gasToken: zeroAddress,
  refundReceiver: zeroAddress,
  nonce: 1n,
}
const { nonce: _, ...fields } = executedTransaction
const args = [...(Object.values(fields) as [Hex, bigint, Hex, number, bigint, bigint, bigint, Hex, Hex]), '0x'] as const
const HASH = safeTransactionHash({ chainId: 1, address: safe }, [1, 4, 1], executedTransaction)
const EXECUTED = toEventSelector('ExecutionSuccess(bytes32,uint256)')
const ANNOUNCED = toEventSelector(
  'SafeMultiSigTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes,bytes)',
)

const log = (transaction: number, topics: readonly Hex[], data: Hex = '0x'): Log => ({
  address: safe,
  topics,
  data,
  blockNumber: 1,
  blockHash: toWord(1),
  txHash: toWord(transaction),
  txIndex: 0,
  logIndex: 0,
  blockTime: undefined,
})
const approved = (transaction: number, hash: Hex = HASH): Log =>
  log(transaction, [toEventSelector('ApproveHash(bytes32,address)'), hash, toWord(owner)])
const approveHash = (hash: Hex): Hex => encodeFunctionData({ abi: ABI, functionName: 'approveHash', args: [hash] })

async function read(
  approvals: readonly Log[],
  history: readonly Log[],
  transactions: Readonly<Record<number, Partial<Transaction>>>,
): Promise<readonly Approval[]> {
  const transaction: ChainReads['transaction'] = async ({ txHash }) => {
    const found = transactions[Number(txHash)]
    return found === undefined ? unread('missing') : value(found as Transaction)
  }
  const reads = { chainId: 1, transaction } as unknown as ChainReads
  const found = await readApprovals({ reads, logs: async () => value(history) }, safe, approvals)
  assert.ok(found.type === 'value', JSON.stringify(found))
  return found.value
}

test('an approval is given by a transaction that its owner sends to the Safe, and by no other', async () => {
  const input = approveHash(HASH)
  const by = async (sent: Partial<Transaction>) => await read([approved(1)], [], { 1: sent })
  assert.deepEqual(await by({ from: owner, to: safe, input }), [{ hash: HASH, owner, isSent: true }])
  for (const sent of [
    { from: other, to: safe, input },
    { from: owner, to: other, input },
    { from: owner, to: safe, input: approveHash(toWord(5)) },
  ])
    assert.deepEqual(await by(sent), [{ hash: HASH, owner }])
  // One of several transactions is enough.
  const twice = { 1: { from: owner, to: safe, input }, 2: { from: other, to: safe, input } }
  assert.deepEqual(await read([approved(1), approved(2)], [], twice), [{ hash: HASH, owner, isSent: true }])
})

test('the nonce of an executed transaction is found in calldata, also inside of another call, and in events', async () => {
  const data = encodeFunctionData({ abi: ABI, functionName: 'execTransaction', args })
  const first = log(8, [EXECUTED, toWord(6)])
  const known = [{ hash: HASH, owner, nonce: 1 }]
  for (const executed of [log(9, [EXECUTED, HASH]), log(9, [EXECUTED], concatHex([HASH, toWord(0)]))])
    for (const input of [data, concatHex(['0x12345678', toWord(32), data, toWord(0)])])
      assert.deepEqual(await read([approved(1)], [first, executed], { 9: { from: other, to: safe, input } }), known)
  const announced = encodeAbiParameters(
    parseAbiParameters('address, uint256, bytes, uint8, uint256, uint256, uint256, address, address, bytes, bytes'),
    [...args, '0x'],
  )
  const history = [log(9, [ANNOUNCED], announced), log(9, [EXECUTED, HASH])]
  assert.deepEqual(await read([approved(1)], history, { 9: { from: other, to: other, input: '0x' } }), known)
})

test('an execution that only an event reports gives no nonce', async () => {
  const executed = [log(9, [EXECUTED, HASH])]
  const wrong = encodeFunctionData({
    abi: ABI,
    functionName: 'execTransaction',
    args: [other, 2n, ...args.slice(2)] as never,
  })
  for (const input of ['0x', wrong, '0x6a761202'] as const)
    assert.deepEqual(await read([approved(1)], executed, { 9: { from: other, to: safe, input } }), [
      { hash: HASH, owner },
    ])
})
