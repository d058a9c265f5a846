/** The fields of a contract's state, in words and in the order they are read. Pure. */
import { STATE_FIELD_NAMES } from '../../../vocabulary/event-templates.ts'
import { duration } from '../../../vocabulary/time.ts'

export type Fields = Readonly<Record<string, string | null>>

export type FieldChange = {
  readonly field: string
  readonly name: string
  readonly before: string | null | undefined
  readonly after: string | null
}

export const fieldName = (field: string): string => STATE_FIELD_NAMES[field] ?? field

/** A list of addresses is its count, a delay its length, a hash its beginning; an address stays whole. */
export function fieldText(field: string, value: string | null | undefined): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (field === 'minDelay' && /^\d{1,10}$/.test(value)) return duration(Number(value))
  if (value.includes(',')) return `${value.split(',').length} accounts`
  if (field === 'codeHash') return `${value.slice(0, 10)}…`
  return value
}

/** What differs between a state and the one before it; all that is there where there was none before. */
export function changesOf(after: Fields, before: Fields | undefined): readonly FieldChange[] {
  return Object.keys(STATE_FIELD_NAMES)
    .filter((field) => field in after)
    .map((field) => ({
      field,
      name: fieldName(field),
      before: before?.[field],
      after: after[field] ?? null,
    }))
    .filter((change) => (before === undefined ? change.after !== null : change.before !== change.after))
}
