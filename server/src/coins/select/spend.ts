/**
 * One payment out of coins that all take the same input: what it costs with so many of them, and what any choice of
 * coins comes to.
 *
 * Owns the arithmetic that every strategy shares. Since every coin belongs to one script, fee and weight depend on how
 * many coins are spent and never on which, so sums are exact and no effective value is ever rounded.
 */
import { type InputSize, MAX_STANDARD_WEIGHT, txWeight, virtualSize } from './weights.ts'

/** `order` counts from the oldest coin of the chain. */
export type Coin = { readonly value: number; readonly order: number; readonly vout: number }

export type SpendTerms = {
  readonly amount: number
  /** Smallest unit per virtual byte. */
  readonly feeRate: number
  /** What spending usually costs: inputs spent above it are spent dear. */
  readonly longTermRate: number
  /** The rate at which change that is kept will be spent at the latest. */
  readonly discardRate: number
  readonly input: InputSize
  readonly payBytes: number
  readonly changeBytes: number
  /** Dust threshold of the change output. */
  readonly changeDust: number
}

export type Spend = SpendTerms & {
  /** Fee of the change output itself. */
  readonly changeFee: number
  /** Change below this goes to the fee: it would be dust, or cost as much to spend as it holds. */
  readonly minChange: number
  /** Making change now and spending it later. */
  readonly costOfChange: number
  /** A coin of this value or less costs what it brings. */
  readonly uneconomicValue: number
  /** Most inputs of a transaction that nodes relay, change included. */
  readonly maxInputs: number
}

export function planSpend(terms: SpendTerms): Spend {
  const { feeRate, input, discardRate, changeBytes, changeDust } = terms
  const spendingChange = Math.ceil(virtualSize(input.weight) * discardRate)
  const changeFee = feeRate * changeBytes
  const spend = {
    ...terms,
    changeFee,
    minChange: Math.max(changeDust, spendingChange + 1),
    costOfChange: changeFee + spendingChange,
    uneconomicValue: feeRate * virtualSize(input.weight),
    maxInputs: 0,
  }
  let maxInputs = Math.floor(MAX_STANDARD_WEIGHT / input.weight)
  while (maxInputs > 0 && weightWith(spend, maxInputs, true) > MAX_STANDARD_WEIGHT) maxInputs--
  return { ...spend, maxInputs }
}

export function weightWith({ input, payBytes, changeBytes }: SpendTerms, inputs: number, hasChange: boolean): number {
  const outputs = hasChange ? 2 : 1
  return txWeight({ inputs, input, outputs, outputBytes: payBytes + (hasChange ? changeBytes : 0) })
}

export function feeWith(spend: SpendTerms, inputs: number, hasChange: boolean): number {
  return spend.feeRate * virtualSize(weightWith(spend, inputs, hasChange))
}

/** What so many inputs must bring, change aside. */
export const needWith = (spend: SpendTerms, inputs: number): number => spend.amount + feeWith(spend, inputs, false)

export type Outcome = {
  readonly inputs: number
  readonly total: number
  readonly change: number
  readonly fee: number
  readonly weight: number
  /** See `wasteOf`. */
  readonly waste: number
}

/** Undefined where the coins do not pay amount and fee. */
export function outcomeOf(spend: Spend, inputs: number, total: number): Outcome | undefined {
  const excess = total - needWith(spend, inputs)
  if (inputs === 0 || excess < 0) return undefined
  const change = excess - spend.changeFee
  const hasChange = change >= spend.minChange
  return {
    inputs,
    total,
    change: hasChange ? change : 0,
    fee: total - spend.amount - (hasChange ? change : 0),
    weight: weightWith(spend, inputs, hasChange),
    waste: inputWaste(spend, inputs) + (hasChange ? spend.costOfChange : excess),
  }
}

/**
 * The measure of `optimal`, after Core: inputs spent dearer than usual, and either the cost of change or what is given
 * away without it. Where spending is cheaper than usual Core's figure would reward every further input, and a payment
 * would sweep the address; here inputs then weigh nothing, and `optimal` takes the fewest that pay.
 */
export function inputWaste({ input, feeRate, longTermRate }: SpendTerms, inputs: number): number {
  return (inputs * input.weight * Math.max(0, feeRate - longTermRate)) / 4
}
