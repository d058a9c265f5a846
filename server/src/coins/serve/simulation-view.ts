/** POST /simulate: a payment from one address, with its current coins and the current fee rates. */
import { createHash } from 'node:crypto'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { readHistory } from '../index/history.ts'
import { SENT } from '../index/history-entry.ts'
import { type KvReader, withSnapshotAsync } from '../index/kv.ts'
import { scriptKey } from '../parse/script.ts'
import { HintError, type InputHint } from '../select/input-hint.ts'
import { randomFromSeed } from '../select/optimal.ts'
import type { PsbtOutput } from '../select/psbt.ts'
import {
  type CoinSet,
  coinSet,
  type Payment,
  type Simulation,
  STRATEGIES,
  type Strategy,
  simulate,
  simulateAll,
} from '../select/simulate.ts'
import { feeWith } from '../select/spend.ts'
import { dustThreshold, findInputSize, outputBytes, virtualSize } from '../select/weights.ts'
import { sizeFacts } from './address-facts.ts'
import { refusePrivateKey } from './derived-scripts.ts'
import type { FeeQuote, FeeService } from './fee-service.ts'
import { estimateInputSize } from './input-size.ts'
import { encodePayment, type PaymentSource } from './payment-source.ts'
import {
  type ChosenCoins,
  chooseCoins,
  feeRateOf,
  invalid,
  lockWarnings,
  type PaymentRequest,
  type PaymentTerms,
  readField,
  readTerms,
} from './payment-terms.ts'
import { type Inspection, protectCoins } from './protected-coins.ts'
import type { ServedChain } from './served-chain.ts'
import { coinKey, readSpendableCoins } from './spendable-coins.ts'

export type SimulationRequest = PaymentRequest & InputHint & { readonly fromAddress: string }

type Context = {
  readonly chain: ServedChain
  readonly reader: KvReader
  readonly request: PaymentRequest
  readonly terms: PaymentTerms
  readonly source: PaymentSource
  readonly chosen: ChosenCoins
  readonly payment: Payment
  readonly coins: CoinSet
  readonly inspection: Inspection
  /** The results of the strategies that were inspected: selecting among many coins takes a while. */
  readonly results: ReadonlyMap<Strategy, Simulation>
  readonly quote: FeeQuote
}

export async function getSimulation(feeService: FeeService, chain: ServedChain, request: SimulationRequest) {
  if (request.descriptor !== undefined) refusePrivateKey(request.descriptor)
  const from = readField(chain, 'fromAddress', request.fromAddress)
  const terms = readTerms(chain, request)
  const estimate = await estimateInputSize(chain, from, hintOf(request)).catch((error: unknown) => {
    throw error instanceof HintError ? invalid(error.message) : error
  })
  if (estimate === undefined)
    throw invalid(`fromAddress: nodes do not relay spends of ${from.type} outputs. Use another address.`)
  const quote = await feeService.quote(chain)
  const key = scriptKey(from.script)
  // Coins and their txids are read from one snapshot.
  return withSnapshotAsync(chain.index.kv, async (reader) => {
    const source: PaymentSource = {
      field: 'fromAddress',
      id: from.text,
      scriptType: from.type,
      estimate,
      available: await readSpendableCoins(chain, reader, key),
      change: from,
      owns: (script) => script.equals(from.script),
      wasUsedBefore: ({ order }) => readHistory(reader, key, { limit: 1, before: order }).entries.length > 0,
      spentIn: ({ order }) => {
        const [entry] = readHistory(reader, key, { limit: 1, before: order + 1 }).entries
        return entry?.txnum === order && (entry.flags & SENT) !== 0
      },
      scriptOf: () => from.script,
      solvingDataOf: () => ({
        redeemScript: estimate.scripts?.redeemScript,
        witnessScript: estimate.scripts?.witnessScript,
      }),
      changeScripts: {},
    }
    return simulatePayment(chain, reader, { request, terms, source, quote })
  })
}

const hintOf = ({ inputType, redeemScript, witnessScript, descriptor }: SimulationRequest): InputHint => ({
  inputType,
  redeemScript,
  witnessScript,
  descriptor,
})

export type PaymentParts = Pick<Context, 'request' | 'terms' | 'source' | 'quote'>

