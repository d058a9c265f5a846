/** A right request, and all that are one step away from it: at a bound of what is described, or just beyond one. */
import type { Random } from '../support/random.ts'
import { bodyBounds, boundsOf, withNul } from './bounds.ts'
import { type Aim, type Ground, type Header, type HostileRequest, sampleOf } from './environment.ts'
import type { Operation, Schema } from './operations.ts'
import { encoded } from './values.ts'

type Fields = Readonly<Record<string, unknown>>

/** A request before it is written down. Texts of path and query are encoded. */
export type Draft = {
  readonly path: Readonly<Record<string, string>>
  readonly query: readonly Header[]
  readonly body: unknown
  readonly headers: readonly Header[]
  /** Spaces after the body. */
  readonly padding?: number
}

/** What the service takes at most (`http/app.ts`). */
const [MOST_BODY_BYTES, MOST_URL_CHARACTERS] = [256 * 1024, 4_096]

export function rightDraft(random: Random, operation: Operation, ground: Ground): Draft {
  const path: Record<string, string> = {}
  const query: Header[] = []
  for (const { in: place, name, schema, required = false } of operation.parameters) {
    const sample = sampleOf(ground, operation, { name, schema }, random)
    if (place === 'path') path[name] = encoded(sample)
    else if (sample !== undefined && (required || random.chance(0.5))) query.push([name, encoded(sample)])
  }
  const headers: readonly Header[] = [
    ...ground.proper(operation),
    ['x-forwarded-for', `198.51.${random.below(256)}.${random.below(256)}`],
  ]
  return { path, query, headers, body: operation.body && rightBody(random, operation, operation.body, ground) }
}

function rightBody(
  random: Random,
  operation: Operation,
  { properties = {}, required = [] }: Schema,
  ground: Ground,
): Fields {
  const body: Record<string, unknown> = {}
  const leftOut = ground.leftOut(operation, random)
  for (const [name, schema] of Object.entries(properties)) {
    const sample = sampleOf(ground, operation, { name, schema }, random)
    if (sample === undefined || leftOut.includes(name)) continue
    if (required.includes(name) || schema.default === undefined || random.chance(0.5)) body[name] = sample
  }
  return body
}

/** Every way to be at a bound, and every way to be just beyond one, that the description of this operation gives. */
export function edgesOf(
  operation: Operation,
  ground: Ground,
  draft: Draft,
): { readonly at: readonly Draft[]; readonly beyond: readonly Draft[] } {
  const [at, beyond]: [Draft[], Draft[]] = [[], []]
  const firstOf = (name: string) => draft.query.find(([other]) => other === name)?.[1]
  const others = (name: string) => draft.query.filter(([other]) => other !== name)
  for (const { in: place, name, schema, required = false } of operation.parameters) {
    const given = place === 'path' ? draft.path[name] : firstOf(name)
    const sample = given === undefined ? schema.default : decodeURIComponent(given)
    const bounds = boundsOf(schema, sample, 'url')
    const put = (value: unknown): Draft =>
      place === 'path'
        ? { ...draft, path: { ...draft.path, [name]: encoded(value) } }
        : { ...draft, query: [...others(name), [name, encoded(value)]] }
    at.push(...bounds.at.map(put))
    beyond.push(...bounds.beyond.map(put))
    if (place === 'path') {
      beyond.push(...withNul(decodeURIComponent(given ?? '')).map(put))
      continue
    }
    beyond.push({ ...draft, query: [...draft.query, [name, given ?? '1'], [name, given ?? '1']] })
    if (required) beyond.push({ ...draft, query: others(name) })
  }
  beyond.push({ ...draft, query: [...draft.query, ['unheardOf', '1']] })
  const short = written(operation, 'bound', { ...draft, query: [...draft.query, ['a', '']] }).target.length
  const long = (length: number): Draft => ({ ...draft, query: [...draft.query, ['a', 'a'.repeat(length - short)]] })
  at.push(long(MOST_URL_CHARACTERS))
  beyond.push(long(MOST_URL_CHARACTERS + 1))
  if (operation.body !== undefined) {
    const whole = draft.body as Fields
    const bounds = bodyBounds(operation.body, whole)
    at.push(...bounds.at.map((body) => ({ ...draft, body })))
    beyond.push(...[...bounds.beyond, [], 'a', null].map((body) => ({ ...draft, body })))
    const room = MOST_BODY_BYTES - Buffer.byteLength(JSON.stringify(whole))
    at.push({ ...draft, padding: room })
    beyond.push({ ...draft, padding: room + 1 })
  }
  if (ground.proper(operation).length > 0) beyond.push(...unknownCallers(operation, ground, draft))
  return { at, beyond }
}

const CREDENTIALS = ['authorization', 'x-api-key', 'cookie']

/** Nobody, and credentials that are one character too short, too long or otherwise not what was given out. */
function unknownCallers(operation: Operation, ground: Ground, draft: Draft): readonly Draft[] {
  const given = ground.proper(operation).filter(([name]) => CREDENTIALS.includes(name))
  const others = draft.headers.filter(([name]) => !CREDENTIALS.includes(name))
  const spelled = given.flatMap(([name, value]) =>
    [
      value.slice(0, -1),
      `${value}A`,
      value.slice(0, -6) + value.slice(-6).split('').toReversed().join(''),
      value.toLowerCase(),
      value.replace('Bearer ', 'Basic '),
      '',
    ]
      .filter((other) => other !== value)
      .map((other): readonly Header[] => [[name, other]]),
  )
  return [[], ...spelled].map((headers) => ({ ...draft, headers: [...headers, ...others] }))
}

export function written(
  operation: Operation,
  aim: Aim,
  { path, query, body, headers, padding = 0 }: Draft,
): HostileRequest {
  const where = operation.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => path[name] ?? '')
  const asked = query.map(([name, value]) => `${name}=${value}`).join('&')
  const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body) + ' '.repeat(padding))
  const ofBody: readonly Header[] =
    body === undefined
      ? operation.method === 'get'
        ? []
        : [['content-length', '0']]
      : [
          ['content-type', 'application/json'],
          ['content-length', String(bytes.length)],
        ]
  return {
    operation,
    aim,
    method: operation.method.toUpperCase(),
    target: asked === '' ? where : `${where}?${asked}`,
    headers: [...headers, ...ofBody],
    body: bytes,
  }
}
