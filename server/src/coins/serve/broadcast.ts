/**
 * Broadcasts transactions through the node, after the node has tested whether it accepts them.
 *
 * A transaction that is in the mempool or in a block already counts as sent, so that a request can be repeated. A refused
 * transaction is a result with its reason and not an error: of a package, the others may have been sent.
 */
import { ApiError } from '../../lib/http/api-error.ts'
import { withSnapshot } from '../index/kv.ts'
import { findTx } from '../index/lookup.ts'
import { NodeRpcError } from '../node/node-errors.ts'
import { hashFromHex } from '../parse/block.ts'
import { ParseError } from '../parse/parse-error.ts'
import { parseTransaction, type Transaction } from '../parse/transaction.ts'
import { explainRefusal } from './refusals.ts'
import type { Relay, ServedChain } from './served-chain.ts'

export type BroadcastRequest = {
  /** In hexadecimal, parents before their children. */
  readonly transactions: readonly string[]
  /** In the smallest unit per virtual byte; 0 for no limit. */
  readonly maxFeeRate: number
  /** Only tests whether the node accepts the transactions. */
  readonly testOnly: boolean
}

type State = 'sent' | 'accepted' | 'known' | 'confirmed' | 'refused'

type Judged = { state: State; fee: number | undefined; reason: string | undefined }

type Candidate = { readonly hex: string; readonly tx: Transaction; readonly judged: Judged }

/** Codes of Core: refused by the rules of the mempool or the chain, an invalid transaction, and already in a block. */
const REFUSED: ReadonlySet<number> = new Set([-22, -25, -26])
const IN_CHAIN = -27
const KNOWN = /^txn-already-(in-mempool|known)/
/** Refusals that the fee of a child in the same package can outweigh. */
const FEE_TOO_LOW = /^(min relay fee not met|mempool min fee not met)/
const NOT_EXAMINED = 'not-examined'
const isFeeTooLow = (reason: string): boolean => FEE_TOO_LOW.test(reason) || reason === NOT_EXAMINED

function readTransactions({ network }: ServedChain, texts: readonly string[]): Candidate[] {
  const seen = new Set<string>()
  return texts.map((hex, i) => {
    let tx: Transaction
    try {
      tx = parseTransaction(Buffer.from(hex, 'hex'), { mweb: network.mweb !== undefined })
    } catch (error) {
      if (!(error instanceof ParseError || error instanceof RangeError)) throw error
      throw invalid(`transactions.${i}: this is not a transaction of ${network.chain}.`)
    }
    if (seen.has(tx.txid)) throw invalid(`transactions.${i}: ${tx.txid} is listed twice.`)
    seen.add(tx.txid)
    return { hex, tx, judged: { state: 'refused', fee: undefined, reason: undefined } }
  })
}

const invalid = (message: string): ApiError => new ApiError({ status: 400, code: 'INVALID_TRANSACTION', message })

const isConfirmed = ({ index }: ServedChain, txid: string): boolean =>
  withSnapshot(index.kv, (reader) => findTx(reader, hashFromHex(txid)) !== undefined)

function relayOf({ relay }: ServedChain): Relay {
  if (relay !== undefined) return relay
  throw new ApiError({
    status: 503,
    code: 'UNAVAILABLE',
    message: 'This chain is read from block files, without a node that could broadcast. Use another service for it.',
  })
}

export async function broadcast(chain: ServedChain, request: BroadcastRequest) {
  const candidates = readTransactions(chain, request.transactions)
  for (const { tx, judged } of candidates) if (isConfirmed(chain, tx.txid)) judged.state = 'confirmed'
  const open = candidates.filter(({ judged }) => judged.state === 'refused')
  if (open.length > 0) {
    const relay = relayOf(chain)
    const known = await relay.getMempoolEntries(open.map(({ tx }) => tx.txid))
    for (const [i, { judged }] of open.entries()) if (known[i] !== undefined) judged.state = 'known'
    const unknown = open.filter(({ judged }) => judged.state === 'refused')
    if (unknown.length > 0) await judge(relay, unknown, request)
  }
  return {
    chain: chain.network.chain,
    accepted: candidates.every(({ judged }) => judged.state !== 'refused'),
    transactions: candidates.map(({ tx, judged: { state, fee, reason } }) => ({
      txid: tx.txid,
      wtxid: tx.wtxid,
      vsize: tx.vsize,
      fee: fee ?? null,
      state,
      reason: reason ?? null,
      explanation: reason === undefined ? null : explainRefusal(reason),
    })),
  }
}

