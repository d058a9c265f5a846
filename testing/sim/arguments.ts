/** The command line of `npm run sim`. */
import { parseArgs } from 'node:util'
import { reasonOf } from '../../server/src/lib/errors.ts'

/** Simulation to its default number of seeds: about a quarter of an hour for all of them on two cores. */
const SEEDS = { watch: 5_000, index: 2_000, alerts: 500, parse: 1_000, hostile: 20_000 } as const
export type SimulationName = keyof typeof SEEDS
const NAMES = Object.keys(SEEDS) as readonly SimulationName[]
/** Hostile requests need a whole service and run by name only. */
const DEFAULT_NAMES = NAMES.filter((name) => name !== 'hostile')

export type SimulationRequest = {
  readonly names: readonly SimulationName[]
  readonly from: number
  readonly seeds?: number
  readonly minutes?: number
  /** Run in this process. The runner of many seeds starts itself with this option. */
  readonly inProcess: boolean
}

/** Seeds `from` up to, not including, `below`; stops at `until`, in milliseconds since the epoch. */
export type SeedRange = { readonly from: number; readonly below: number; readonly until: number }

export function parseArguments(args: readonly string[]): SimulationRequest | { readonly error: string } {
  try {
    return parseRequest(args)
  } catch (error) {
    return { error: reasonOf(error) }
  }
}

function parseRequest(args: readonly string[]): SimulationRequest {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      seeds: { type: 'string' },
      minutes: { type: 'string' },
      from: { type: 'string', default: '1' },
      'in-process': { type: 'boolean', default: false },
    },
  })
  const [name, ...others] = positionals
  if (others.length > 0) throw new Error(`Name one simulation or none, not ${positionals.join(' and ')}.`)
  const known = NAMES.find((one) => one === name)
  if (name !== undefined && known === undefined)
    throw new Error(`Unknown simulation "${name}". Use one of ${NAMES.join(', ')}.`)
  return {
    names: known === undefined ? DEFAULT_NAMES : [known],
    from: wholeNumber('--from', values.from, 0),
    ...(values.seeds !== undefined && { seeds: wholeNumber('--seeds', values.seeds, 1) }),
    ...(values.minutes !== undefined && { minutes: positiveNumber('--minutes', values.minutes) }),
    inProcess: values['in-process'],
  }
}

function wholeNumber(option: string, text: string, least: number): number {
  const value = Number(text)
  if (!/^\d{1,15}$/.test(text) || value < least)
    throw new Error(`${option}: ${text || '""'} is not a whole number of at least ${least}.`)
  return value
}

function positiveNumber(option: string, text: string): number {
  const value = Number(text)
  if (!/^\d{1,6}(\.\d+)?$/.test(text) || value <= 0)
    throw new Error(`${option}: ${text || '""'} is not a number above 0.`)
  return value
}

/** With minutes and without seeds, only the time limits the range. */
export function seedRangeOf({ from, seeds, minutes }: SimulationRequest, name: SimulationName, now: number): SeedRange {
  const isEndless = seeds === undefined && minutes !== undefined
  return {
    from,
    below: isEndless ? Number.MAX_SAFE_INTEGER : from + (seeds ?? SEEDS[name]),
    until: minutes === undefined ? Number.MAX_SAFE_INTEGER : now + minutes * 60_000,
  }
}
