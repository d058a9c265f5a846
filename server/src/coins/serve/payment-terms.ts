/** The terms of a payment as the caller states them: recipients, coins, change, fee rate, lock time. */
import { ApiError } from '../../lib/http/api-error.ts'
import { rateForTarget } from '../fees/fee-tiers.ts'
import type { KvReader } from '../index/kv.ts'
import type { Address } from '../parse/address.ts'
import { REPLACEABLE } from '../select/psbt.ts'
import type { Strategy } from '../select/simulate.ts'
import type { Coin } from '../select/spend.ts'
import { dustThreshold } from '../select/weights.ts'
import { readAddress } from './address-view.ts'
import type { FeeQuote } from './fee-service.ts'
import type { ServedChain } from './served-chain.ts'
import { coinKey, type SpendableCoins } from './spendable-coins.ts'

export type PaymentRequest = {
  readonly toAddress?: string | undefined
  readonly amount?: number | undefined
  /** Further recipients. */
  readonly recipients: readonly { readonly address: string; readonly amount: number }[]
  /** `toAddress` receives what the fee and the other recipients leave. */
  readonly sendAll: boolean
  /** Outpoints as `txid:vout`. */
  readonly mustUse: readonly string[]
  readonly mustNotUse: readonly string[]
  readonly changeAddress?: string | undefined
  readonly locktime: number
  readonly sequence: number
  readonly feeRate?: number | undefined
  readonly confTarget?: number | undefined
  readonly utxoSelection: Strategy
  readonly compareStrategies: boolean
  readonly psbt: boolean
  readonly includeUnconfirmed: boolean
  /** Which coins are inspected for inscriptions, runes and dust attacks before they are selected. */
  readonly protect: 'small' | 'all' | 'none'
}

export type Recipient = {
  readonly address: Address
  /** Undefined for the recipient of everything that is left, who is the first one. */
  readonly amount: number | undefined
  readonly dust: number
}

export type PaymentTerms = {
  readonly recipients: readonly [Recipient, ...Recipient[]]
  /** The sum of all stated amounts. */
  readonly amount: number
  readonly changeAddress: Address | undefined
}

/** The rate of a request that states neither a rate nor a target, in sat/vB. */
export const DEFAULT_FEE_RATE = 10
const FINAL = 0xffff_ffff

export const invalid = (message: string): ApiError => new ApiError({ status: 400, code: 'INVALID_PARAMETER', message })

/** Reads an address of the request; the message of a refusal names the field. */
export function readField(chain: ServedChain, field: string, text: string): Address {
  try {
    return readAddress(chain, text)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new ApiError({ status: 400, code: error.code, message: `${field}: ${error.message}` })
  }
}

export function readTerms(chain: ServedChain, request: PaymentRequest): PaymentTerms {
  checkCombinations(request)
  const { network } = chain
  const recipients: Recipient[] = []
  const fields = new Map<string, string>()
  const add = (field: string, text: string, amount: number | undefined): void => {
    const address = readField(chain, field, text)
    const script = address.script.toString('hex')
    const earlier = fields.get(script)
    if (earlier !== undefined) throw invalid(`${field}: is the same address as ${earlier}. Send the sum to it once.`)
    fields.set(script, field)
    recipients.push({ address, amount, dust: dustThreshold(address.script, network.dustRelayRate) })
  }
  if (request.toAddress !== undefined) add('toAddress', request.toAddress, request.amount)
  for (const [i, { address, amount }] of request.recipients.entries()) add(`recipients.${i}.address`, address, amount)
  let amount = 0
  for (const [i, recipient] of recipients.entries()) {
    amount += recipient.amount ?? 0
    if (amount <= network.maxMoney) continue
    const field =
      request.toAddress === undefined ? `recipients.${i}.amount` : i === 0 ? 'amount' : `recipients.${i - 1}.amount`
    throw invalid(
      `${field}: ${recipients.length > 1 ? 'the sum of all amounts ' : ''}must be at most ${network.maxMoney}`,
    )
  }
  const [first, ...others] = recipients
  if (first === undefined) throw invalid('toAddress: is required. Send toAddress and amount, or recipients.')
  const { changeAddress } = request
  return {
    recipients: [first, ...others],
    amount,
    changeAddress: changeAddress === undefined ? undefined : readField(chain, 'changeAddress', changeAddress),
  }
}

