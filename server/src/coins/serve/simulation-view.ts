/** POST /simulate: one payment from one address, as it would be made at this moment. */
import { createHash } from 'node:crypto'
import { setImmediate as letOthersIn } from 'node:timers/promises'
import type { z } from 'zod'
import { ApiError } from '../../lib/api-error.ts'
import type { simulateBody } from '../http/params.ts'
import { findBlockRow } from '../index/coin-index.ts'
import { type KvReader, withSnapshot, withSnapshotAsync } from '../index/kv.ts'
import { findTx } from '../index/lookup.ts'
import type { Address } from '../parse/address.ts'
import { hashFromHex, hashHex } from '../parse/block.ts'
import { scriptKey } from '../parse/script.ts'
import type { Transaction } from '../parse/transaction.ts'
import { dustThreshold } from '../select/dust.ts'
import { encodePsbt, type PsbtInput } from '../select/psbt.ts'
import { seededRandom } from '../select/seeded-random.ts'
import {
  type CoinSet,
  coinSet,
  type Payment,
  type Simulation,
  STRATEGIES,
  type Strategy,
  simulate,
} from '../select/simulate.ts'
import { outputBytes } from '../select/weights.ts'
import { readAddress } from './address-view.ts'
import type { FeeQuote, FeeService } from './fee-service.ts'
import { findSpendSize, type SpendSize } from './input-size.ts'
import type { ServedChain } from './served-chain.ts'
import { readScriptCoins, type ScriptCoins } from './spendable-coins.ts'
import { unconfirmedTx } from './transaction-view.ts'

export type SimulateRequest = Omit<z.output<typeof simulateBody>, 'chain'>

/** Signing more at once is work for a wallet, and the previous transactions would fill the answer. */
const MOST_PSBT_INPUTS = 500

type Scene = {
  readonly chain: ServedChain
  readonly reader: KvReader
  readonly request: SimulateRequest
  readonly from: Address
  readonly to: Address
  readonly found: ScriptCoins
  readonly spendSize: SpendSize
  readonly payment: Payment
  readonly coins: CoinSet
  readonly quote: FeeQuote
}

export async function getSimulation(feeService: FeeService, chain: ServedChain, request: SimulateRequest) {
  const { network, index } = chain
  const from = readAddress(chain, request.fromAddress)
  const to = readAddress(chain, request.toAddress)
  if (request.amount > network.maxMoney) throw invalid(`amount: at most ${network.maxMoney}`)
  const spendSize = await findSpendSize(chain, from)
  if (spendSize === undefined) throw invalid(`fromAddress: spending a ${from.type} output is not standard`)
  const quote = await feeService.quote(chain)
  const payment: Payment = {
    amount: request.amount,
    feeRate: request.feeRate,
    longTermRate: quote.longTermRate,
    discardRate: Math.max(network.dustRelayRate / 1000, quote.longTermRate),
    input: spendSize.size,
    payBytes: outputBytes(to.script),
    changeBytes: outputBytes(from.script),
    changeDust: dustThreshold(from.script, network.dustRelayRate),
    payDust: dustThreshold(to.script, network.dustRelayRate),
    minRelayRate: quote.min,
  }
  // One state from the first coin read to the last one named.
  return withSnapshotAsync(index.kv, async (reader) => {
    const found = await readScriptCoins(chain, reader, scriptKey(from.script))
    const usable = request.includeUnconfirmed ? [...found.free, ...found.unconfirmed] : found.free
    const coins = coinSet(usable, payment.feeRate, payment.input.weight)
    return describe({ chain, reader, request, from, to, found, spendSize, payment, coins, quote })
  })
}

const invalid = (message: string): ApiError => new ApiError({ status: 400, code: 'INVALID_PARAMETER', message })

/** The same request on the same tip draws the same coins. */
function run({ request, from, to, found, payment, coins }: Scene, strategy: Strategy): Simulation {
  const seed = createHash('sha256')
    .update(JSON.stringify([from.text, to.text, request.amount, request.feeRate, found.tip.hash]))
    .digest()
  return simulate(payment, coins, strategy, seededRandom(seed))
}

