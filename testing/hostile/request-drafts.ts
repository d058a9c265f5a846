/** Builds a valid request, and variants with one value at a documented bound or just beyond it. */
import type { Random } from '../support/random.ts'
import { bodyBounds, boundsOf, withNul } from './bounds.ts'
import { type Aim, type Header, type HostileRequest, type RequestContext, sampleOf } from './environment.ts'
import type { Operation, Schema } from './operations.ts'
import { encoded } from './values.ts'

type Fields = Readonly<Record<string, unknown>>

/** A request before serialization. Path and query values are already encoded. */
export type Draft = {
  readonly path: Readonly<Record<string, string>>
  readonly query: readonly Header[]
  readonly body: unknown
  readonly headers: readonly Header[]
  /** Parameters that exclude another one of the draft. */
  readonly omitted: readonly string[]
  /** Spaces after the body. */
  readonly padding?: number
}

/** The limits of the service (`http/app.ts`). */
const [MAX_BODY_BYTES, MAX_URL_CHARACTERS] = [256 * 1024, 4_096]

export function validDraft(random: Random, operation: Operation, context: RequestContext): Draft {
  const path: Record<string, string> = {}
  const query: Header[] = []
  const omitted = context.omittedFields(operation, random)
  for (const { in: location, name, schema, required = false } of operation.parameters) {
    const sample = sampleOf(context, operation, { name, schema }, random)
    if (location === 'path') path[name] = encoded(sample)
    else if (sample !== undefined && !omitted.includes(name) && (required || random.chance(0.5)))
      query.push([name, encoded(sample)])
  }
  const headers: readonly Header[] = [
    ...context.validHeaders(operation),
    ['x-forwarded-for', `198.51.${random.below(256)}.${random.below(256)}`],
  ]
  return {
    path,
    query,
    omitted,
    headers,
    body: operation.body && validBody(random, operation, operation.body, context),
  }
}

function validBody(
  random: Random,
  operation: Operation,
  { properties = {}, required = [] }: Schema,
  context: RequestContext,
): Fields {
  const body: Record<string, unknown> = {}
  const omitted = context.omittedFields(operation, random)
  for (const [name, schema] of Object.entries(properties)) {
    const sample = sampleOf(context, operation, { name, schema }, random)
    if (sample === undefined || omitted.includes(name)) continue
    if (required.includes(name) || schema.default === undefined || random.chance(0.5)) body[name] = sample
  }
  return body
}

/** Returns all variants of a draft at a bound of the operation's description, and all just beyond one. */
export function edgesOf(
  operation: Operation,
  context: RequestContext,
  draft: Draft,
): { readonly at: readonly Draft[]; readonly beyond: readonly Draft[] } {
  const [at, beyond]: [Draft[], Draft[]] = [[], []]
  const firstOf = (name: string) => draft.query.find(([other]) => other === name)?.[1]
  const others = (name: string) => draft.query.filter(([other]) => other !== name)
  for (const { in: location, name, schema, required = false } of operation.parameters) {
    if (draft.omitted.includes(name)) continue
    const given = location === 'path' ? draft.path[name] : firstOf(name)
    const sample = given === undefined ? schema.default : decodeURIComponent(given)
    const bounds = boundsOf(schema, sample, 'url')
    const withValue = (value: unknown): Draft =>
      location === 'path'
        ? { ...draft, path: { ...draft.path, [name]: encoded(value) } }
        : { ...draft, query: [...others(name), [name, encoded(value)]] }
    at.push(...bounds.at.map(withValue))
    beyond.push(...bounds.beyond.map(withValue))
    if (location === 'path') {
      beyond.push(...withNul(decodeURIComponent(given ?? '')).map(withValue))
      continue
    }
    beyond.push({ ...draft, query: [...draft.query, [name, given ?? '1'], [name, given ?? '1']] })
    if (required) beyond.push({ ...draft, query: others(name) })
  }
  beyond.push({ ...draft, query: [...draft.query, ['unknownField', '1']] })
  const short = buildRequest(operation, 'bound', { ...draft, query: [...draft.query, ['a', '']] }).target.length
  const long = (length: number): Draft => ({ ...draft, query: [...draft.query, ['a', 'a'.repeat(length - short)]] })
  at.push(long(MAX_URL_CHARACTERS))
  beyond.push(long(MAX_URL_CHARACTERS + 1))
  if (operation.body !== undefined) {
    const whole = draft.body as Fields
    const bounds = bodyBounds(operation.body, whole)
    at.push(...bounds.at.map((body) => ({ ...draft, body })))
    beyond.push(...[...bounds.beyond, [], 'a', null].map((body) => ({ ...draft, body })))
    const room = MAX_BODY_BYTES - Buffer.byteLength(JSON.stringify(whole))
    at.push({ ...draft, padding: room })
    beyond.push({ ...draft, padding: room + 1 })
  }
  if (context.validHeaders(operation).length > 0) beyond.push(...unknownCallers(operation, context, draft))
  return { at, beyond }
}

const CREDENTIALS = ['authorization', 'x-api-key', 'cookie']

/** Returns variants without credentials, and with altered ones: one character too short, too long, and others. */
function unknownCallers(operation: Operation, context: RequestContext, draft: Draft): readonly Draft[] {
  const given = context.validHeaders(operation).filter(([name]) => CREDENTIALS.includes(name))
  const others = draft.headers.filter(([name]) => !CREDENTIALS.includes(name))
  const altered = given.flatMap(([name, value]) =>
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
  return [[], ...altered].map((headers) => ({ ...draft, headers: [...headers, ...others] }))
}

export function buildRequest(
  operation: Operation,
  aim: Aim,
  { path, query, body, headers, padding = 0 }: Draft,
): HostileRequest {
  const pathname = operation.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => path[name] ?? '')
  const search = query.map(([name, value]) => `${name}=${value}`).join('&')
  const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body) + ' '.repeat(padding))
  const bodyHeaders: readonly Header[] =
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
    target: search === '' ? pathname : `${pathname}?${search}`,
    headers: [...headers, ...bodyHeaders],
    body: bytes,
  }
}
