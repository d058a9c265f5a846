/**
 * Finds what an output carries beyond its value, from its own transaction: inscriptions and runes.
 *
 * Satoshi pass from inputs to outputs in order, first in, first out. An inscription is certain: its envelope is in the
 * witness, and its position is exact. Runes are possible: whether an edict or a mint succeeds depends on all earlier
 * runes, which no index here knows.
 */
import { findInscriptions } from '../parse/inscription.ts'
import { firstWithoutData, readRunestone } from '../parse/runestone.ts'
import type { Transaction } from '../parse/transaction.ts'

export type CarriedAsset = {
  readonly kind: 'inscription' | 'rune'
  readonly certainty: 'certain' | 'possible'
  /** The transaction that shows it, and for an inscription the input that revealed it. */
  readonly txid: string
  readonly input: number | null
  readonly contentType: string | null
}

/** A part of the satoshi of an output: from the first position to before the second. */
export type SatRange = { readonly from: number; readonly to: number }

/** The values of the inputs in order; undefined if they are not known. */
export type InputValues = readonly number[] | undefined

const sumBefore = (values: readonly number[], index: number): number =>
  values.slice(0, index).reduce((sum, value) => sum + value, 0)

const valuesOf = ({ outputs }: Transaction): number[] => outputs.map(({ value }) => value)

/** Whether the positions of the inscriptions depend on the values of the inputs. */
export const needsInputValues = (tx: Transaction): boolean =>
  findInscriptions(tx).some(({ input, pointer }) => input > 0 && pointer === undefined)

/** Inscriptions that the transaction reveals within a range of one of its outputs. */
export function inscriptionsIn(
  tx: Transaction,
  vout: number,
  { from, to }: SatRange,
  inputs: InputValues,
): CarriedAsset[] {
  const values = valuesOf(tx)
  const start = sumBefore(values, vout)
  const total = sumBefore(values, values.length)
  return findInscriptions(tx).flatMap(({ input, pointer, contentType }): CarriedAsset[] => {
    const own = input === 0 ? 0 : inputs === undefined ? undefined : sumBefore(inputs, input)
    const position = pointer !== undefined && pointer < total ? pointer : own
    const asset = { kind: 'inscription' as const, txid: tx.txid, input, contentType: contentType ?? null }
    // Without the values, any output can have it.
    if (position === undefined) return [{ ...asset, certainty: 'possible' as const }]
    return position >= start + from && position < start + to ? [{ ...asset, certainty: 'certain' as const }] : []
  })
}

/** What the runestone of the transaction gives to an output. */
export function runesIn(tx: Transaction, vout: number): CarriedAsset[] {
  const stone = readRunestone(tx)
  if (stone === undefined || stone === 'cenotaph') return []
  const receives = stone.assignsToAll || stone.edicts.includes(vout) || stone.rest === vout
  return receives ? [{ kind: 'rune', certainty: 'possible', txid: tx.txid, input: null, contentType: null }] : []
}

/** Whether runes of the inputs pass to this output without a stone. */
export const inheritsRunes = (tx: Transaction, vout: number): boolean =>
  readRunestone(tx) === undefined && firstWithoutData(tx) === vout

/** The inputs that the satoshi of a range of an output come from, with the range of each. */
export function originsOf(
  tx: Transaction,
  vout: number,
  { from, to }: SatRange,
  inputs: readonly number[],
): { readonly input: number; readonly range: SatRange }[] {
  const start = sumBefore(valuesOf(tx), vout)
  let at = 0
  return inputs.flatMap((value, input) => {
    const [first, end] = [at, at + value]
    at = end
    const range = { from: Math.max(start + from, first) - first, to: Math.min(start + to, end) - first }
    return range.from < range.to ? [{ input, range }] : []
  })
}
