/**
 * What is known about approvals that a Safe stores: whether the owner sent a transaction that gives it, and the nonce of the
 * transaction that was approved.
 *
 * Events do not show either, because code that a Safe runs may emit them. A transaction shows what its sender wants, and a
 * hash shows every field that it covers.
 */
import { decodeAbiParameters, encodeFunctionData, parseAbi, parseAbiParameters, toEventSelector } from 'viem/utils'
import type { Hex } from '../../lib/hex.ts'
import { addressOf } from '../profile/abi-values.ts'
import { fieldsOf, nonceOf, type SafeFields, transactionsIn, type Values } from '../profile/safe-calldata.ts'
import { type Approval, type Read, value } from '../profile/state.ts'
import type { Log } from '../rpc/parse.ts'
import type { ChainReads } from './chain-reads.ts'
import type { ContractLogs } from './role-members.ts'

type Deps = { readonly reads: ChainReads; readonly logs: ContractLogs }

const ABI = parseAbi(['function approveHash(bytes32)'])
const EXECUTED: readonly Hex[] = ['ExecutionSuccess(bytes32,uint256)', 'ExecutionFailure(bytes32,uint256)'].map(
  (event) => toEventSelector(event),
)
/** Emitted by releases for L2 before they execute. */
const ANNOUNCED = toEventSelector(
  'SafeMultiSigTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes,bytes)',
)
const ANNOUNCED_VALUES = parseAbiParameters(
  'address, uint256, bytes, uint8, uint256, uint256, uint256, address, address, bytes, bytes',
)
/** A bound against histories that are built to be long. What is beyond it is not known. */
const MAX_TRANSACTIONS = 64
const MAX_CALLS = 8
/** How far the nonce may be from the number of executions that events report before. */
const MAX_SKIPPED = 2

/** Approvals that events name, with what is known about each. `approved`: logs of `ApproveHash`. */
export async function readApprovals(
  { reads, logs }: Deps,
  address: Hex,
  approved: readonly Log[],
): Promise<Read<readonly Approval[]>> {
  if (approved.length === 0) return value([])
  const history = await logs(address, [...EXECUTED, ANNOUNCED])
  if (history.type !== 'value') return history
  const known = new Map<string, Approval>()
  let left = MAX_TRANSACTIONS
  for (const log of approved.toReversed()) {
    const [hash, owner] = [log.topics[1], addressOf(log.topics[2] ?? '0x')]
    if (hash === undefined || owner === undefined) continue
    const before = known.get(`${hash}${owner}`)
    if (before?.nonce !== undefined || before?.isSent === true) continue
    left -= 1
    const found = left < 0 ? value({}) : await readApproval(reads, { address, hash, owner, log }, history.value)
    if (found.type === 'unread') return found
    known.set(`${hash}${owner}`, { hash, owner, ...(found.type === 'value' ? found.value : {}) })
  }
  return value([...known.values()].toReversed())
}

type Named = { readonly address: Hex; readonly hash: Hex; readonly owner: Hex; readonly log: Log }

async function readApproval(
  reads: ChainReads,
  { address, hash, owner, log }: Named,
  history: readonly Log[],
): Promise<Read<Pick<Approval, 'nonce' | 'isSent'>>> {
  const executions = history.filter(({ topics }) => topics[0] !== ANNOUNCED)
  const at = executions.findIndex(({ topics, data }) => (topics[1] ?? data.slice(0, 66)) === hash)
  const executed = executions[at]
  const transaction = await reads.transaction(executed ?? log)
  if (transaction.type !== 'value') return transaction
  const { from, to, input } = transaction.value
  if (executed === undefined) {
    const isSent = from === owner && to === address && input === approveHash(hash)
    return value(isSent ? { isSent } : {})
  }
  const announced = history.filter(({ topics, txHash }) => topics[0] === ANNOUNCED && txHash === executed.txHash)
  const candidates = [...announced.flatMap(announcedTransaction), ...transactionsIn(input, MAX_CALLS)]
  const nonce = candidates
    .map((candidate) => nonceOf({ chainId: reads.chainId, address }, hash, candidate, noncesNear(at)))
    .find((found) => found !== undefined)
  return value(nonce === undefined ? {} : { nonce })
}

const approveHash = (hash: Hex): Hex => encodeFunctionData({ abi: ABI, functionName: 'approveHash', args: [hash] })

function noncesNear(expected: number): readonly number[] {
  const near = Array.from({ length: MAX_SKIPPED }, (_, n) => [expected + n + 1, expected - n - 1]).flat()
  return [expected, ...near].filter((nonce) => nonce >= 0)
}

function announcedTransaction({ data }: Log): readonly SafeFields[] {
  try {
    return fieldsOf(decodeAbiParameters(ANNOUNCED_VALUES, data).slice(0, 9) as unknown as Values)
  } catch {
    return []
  }
}
