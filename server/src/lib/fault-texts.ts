/** Describes faults of parameters, bodies and files for which a schema has no text of its own. Pure. */
import type { z } from 'zod'

type Fault = Parameters<z.core.$ZodErrorMap>[0]

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

/** Follows the name of the parameter: `amount: must be a whole number`. Undefined for faults without a text here. */
export function faultText(fault: Fault): string | undefined {
  if (fault.code === 'invalid_type') {
    if (fault.input === undefined) return 'is missing'
    if (fault.expected === 'string' && Array.isArray(fault.input)) return 'must be one value, not several'
    const type = TYPES[fault.expected]
    return type === undefined ? undefined : `must be ${type}`
  }
  if (fault.code === 'too_small')
    return `must ${limitText(fault.origin)}${fault.inclusive === false ? 'more than' : 'at least'} ${fault.minimum}${unitOf(fault.origin, fault.minimum)}`
  if (fault.code === 'too_big')
    return `must ${limitText(fault.origin)}${fault.inclusive === false ? 'less than' : 'at most'} ${fault.maximum}${unitOf(fault.origin, fault.maximum)}`
  if (fault.code === 'invalid_value')
    return `must be ${fault.values.length === 1 ? '' : 'one of '}${fault.values.map(String).join(', ')}`
  if (fault.code === 'invalid_format' && fault.format === 'url') return 'must be a URL'
  return undefined
}

const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: [' character', ' characters'],
  array: [' entry', ' entries'],
  set: [' entry', ' entries'],
}

const limitText = (origin: string): string => (origin in UNITS ? 'have ' : 'be ')
const unitOf = (origin: string, count: number | bigint): string => UNITS[origin]?.[count === 1 ? 0 : 1] ?? ''

type FileFault = { readonly path: readonly (string | number)[]; readonly text: string }

/** The faults of a file that a schema read with `faultText`: one for each unknown field, at its path. */
export const fileFaults = ({ issues }: z.core.$ZodError): readonly FileFault[] =>
  issues.flatMap((issue) => {
    const path = issue.path.filter((part) => typeof part !== 'symbol')
    if (issue.code !== 'unrecognized_keys') return [{ path, text: issue.message }]
    return issue.keys.map((key) => ({ path: [...path, key], text: 'is not a known field' }))
  })
