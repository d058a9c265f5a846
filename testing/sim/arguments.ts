/** What `npm run sim` was asked for, or why that cannot be done. */
import { parseArgs } from 'node:util'
import { reasonOf } from '../../server/src/lib/errors.ts'

/** Simulation → seeds where nobody says how many: about a quarter of an hour for all of them on two cores. */
const SEEDS = { watch: 5_000, index: 2_000, alerts: 500 } as const
export type Name = keyof typeof SEEDS
const NAMES = Object.keys(SEEDS) as readonly Name[]

export type Request = {
  readonly names: readonly Name[]
  readonly from: number
  readonly seeds?: number
  readonly minutes?: number
  /** In this process: what the runner of many asks of each. */
  readonly isHere: boolean
}

/** From `from`, below `below`, until `until` in milliseconds since the epoch. */
export type Stretch = { readonly from: number; readonly below: number; readonly until: number }

export function readArguments(args: readonly string[]): Request | { readonly refusal: string } {
  try {
    return readRequest(args)
  } catch (error) {
    return { refusal: reasonOf(error) }
  }
}

function readRequest(args: readonly string[]): Request {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      seeds: { type: 'string' },
      minutes: { type: 'string' },
      from: { type: 'string', default: '1' },
      here: { type: 'boolean', default: false },
    },
  })
  const [name, ...others] = positionals
  if (others.length > 0) throw new Error(`Name one simulation or none, not ${positionals.join(' and ')}.`)
  const known = NAMES.find((one) => one === name)
  if (name !== undefined && known === undefined)
    throw new Error(`There is no simulation called ${name}; there are: ${NAMES.join(', ')}.`)
  return {
    names: known === undefined ? NAMES : [known],
    from: wholeNumber('--from', values.from, 0),
    ...(values.seeds !== undefined && { seeds: wholeNumber('--seeds', values.seeds, 1) }),
    ...(values.minutes !== undefined && { minutes: minutesOf(values.minutes) }),
    isHere: values.here,
  }
}

function wholeNumber(option: string, text: string, least: number): number {
  const value = Number(text)
  if (!/^\d{1,15}$/.test(text) || value < least)
    throw new Error(`${option}: ${text || '""'} is not a whole number of at least ${least}.`)
  return value
}

function minutesOf(text: string): number {
  const value = Number(text)
  if (!/^\d{1,6}(\.\d+)?$/.test(text) || value <= 0)
    throw new Error(`--minutes: ${text || '""'} is not a number of minutes above 0.`)
  return value
}

/** Minutes alone bound the time and not the seeds. */
export function stretchOf({ from, seeds, minutes }: Request, name: Name, now: number): Stretch {
  const isEndless = seeds === undefined && minutes !== undefined
  return {
    from,
    below: isEndless ? Number.MAX_SAFE_INTEGER : from + (seeds ?? SEEDS[name]),
    until: minutes === undefined ? Number.MAX_SAFE_INTEGER : now + minutes * 60_000,
  }
}