/** Simulates a payment from the coins of a source. */
export async function simulatePayment(chain: ServedChain, reader: KvReader, parts: PaymentParts) {
  const { request, terms, source, quote } = parts
  const { network } = chain
  const { recipients } = terms
  const input = source.estimate.size
  const change = terms.changeAddress ?? source.change
  const payment: Payment = {
    amount: terms.amount,
    feeRate: feeRateOf(request, quote),
    longTermRate: quote.longTermRate,
    discardRate: Math.max(network.dustRelayRate / 1000, quote.longTermRate),
    input,
    changeInput: source.owns(change.script) ? input : (findInputSize(change.type) ?? input),
    recipients: recipients.length,
    payBytes: recipients.reduce((sum, { address }) => sum + outputBytes(address.script), 0),
    changeBytes: outputBytes(change.script),
    changeDust: dustThreshold(change.script, network.dustRelayRate),
    hasDust: recipients.some(({ amount, dust }) => amount !== undefined && amount < dust),
    minRelayRate: quote.min,
  }
  const chosen = chooseCoins(reader, source.available, request, source.field)
  const context = { ...parts, chain, reader, chosen, payment }
  const without = (keys: ReadonlySet<string>): CoinSet =>
    coinSet(
      keys.size === 0 ? chosen.others : chosen.others.filter((coin) => !keys.has(coinKey(coin))),
      payment,
      chosen.required,
    )
  const { dustThreshold: changeDust, dustSizedBelow } = sizeFacts(chain, change.script, { size: input, quote })
  let coins = without(new Set())
  let removed = 0
  const results = new Map<Strategy, Simulation>()
  const inspection = await protectCoins(chain, reader, source, {
    protect: request.protect,
    strategies: [request.utxoSelection, ...(request.compareStrategies ? STRATEGIES : [])],
    required: chosen.required,
    select: (strategy, keys) => {
      if (keys.size > removed) {
        removed = keys.size
        coins = without(keys)
        results.clear()
      }
      const result = results.get(strategy) ?? select({ ...context, coins }, strategy)
      results.set(strategy, result)
      return result
    },
    dust: { dustThreshold: changeDust, dustSizedBelow },
  })
  return simulationView({ ...context, coins, results, inspection })
}

/** Seeded by request and tip, so that the same request on the same tip selects the same coins. */
function select(
  { request, terms, source, payment, coins }: Omit<Context, 'inspection' | 'results'>,
  strategy: Strategy,
): Simulation {
  if (request.sendAll) return simulateAll(payment, coins, terms.recipients[0].dust)
  const paid = terms.recipients.map(({ address, amount }) => [address.text, amount])
  const seed = createHash('sha256')
    .update(JSON.stringify([source.id, paid, payment.feeRate, source.available.tip.hash]))
    .digest()
  return simulate(payment, coins, strategy, randomFromSeed(seed))
}

const run = (context: Context, strategy: Strategy): Simulation =>
  context.results.get(strategy) ?? select(context, strategy)

async function simulationView(context: Context) {
  const { chain, request, terms, source, chosen, payment, inspection, quote } = context
  const { available } = source
  const result = run(context, request.utxoSelection)
  const figures = await figuresOf(context, result)
  const strategies: ({ readonly strategy: Strategy } & Figures)[] = []
  for (const strategy of request.compareStrategies ? STRATEGIES : [])
    strategies.push({ strategy, ...(await figuresOf(context, run(context, strategy))) })
  const recipients = recipientsOf(context, result)
  const change = terms.changeAddress ?? source.change
  return {
    ...figures,
    chain: chain.network.chain,
    amount: recipients.reduce((sum, { amount }) => sum + amount, 0),
    recipients,
    feeRate: payment.feeRate,
    confTarget: request.confTarget ?? null,
    feeRange: feeRangeOf(context, result),
    dustThreshold: terms.recipients[0].dust,
    changeDustThreshold: payment.changeDust,
    utxoSelection: request.utxoSelection,
    scriptType: source.scriptType,
    changeAddress: figures.change > 0 ? change.text : null,
    locktime: request.locktime,
    sequence: request.sequence,
    longTermFeeRate: quote.longTermRate,
    assumptions: [...source.estimate.assumptions],
    warnings: warningsOf(context, result),
    higherFeeReason: higherFeeReason(context, result),
    excluded: {
      immature: available.immature.length,
      unconfirmed: request.includeUnconfirmed ? 0 : available.unconfirmed.length,
      mustNotUse: chosen.excluded,
      protected: inspection.flagged.length,
    },
    protectedUtxos: inspection.flagged.map(({ txid, vout, value, assets, dustAttack }) => ({
      txid,
      vout,
      value,
      assets: [...assets],
      dustAttack,
    })),
    tip: available.tip,
    ...(request.compareStrategies ? { strategies } : {}),
    ...((request.psbt ? await psbtsOf(context, result, figures) : {}) as Partial<PsbtFields>),
  }
}