async function describe(scene: Scene) {
  const { chain, request, from, found, spendSize, payment, quote } = scene
  const result = run(scene, request.utxoSelection)
  const figures = await figuresOf(scene, result)
  const strategies: ({ readonly strategy: Strategy } & Figures)[] = []
  for (const strategy of request.compareStrategies ? STRATEGIES : [])
    strategies.push({ strategy, ...(await figuresOf(scene, run(scene, strategy))) })
  return {
    ...figures,
    chain: chain.network.chain,
    amount: payment.amount,
    feeRate: payment.feeRate,
    dustThreshold: payment.payDust,
    changeDustThreshold: payment.changeDust,
    utxoSelection: request.utxoSelection,
    scriptType: from.type,
    changeAddress: figures.change > 0 ? from.text : null,
    longTermFeeRate: quote.longTermRate,
    assumptions: [...spendSize.assumptions],
    warnings: warningsOf(scene, figures.change),
    excluded: {
      immature: found.immature.length,
      unconfirmed: request.includeUnconfirmed ? 0 : found.unconfirmed.length,
    },
    tip: found.tip,
    ...(request.compareStrategies ? { strategies } : {}),
    ...(request.psbt ? { psbt: await psbtOf(scene, result, figures) } : {}),
  }
}

type Figures = Awaited<ReturnType<typeof figuresOf>>

async function figuresOf({ reader, payment, found }: Scene, result: Simulation) {
  // A choice among a hundred thousand coins was made: others have their turn before the next.
  await letOthersIn()
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
    reason: null,
    shortfall: 0,
    algorithm,
    estimatedFee: outcome.fee,
    estimatedSize: size,
    weight: outcome.weight,
    selectedUtxos: coins.map((coin) => ({ ...found.outpointOf(reader, coin), value: coin.value })),
    inputCount: outcome.inputs,
    outputCount: outcome.change > 0 ? 2 : 1,
    totalInput: outcome.total,
    totalOutput: payment.amount + outcome.change,
    change: outcome.change,
    effectiveFeeRate: Math.floor(outcome.fee / size),
    waste: outcome.waste,
  }
}

function warningsOf({ from, to, request, found }: Scene, change: number): string[] {
  const warnings: string[] = []
  if (change > 0)
    warnings.push('PRIVACY_SELF_CHANGE: change returns to fromAddress and tells which output is the payment')
  if (from.text === to.text) warnings.push('SELF_PAYMENT: the payment goes to the address it comes from')
  if (request.includeUnconfirmed && found.unconfirmed.length > 0)
    warnings.push('UNCONFIRMED_INPUTS: coins that wait to confirm may be replaced or dropped')
  return warnings
}

async function psbtOf(scene: Scene, result: Simulation, figures: Figures): Promise<string | null> {
  if (!result.viable) return null
  if (figures.inputCount > MOST_PSBT_INPUTS)
    throw invalid(`psbt: the payment takes ${figures.inputCount} inputs; at most ${MOST_PSBT_INPUTS} are written out`)
  const { from, to, payment, spendSize } = scene
  const learned = spendSize.learned
  const isWitness = from.type !== 'p2pkh' && (from.type !== 'p2sh' || isWitnessProgram(learned?.redeemScript))
  const previous = isWitness ? new Map<string, Transaction>() : await previousTxs(scene, figures.selectedUtxos)
  const inputs = figures.selectedUtxos.map(
    ({ txid, vout, value }): PsbtInput => ({
      txid,
      vout,
      value,
      script: from.script,
      previous: previous.get(txid),
      redeemScript: learned?.redeemScript,
      witnessScript: learned?.witnessScript,
    }),
  )
  const change = { value: figures.change, script: from.script }
  return encodePsbt(inputs, [{ value: payment.amount, script: to.script }, ...(figures.change > 0 ? [change] : [])])
}

const isWitnessProgram = (script: Buffer | undefined): boolean =>
  script !== undefined && script[0] === 0 && (script.length === 22 || script.length === 34)

async function previousTxs({ chain }: Scene, outpoints: readonly { readonly txid: string }[]) {
  const wanted = [...new Set(outpoints.map(({ txid }) => txid))]
  const waiting = wanted.flatMap((txid) => unconfirmedTx(chain, txid) ?? [])
  const places = withSnapshot(chain.index.kv, (reader) =>
    wanted.flatMap((txid) => {
      const place = findTx(reader, hashFromHex(txid))
      const row = place === undefined ? undefined : findBlockRow(reader, place.height)
      return place === undefined || row === undefined ? [] : [{ place, blockHash: hashHex(row.hash) }]
    }),
  )
  return new Map([...waiting, ...(await chain.loader.load(places))].map((tx) => [tx.txid, tx]))
}