/** Tests transactions that the node does not have, and sends them if it accepts all of them. */
async function judge(relay: Relay, open: readonly Candidate[], request: BroadcastRequest): Promise<void> {
  const { maxFeeRate, testOnly } = request
  if (open.length > 1 && !(await testTogether(relay, open, maxFeeRate))) {
    // Litecoin Core tests one transaction at a time, so a child is tested after its parent was sent.
    for (const [i, each] of open.entries()) {
      await testOne(relay, each, maxFeeRate)
      if (each.judged.state === 'accepted' && !testOnly) await sendOne(relay, each, maxFeeRate)
      if (each.judged.state !== 'refused') continue
      for (const rest of open.slice(i + 1)) rest.judged.reason ??= NOT_EXAMINED
      return
    }
    return
  }
  if (open.length === 1 && open[0] !== undefined) await testOne(relay, open[0], maxFeeRate)
  const refused = open.filter(({ judged }) => judged.state === 'refused')
  if (testOnly) return
  if (refused.length === 0) {
    for (const [i, each] of open.entries()) {
      await sendOne(relay, each, maxFeeRate)
      if (each.judged.state !== 'refused') continue
      for (const rest of open.slice(i + 1)) Object.assign(rest.judged, { state: 'refused', reason: NOT_EXAMINED })
      return
    }
    return
  }
  // A child whose own fee is too low cannot pay for its parents.
  const parents = refused.filter((each) => each !== open.at(-1))
  const isPaidByChild = parents.length > 0 && parents.every(({ judged: { reason = '' } }) => isFeeTooLow(reason))
  if (isPaidByChild && open.at(-1)?.judged.reason === NOT_EXAMINED) await submitTogether(relay, open, maxFeeRate)
  // Nothing was sent: what the node would accept is not sent without the rest.
}

/** Returns false if the node tests only one transaction at a time. */
async function testTogether(relay: Relay, open: readonly Candidate[], maxFeeRate: number): Promise<boolean> {
  try {
    const results = await relay.testAccept(
      open.map(({ hex }) => hex),
      maxFeeRate,
    )
    for (const [i, { judged }] of open.entries()) take(judged, results[i])
    return true
  } catch (error) {
    if (error instanceof NodeRpcError && error.rpcCode === -8) return false
    throw error
  }
}

async function testOne(relay: Relay, { hex, judged }: Candidate, maxFeeRate: number): Promise<void> {
  try {
    take(judged, (await relay.testAccept([hex], maxFeeRate))[0])
  } catch (error) {
    refuse(judged, error)
  }
}

type TestResult = Awaited<ReturnType<Relay['testAccept']>>[number]

function take(judged: Judged, result: TestResult | undefined): void {
  const reason = result?.['reject-reason'] ?? result?.['package-error']
  judged.fee = result?.fees?.base
  if (result?.allowed === true) judged.state = 'accepted'
  else if (reason !== undefined && KNOWN.test(reason)) judged.state = 'known'
  else judged.reason = reason ?? NOT_EXAMINED
}

async function sendOne(relay: Relay, { hex, judged }: Candidate, maxFeeRate: number): Promise<void> {
  try {
    await relay.send(hex, maxFeeRate)
    judged.state = 'sent'
  } catch (error) {
    refuse(judged, error)
  }
}

/** Records what the node returned. Faults of the node are thrown. */
function refuse(judged: Judged, error: unknown): void {
  if (!(error instanceof NodeRpcError)) throw error
  if (error.rpcCode === IN_CHAIN) judged.state = 'confirmed'
  else if (KNOWN.test(error.reason)) judged.state = 'known'
  else if (REFUSED.has(error.rpcCode)) Object.assign(judged, { state: 'refused', reason: error.reason })
  else throw error
}

/** Sends a child that pays for its parents, where the node can. */
async function submitTogether(relay: Relay, open: readonly Candidate[], maxFeeRate: number): Promise<void> {
  let submitted: Awaited<ReturnType<Relay['submitPackage']>>
  try {
    submitted = await relay.submitPackage(
      open.map(({ hex }) => hex),
      maxFeeRate,
    )
  } catch (error) {
    // The package has another form than nodes accept. The reasons of the test stay.
    if (error instanceof NodeRpcError && REFUSED.has(error.rpcCode)) return
    throw error
  }
  for (const { tx, judged } of open) {
    const result = submitted?.['tx-results'][tx.wtxid]
    if (result === undefined) continue
    judged.fee = result.fees?.base ?? judged.fee
    judged.state = result.error === undefined ? 'sent' : 'refused'
    judged.reason = result.error
  }
}