/** What each recipient receives; 0 for the recipient of everything if the payment cannot be made. */
function recipientsOf({ terms, payment }: Context, result: Simulation) {
  const left = result.viable ? result.outcome.total - result.outcome.fee - payment.amount : 0
  return terms.recipients.map(({ address, amount, dust }) => ({
    address: address.text,
    amount: amount ?? left,
    dustThreshold: dust,
  }))
}

/** The fee of the selected coins with the smallest and the largest usual input; null if the size is known. */
function feeRangeOf({ source: { estimate }, payment }: Context, result: Simulation) {
  if (estimate.range === undefined || !result.viable) return null
  const { inputs, change } = result.outcome
  const [min, max] = estimate.range.map((input) => feeWith({ ...payment, input }, inputs, change > 0)) as [
    number,
    number,
  ]
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

async function figuresOf({ reader, payment, terms, source }: Context, result: Simulation) {
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
    reason: source.estimate.range === undefined ? null : ('INPUT_SIZE_ASSUMED' as const),
    shortfall: 0,
    algorithm,
    estimatedFee: outcome.fee,
    estimatedSize: size,
    weight: outcome.weight,
    selectedUtxos: coins.map((coin) => ({ ...source.available.outpointOf(reader, coin), value: coin.value })),
    inputCount: outcome.inputs,
    outputCount: terms.recipients.length + (outcome.change > 0 ? 1 : 0),
    totalInput: outcome.total,
    totalOutput: outcome.total - outcome.fee,
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

function warningsOf({ chain, request, terms, source, payment, inspection }: Context, result: Simulation): string[] {
  const warnings: string[] = []
  const { available } = source
  const change = terms.changeAddress ?? source.change
  const coins = result.viable ? result.coins : []
  const isSelfChange = coins.some((coin) => source.scriptOf(coin).equals(change.script))
  if (result.viable && result.outcome.change > 0 && isSelfChange)
    warnings.push(
      'PRIVACY_SELF_CHANGE: The change returns to the paying address, which reveals which output is the payment.',
    )
  if (chain.node !== undefined && chain.mempool.blockHash === undefined)
    warnings.push('MEMPOOL_UNKNOWN: The unconfirmed transactions are not known yet. A coin may already be spent.')
  if (terms.recipients.some(({ address }) => source.owns(address.script)))
    warnings.push(
      `SELF_PAYMENT: The payment goes to the ${source.field === 'descriptor' ? 'wallet' : 'address'} that pays it.`,
    )
  if (request.includeUnconfirmed && available.unconfirmed.length > 0)
    warnings.push('UNCONFIRMED_INPUTS: Unconfirmed coins can be replaced or dropped before they confirm.')
  const cost = payment.feeRate * virtualSize(payment.input.weight)
  const uneconomic = coins.filter(({ value }) => value <= cost).length
  if (uneconomic > 0)
    warnings.push(`UNECONOMIC_INPUTS: Selected coins that cost at least their value to spend: ${uneconomic}.`)
  if (inspection.required.length > 0)
    warnings.push(
      `PROTECTED_INPUTS: Coins of mustUse that carry inscriptions or runes, or look like a dust attack: ${inspection.required.length}.`,
    )
  if (!inspection.isComplete)
    warnings.push(
      'NOT_INSPECTED: Selected coins were not inspected for inscriptions and runes: they are too many, or the node does not answer.',
    )
  return [...warnings, ...lockWarnings(request, available.tip.height)]
}

type PsbtFields = { readonly psbt: string | null; readonly psbtV2: string | null }

async function psbtsOf(context: Context, result: Simulation, figures: Figures): Promise<PsbtFields> {
  const { chain, request, terms, source } = context
  // A wallet would sign a fee that is too low if the script is larger than assumed.
  if (!result.viable || source.estimate.range !== undefined) return { psbt: null, psbtV2: null }
  const change = terms.changeAddress ?? source.change
  const outputs = recipientsOf(context, result).map(
    ({ amount }, i): PsbtOutput => ({
      value: amount,
      script: terms.recipients[i]?.address.script ?? Buffer.alloc(0),
    }),
  )
  if (figures.change > 0)
    outputs.push({
      value: figures.change,
      script: change.script,
      ...(terms.changeAddress === undefined ? source.changeScripts : {}),
    })
  const inputs = result.coins.map((coin, i) => ({
    ...source.solvingDataOf(coin),
    script: source.scriptOf(coin),
    txid: figures.selectedUtxos[i]?.txid ?? '',
    vout: coin.vout,
    value: coin.value,
  }))
  const { v0, v2 } = await encodePayment(chain, source, inputs, outputs, request)
  return { psbt: v0, psbtV2: v2 }
}
