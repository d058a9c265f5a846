/** POST /simulate: a payment from one address, with its current coins and the current fee rates. */
import { createHash } from 'node:crypto'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { ApiError } from '../../lib/http/api-error.ts'
import { type KvReader, withSnapshotAsync } from '../index/kv.ts'
import type { Address } from '../parse/address.ts'
import { scriptKey } from '../parse/script.ts'
import type { Transaction } from '../parse/transaction.ts'
import { HintError, type InputHint } from '../select/input-hint.ts'
import { randomFromSeed } from '../select/optimal.ts'
import { encodePsbt, type PsbtInput } from '../select/psbt.ts'
import {
  type CoinSet,
  coinSet,
  type Payment,
  type Simulation,
  STRATEGIES,
  type Strategy,
  simulate,
} from '../select/simulate.ts'
import { feeWith } from '../select/spend.ts'
import { dustThreshold, outputBytes } from '../select/weights.ts'
import { readAddress } from './address-view.ts'
import type { FeeQuote, FeeService } from './fee-service.ts'
import { estimateInputSize, type InputSizeEstimate } from './input-size.ts'
import type { ServedChain } from './served-chain.ts'
import { readSpendableCoins, type SpendableCoins } from './spendable-coins.ts'
import { loadTransactions } from './transaction-view.ts'

export type SimulationRequest = InputHint & {
  readonly fromAddress: string
  readonly toAddress: string
  readonly amount: number
  readonly feeRate: number
  readonly utxoSelection: Strategy
  readonly compareStrategies: boolean
  readonly psbt: boolean
  readonly includeUnconfirmed: boolean
}

/** Keeps the response small: for inputs without witness a PSBT contains the whole previous transactions. */
const MAX_PSBT_INPUTS = 500

type Context = {
  readonly chain: ServedChain
  readonly reader: KvReader
  readonly request: SimulationRequest
  readonly from: Address
  readonly to: Address
  readonly available: SpendableCoins
  readonly estimate: InputSizeEstimate
  readonly payment: Payment
  readonly coins: CoinSet
  readonly quote: FeeQuote
}

export async function getSimulation(feeService: FeeService, chain: ServedChain, request: SimulationRequest) {
  const { network, index } = chain
  const from = readAddress(chain, request.fromAddress)
  const to = readAddress(chain, request.toAddress)
  if (request.amount > network.maxMoney) throw invalid(`amount: must be at most ${network.maxMoney}`)
  const estimate = await estimateInputSize(chain, from, hintOf(request)).catch((error: unknown) => {
    throw error instanceof HintError ? invalid(error.message) : error
  })
  if (estimate === undefined)
    throw invalid(`fromAddress: nodes do not relay spends of ${from.type} outputs. Use another address.`)
  const quote = await feeService.quote(chain)
  const payment: Payment = {
    amount: request.amount,
    feeRate: request.feeRate,
    longTermRate: quote.longTermRate,
    discardRate: Math.max(network.dustRelayRate / 1000, quote.longTermRate),
    input: estimate.size,
    payBytes: outputBytes(to.script),
    changeBytes: outputBytes(from.script),
    changeDust: dustThreshold(from.script, network.dustRelayRate),
    payDust: dustThreshold(to.script, network.dustRelayRate),
    minRelayRate: quote.min,
  }
  // Coins and their txids are read from one snapshot.
  return withSnapshotAsync(index.kv, async (reader) => {
    const available = await readSpendableCoins(chain, reader, scriptKey(from.script))
    const usable = request.includeUnconfirmed ? [...available.mature, ...available.unconfirmed] : available.mature
    const coins = coinSet(usable, payment.feeRate, payment.input.weight)
    return simulationView({ chain, reader, request, from, to, available, estimate, payment, coins, quote })
  })
}

const hintOf = ({ inputType, redeemScript, witnessScript, descriptor }: SimulationRequest): InputHint => ({
  inputType,
  redeemScript,
  witnessScript,
  descriptor,
})

const invalid = (message: string): ApiError => new ApiError({ status: 400, code: 'INVALID_PARAMETER', message })

/** Seeded by request and tip, so that the same request on the same tip selects the same coins. */
function run({ request, from, to, available, payment, coins }: Context, strategy: Strategy): Simulation {
  const seed = createHash('sha256')
    .update(JSON.stringify([from.text, to.text, request.amount, request.feeRate, available.tip.hash]))
    .digest()
  return simulate(payment, coins, strategy, randomFromSeed(seed))
}

async function simulationView(context: Context) {
  const { chain, request, from, available, estimate, payment, quote } = context
  const result = run(context, request.utxoSelection)
  const figures = await figuresOf(context, result)
  const strategies: ({ readonly strategy: Strategy } & Figures)[] = []
  for (const strategy of request.compareStrategies ? STRATEGIES : [])
    strategies.push({ strategy, ...(await figuresOf(context, run(context, strategy))) })
  return {
    ...figures,
    chain: chain.network.chain,
    amount: payment.amount,
    feeRate: payment.feeRate,
    feeRange: feeRangeOf(context, result),
    dustThreshold: payment.payDust,
    changeDustThreshold: payment.changeDust,
    utxoSelection: request.utxoSelection,
    scriptType: from.type,
    changeAddress: figures.change > 0 ? from.text : null,
    longTermFeeRate: quote.longTermRate,
    assumptions: [...estimate.assumptions],
    warnings: warningsOf(context, figures.change),
    higherFeeReason: higherFeeReason(context, result),
    excluded: {
      immature: available.immature.length,
      unconfirmed: request.includeUnconfirmed ? 0 : available.unconfirmed.length,
    },
    tip: available.tip,
    ...(request.compareStrategies ? { strategies } : {}),
    ...(request.psbt ? { psbt: await psbtOf(context, result, figures) } : {}),
  }
}

