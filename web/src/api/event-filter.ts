/** The filter of a feed. The address bar and the API use the same parameter names. */
import { CATEGORIES, type Category } from '../../../vocabulary/categories.ts'
import { SEVERITIES, type Severity } from '../../../vocabulary/severities.ts'
import type { ControlEvent } from './service.ts'

export type EventFilter = {
  readonly chain?: string
  readonly severity?: Severity
  readonly category?: Category
  readonly key?: string
  readonly address?: string
  readonly includeInit?: boolean
}

const oneOf = <Value extends string>(values: readonly Value[], given: string | null): Value | undefined =>
  values.find((value) => value === given)

/** Reads the filter from a query string. Values that cannot be read are left out; `unreadParts` names them. */
export function readFilter(search: string): EventFilter {
  const given = new URLSearchParams(search)
  const severity = oneOf(SEVERITIES, given.get('severity'))
  const category = oneOf(CATEGORIES, given.get('category'))
  const chain = given.get('chain')
  const key = given.get('key')
  const address = given.get('address')
  return {
    ...(chain !== null && chain !== '' && { chain }),
    ...(severity !== undefined && severity !== 'info' && { severity }),
    ...(category !== undefined && { category }),
    ...(key !== null && key !== '' && { key }),
    ...(address !== null && /^0x[0-9a-f]{40}$/i.test(address) && { address: address.toLowerCase() }),
    ...(given.get('includeInit') === 'true' && { includeInit: true }),
  }
}

const NAMES = ['chain', 'severity', 'category', 'key', 'address', 'includeInit'] as const
/** Values that ask for all events. */
const WIDEST: ReadonlySet<string> = new Set(['severity=info', 'includeInit=false'])

/** The parts of a query string that a filter cannot be read from, as `name=value`. */
export function unreadParts(search: string): readonly string[] {
  const [given, filter] = [new URLSearchParams(search), readFilter(search)]
  return NAMES.flatMap((name) => {
    const part = `${name}=${given.get(name) ?? ''}`
    return part === `${name}=` || WIDEST.has(part) || filter[name] !== undefined ? [] : [part]
  })
}

export function writeFilter(filter: EventFilter): string {
  const entries = Object.entries(filter).filter(([, value]) => value !== undefined && value !== '' && value !== false)
  return new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString()
}

/** Whether a live event belongs to the filtered feed. */
export function matches(event: ControlEvent, filter: EventFilter): boolean {
  const { chain, severity = 'info', category, key, address, includeInit = false } = filter
  return (
    (chain === undefined || chain === event.chainSlug || chain === String(event.chainId)) &&
    SEVERITIES.indexOf(event.severity) >= SEVERITIES.indexOf(severity) &&
    (category === undefined || category === event.category) &&
    (key === undefined || key === event.eventKey) &&
    (address === undefined || address === event.address) &&
    (includeInit || !event.isInit)
  )
}
