/** Names, values and changes of a contract's state fields as texts. */
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

/** The number of accounts for a list, a duration for a delay, the first characters of a code hash, else the value. */
export function fieldText(field: string, value: string | null | undefined): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (field === 'minDelay' && /^\d{1,10}$/.test(value)) return duration(Number(value))
  if (value.includes(',')) return `${value.split(',').length} accounts`
  if (field === 'codeHash') return `${value.slice(0, 10)}…`
  return value
}

/** The fields that differ from the state before, or all that are set if there is no state before. */
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

/** What joined and what left a list of accounts. Undefined for a field that is no list, or was not known before. */
export function listChange({ field, before, after }: FieldChange): ListChange | undefined {
  if (!isList(field) || before === undefined) return undefined
  const [old, current] = [entriesOf(before), entriesOf(after)]
  return {
    added: current.filter((entry) => !old.includes(entry)),
    removed: old.filter((entry) => !current.includes(entry)),
  }
}

type ListChange = { readonly added: readonly string[]; readonly removed: readonly string[] }
const LISTS: ReadonlySet<string> = new Set(['owners', 'modules', 'facets'])

/** Whether the field holds accounts, separated by commas. */
export const isList = (field: string): boolean => LISTS.has(field)

/** The accounts of a list field. */
export const entriesOf = (list: string | null | undefined): readonly string[] =>
  (list ?? '').split(',').filter((entry) => entry !== '')

type Disagreement = { readonly field: string; readonly values: readonly (string | null)[] }

/** The values that two RPC endpoints return. A list is written out, because its length may be equal. */
export function disagreementText({ field, values }: Disagreement): string {
  const shown = values.map((value) => (value?.includes(',') ? value.replaceAll(',', ', ') : fieldText(field, value)))
  return `${fieldName(field)}: ${shown.join(' or ')}`
}