function checkCombinations(request: PaymentRequest): void {
  const { toAddress, amount, recipients, sendAll, changeAddress, compareStrategies, locktime, sequence } = request
  if (sendAll) {
    if (toAddress === undefined) throw invalid('toAddress: is required with sendAll. It receives what is left.')
    if (amount !== undefined) throw invalid('amount: cannot be combined with sendAll. Omit one of them.')
    if (changeAddress !== undefined)
      throw invalid('changeAddress: cannot be combined with sendAll, which leaves no change.')
    if (compareStrategies)
      throw invalid('compareStrategies: cannot be combined with sendAll, which uses every coin with any strategy.')
  } else if (toAddress !== undefined && amount === undefined) {
    throw invalid('amount: is required with toAddress. Send sendAll to pay everything.')
  } else if (toAddress === undefined && (amount !== undefined || recipients.length === 0)) {
    throw invalid('toAddress: is required. Send toAddress and amount, or recipients.')
  }
  if (request.feeRate !== undefined && request.confTarget !== undefined)
    throw invalid('confTarget: cannot be combined with feeRate. Omit one of them.')
  if (locktime > 0 && sequence === FINAL)
    throw invalid(`sequence: ${FINAL} disables locktime. Send at most ${FINAL - 1}, or omit locktime.`)
  const unique = new Set<string>()
  for (const [i, outpoint] of request.mustUse.entries()) {
    if (unique.has(outpoint)) throw invalid(`mustUse.${i}: is listed twice.`)
    unique.add(outpoint)
  }
  for (const [i, outpoint] of request.mustNotUse.entries())
    if (unique.has(outpoint)) throw invalid(`mustNotUse.${i}: is also in mustUse. Remove it from one of them.`)
}

/** The requested rate, or that of the requested target. */
export function feeRateOf({ feeRate, confTarget }: PaymentRequest, { blocks, tiers, min }: FeeQuote): number {
  if (confTarget === undefined) return feeRate ?? DEFAULT_FEE_RATE
  return rateForTarget(confTarget, { blocks, tiers, min })
}

export type ChosenCoins = {
  readonly required: readonly Coin[]
  readonly others: readonly Coin[]
  /** How many coins could be selected if the caller did not exclude them. */
  readonly excluded: number
}

/** Applies `mustUse` and `mustNotUse` to the coins. `owner` is what the coins belong to, in messages. */
export function chooseCoins(
  reader: KvReader,
  available: SpendableCoins,
  request: PaymentRequest,
  owner: string,
): ChosenCoins {
  const { mature, immature, leaving, unconfirmed } = available
  const usable = request.includeUnconfirmed ? [...mature, ...unconfirmed] : mature
  if (request.mustUse.length + request.mustNotUse.length === 0) return { required: [], others: usable, excluded: 0 }
  const keysOf = (outpoints: readonly string[]): (string | undefined)[] =>
    outpoints.map((outpoint) => available.keyOf(reader, outpoint))
  const wanted = keysOf(request.mustUse)
  const unwanted = new Set(keysOf(request.mustNotUse))
  const byKey = new Map(usable.map((coin) => [coinKey(coin), coin]))
  const required = wanted.map((key, i): Coin => {
    const coin = key === undefined ? undefined : byKey.get(key)
    if (coin !== undefined) return coin
    const isIn = (coins: readonly Coin[]): boolean => coins.some((each) => coinKey(each) === key)
    const fault = isIn(leaving)
      ? 'is spent by an unconfirmed transaction'
      : isIn(immature)
        ? 'needs more confirmations before it can be spent'
        : isIn(unconfirmed)
          ? 'is unconfirmed. Send includeUnconfirmed to use it'
          : `is not an unspent output of ${owner}`
    throw invalid(`mustUse.${i}: ${fault}.`)
  })
  const taken = new Set(wanted)
  const others = usable.filter((coin) => !taken.has(coinKey(coin)) && !unwanted.has(coinKey(coin)))
  return { required, others, excluded: usable.length - required.length - others.length }
}

/** Locks below this value are heights, others times (BIP 65). */
const TIME_LOCKS = 500_000_000
/** The bits of a sequence that hold a relative lock (BIP 68). */
const NO_RELATIVE_LOCK = 0x8000_0000
const RELATIVE_BY_TIME = 0x0040_0000

/** Warnings about a transaction that nodes do not accept yet, as `CODE: text`. */
export function lockWarnings({ locktime, sequence }: PaymentRequest, tipHeight: number): string[] {
  const warnings: string[] = []
  if (locktime >= TIME_LOCKS)
    warnings.push(
      `LOCKTIME: Nodes accept the transaction when the median time of the last 11 blocks is after ${new Date(locktime * 1_000).toISOString()}.`,
    )
  else if (locktime > tipHeight)
    warnings.push(`LOCKTIME: Nodes accept the transaction after the block at height ${locktime}.`)
  const units = sequence & 0xffff
  if (sequence < NO_RELATIVE_LOCK && units > 0)
    warnings.push(
      (sequence & RELATIVE_BY_TIME) === 0
        ? `RELATIVE_LOCK: Nodes accept the transaction when every selected coin has ${units} confirmations.`
        : `RELATIVE_LOCK: Nodes accept the transaction when every selected coin is ${units * 512} seconds old, by the median time of blocks.`,
    )
  if (sequence > REPLACEABLE)
    warnings.push(
      'NOT_REPLACEABLE: The transaction does not signal replacement (BIP 125). Some nodes will not replace it.',
    )
  return warnings
}
