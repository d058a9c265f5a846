/**
 * The arithmetic of a payment that all selection strategies share.
 *
 * All coins have inputs of one size, so fee and weight depend only on the number of coins. Sums are exact; effective
 * values are never rounded. Coins that must be used are outside the selection: it chooses what is needed on top.
 */
import { compactSizeBytes, type InputSize, MAX_STANDARD_WEIGHT, txWeight, virtualSize } from './weights.ts'

/** Older coins have a smaller `order`. */
export type Coin = { readonly value: number; readonly order: number; readonly vout: number }

export type SpendTerms = {
  /** The sum of all recipients. */
  readonly amount: number
  /** Satoshi per virtual byte. */
  readonly feeRate: number
  /** The usual fee rate. Inputs spent above it count as waste. */
  readonly longTermRate: number
  /** The assumed rate for spending the change later. */
  readonly discardRate: number
  readonly input: InputSize
  /** The input that spends the change later. */
  readonly changeInput: InputSize
  readonly recipients: number
  /** Bytes of the outputs of all recipients. */
  readonly payBytes: number
  readonly changeBytes: number
  /** Dust threshold of the change output. */
  readonly changeDust: number
}

/** The coins that must be used. */
export type Required = { readonly inputs: number; readonly total: number }

export type Spend = SpendTerms & {
  readonly required: Required
  /** Fee for the bytes that the change output adds. */
  readonly changeFee: number
  /** Less change is added to the fee, because it would be dust or cost its value to spend. */
  readonly minChange: number
  /** Fees for creating the change now and spending it later. */
  readonly costOfChange: number
  /** A coin of this value or less costs at least its value to spend. */
  readonly uneconomicValue: number
  /** Most inputs of a standard transaction with change, in addition to the required ones; negative if these are too many. */
  readonly maxInputs: number
}

export function planSpend(terms: SpendTerms, required: Required = { inputs: 0, total: 0 }): Spend {
  const { feeRate, input, changeInput, discardRate, changeBytes, changeDust } = terms
  const spendingChange = Math.ceil(virtualSize(changeInput.weight) * discardRate)
  // With the change, the number of outputs can take more bytes.
  const countBytes = compactSizeBytes(terms.recipients + 1) - compactSizeBytes(terms.recipients)
  const changeFee = feeOf(feeRate, changeBytes + countBytes)
  const spend = {
    ...terms,
    required,
    changeFee,
    minChange: Math.max(changeDust, spendingChange + 1),
    costOfChange: changeFee + spendingChange,
    uneconomicValue: feeRate * virtualSize(input.weight),
    maxInputs: 0,
  }
  let maxInputs = Math.floor(MAX_STANDARD_WEIGHT / input.weight)
  while (maxInputs > 0 && weightWith(spend, maxInputs, true) > MAX_STANDARD_WEIGHT) maxInputs--
  return { ...spend, maxInputs: maxInputs - required.inputs }
}

export function weightWith(
  { input, recipients, payBytes, changeBytes }: SpendTerms,
  inputs: number,
  hasChange: boolean,
): number {
  const outputs = recipients + (hasChange ? 1 : 0)
  return txWeight({ inputs, input, outputs, outputBytes: payBytes + (hasChange ? changeBytes : 0) })
}

export function feeWith(spend: SpendTerms, inputs: number, hasChange: boolean): number {
  return feeOf(spend.feeRate, virtualSize(weightWith(spend, inputs, hasChange)))
}

/** Rates are whole numbers of satoshi per 1,000 virtual bytes, as in Core. */
const RATE_STEPS = 1_000

/** The fee of so many virtual bytes in whole satoshi, rounded up as in Core. */
export const feeOf = (feeRate: number, bytes: number): number =>
  Math.ceil((Math.round(feeRate * RATE_STEPS) * bytes) / RATE_STEPS)

/** The sum that this many chosen inputs must have, without change. */
export const needWith = (spend: Spend, chosen: number): number =>
  spend.amount + feeWith(spend, chosen + spend.required.inputs, false) - spend.required.total

/** The transaction of the required and the chosen inputs. */
export type Outcome = {
  readonly inputs: number
  readonly total: number
  readonly change: number
  readonly fee: number
  readonly weight: number
  /** See `inputWaste`. */
  readonly waste: number
}

/** Undefined if the coins do not cover amount and fee. */
export function outcomeOf(spend: Spend, chosen: number, chosenTotal: number): Outcome | undefined {
  const excess = chosenTotal - needWith(spend, chosen)
  const inputs = chosen + spend.required.inputs
  const total = chosenTotal + spend.required.total
  if (inputs === 0 || excess < 0) return undefined
  const change = excess - spend.changeFee
  const hasChange = change >= spend.minChange
  return {
    inputs,
    total,
    change: hasChange ? change : 0,
    fee: total - spend.amount - (hasChange ? change : 0),
    weight: weightWith(spend, inputs, hasChange),
    waste: inputWaste(spend, chosen) + (hasChange ? spend.costOfChange : excess),
  }
}

/**
 * The waste of the inputs: their fee above the usual rate. The waste of a selection adds the cost of change, or the
 * excess without change, as in Bitcoin Core.
 *
 * Below the usual rate Core's waste is negative and a payment would sweep the address. Here it is 0 then, and `optimal`
 * takes the fewest inputs.
 */
export function inputWaste({ input, feeRate, longTermRate, required }: Spend, chosen: number): number {
  return ((chosen + required.inputs) * input.weight * Math.max(0, feeRate - longTermRate)) / 4
}

export type Order = 'largest' | 'smallest' | 'oldest'

const byAge = (a: Coin, b: Coin): number => a.order - b.order || a.vout - b.vout

/** Among equal coins the older one comes first. */
export const ORDERS: Readonly<Record<Order, (a: Coin, b: Coin) => number>> = {
  largest: (a, b) => b.value - a.value || byAge(a, b),
  smallest: (a, b) => a.value - b.value || byAge(a, b),
  oldest: byAge,
}

/** The fewest first coins that pay; undefined if all coins together do not. Does not check the transaction size. */
export function firstThatPay(spend: Spend, coins: readonly Coin[]): readonly Coin[] | undefined {
  let total = 0
  if (spend.required.inputs > 0 && needWith(spend, 0) <= 0) return []
  for (const [i, { value }] of coins.entries()) {
    total += value
    if (total >= needWith(spend, i + 1)) return coins.slice(0, i + 1)
  }
  return undefined
}

export function sumOf(coins: readonly Coin[]): number {
  let total = 0
  for (const { value } of coins) total += value
  return total
}