/** The fee of the selected coins with the smallest and the largest usual input; null if the size is known. */
function feeRangeOf({ estimate: { range }, payment }: Context, result: Simulation) {
  if (range === undefined || !result.viable) return null
  const { inputs, change } = result.outcome
  const [min, max] = range.map((input) => feeWith({ ...payment, input }, inputs, change > 0)) as [number, number]
  return { min, max }
}

/** Why `optimal` pays a higher fee than another strategy; null if it does not. */
function higherFeeReason(context: Context, result: Simulation): string | null {
  if (context.request.utxoSelection !== 'optimal' || !result.viable) return null
  const { outcome } = result
  const others = STRATEGIES.filter((strategy) => strategy !== 'optimal').flatMap((strategy) => {
    const other = run(context, strategy)
    return other.viable && other.outcome.fee < outcome.fee ? [{ strategy, outcome: other.outcome }] : []
  })
  const [cheapest] = others.toSorted((a, b) => a.outcome.fee - b.outcome.fee)
  if (cheapest === undefined) return null
  const saved = outcome.fee - cheapest.outcome.fee
  const wasteLess = Math.round(cheapest.outcome.waste - outcome.waste)
  const how =
    outcome.change === 0 && cheapest.outcome.change > 0
      ? 'it leaves no change, which would cost a fee to spend later'
      : 'it counts what later payments cost too'
  return (
    `The fee is ${saved} satoshi higher than with ${cheapest.strategy}. optimal minimizes the cost of this payment and ` +
    `of spending its change later: ${how}, and its waste is ${wasteLess} satoshi lower.`
  )
}

type Figures = Awaited<ReturnType<typeof figuresOf>>

async function figuresOf({ reader, payment, available, estimate }: Context, result: Simulation) {
  // Selection among 100,000 coins takes a while; other requests run before the next one.
  await yieldToEventLoop()
  if (!result.viable) {
    return {
      viable: false,
      reason: result.reason,
      shortfall: result.shortfall,
      algorithm: null,
      estimatedFee: result.feeOfAll,
      estimatedSize: 0,
      weight: 0,
      selectedUtxos: [],
      inputCount: 0,
      outputCount: 0,
      totalInput: 0,
      totalOutput: 0,
      change: 0,
      effectiveFeeRate: 0,
      waste: null,
    }
  }
  const { coins, outcome, size, algorithm } = result
  return {
    viable: true,
    reason: estimate.range === undefined ? null : ('INPUT_SIZE_ASSUMED' as const),
    shortfall: 0,
    algorithm,
    estimatedFee: outcome.fee,
    estimatedSize: size,
    weight: outcome.weight,
    selectedUtxos: coins.map((coin) => ({ ...available.outpointOf(reader, coin), value: coin.value })),
    inputCount: outcome.inputs,
    outputCount: outcome.change > 0 ? 2 : 1,
    totalInput: outcome.total,
    totalOutput: payment.amount + outcome.change,
    change: outcome.change,
    effectiveFeeRate: roundedRate(outcome.fee / size, payment.feeRate),
    waste: outcome.waste,
  }
}

/** Rounds down to a whole number, or to three decimal places if a rate with decimals was requested. */
function roundedRate(rate: number, requested: number): number {
  const steps = Number.isInteger(requested) ? 1 : 1_000
  // The tolerance is far below the step and above the error of the division.
  return Math.floor(rate * steps + 1e-9) / steps
}

function warningsOf({ chain, from, to, request, available }: Context, change: number): string[] {
  const warnings: string[] = []
  if (change > 0)
    warnings.push(
      'PRIVACY_SELF_CHANGE: The change returns to the paying address, which reveals which output is the payment.',
    )
  if (chain.node !== undefined && chain.mempool.blockHash === undefined)
    warnings.push('MEMPOOL_UNKNOWN: The unconfirmed transactions are not known yet. A coin may already be spent.')
  if (from.text === to.text) warnings.push('SELF_PAYMENT: The payment goes to the address that pays it.')
  if (request.includeUnconfirmed && available.unconfirmed.length > 0)
    warnings.push('UNCONFIRMED_INPUTS: Unconfirmed coins can be replaced or dropped before they confirm.')
  return warnings
}

async function psbtOf(context: Context, result: Simulation, figures: Figures): Promise<string | null> {
  // A wallet would sign a fee that is too low if the script is larger than assumed.
  if (!result.viable || context.estimate.range !== undefined) return null
  if (figures.inputCount > MAX_PSBT_INPUTS)
    throw invalid(
      `psbt: the payment needs ${figures.inputCount} inputs, and a PSBT has at most ${MAX_PSBT_INPUTS}. Send a smaller amount or omit psbt.`,
    )
  const { chain, from, to, payment, estimate } = context
  const isWitness = from.type === 'p2sh' ? estimate.size.isSegwit : from.type !== 'p2pkh'
  const previous = isWitness
    ? new Map<string, Transaction>()
    : await loadTransactions(chain, new Set(figures.selectedUtxos.map(({ txid }) => txid)))
  const inputs = figures.selectedUtxos.map(
    ({ txid, vout, value }): PsbtInput => ({
      txid,
      vout,
      value,
      script: from.script,
      previous: previous.get(txid),
      redeemScript: estimate.scripts?.redeemScript,
      witnessScript: estimate.scripts?.witnessScript,
    }),
  )
  const change = { value: figures.change, script: from.script }
  return encodePsbt(inputs, [{ value: payment.amount, script: to.script }, ...(figures.change > 0 ? [change] : [])])
}
