/** Builds requests with an invalid path, query, body, header or credential, or several of these. */
import { gzipSync } from 'node:zlib'
import type { Random } from '../support/random.ts'
import { type Header, type HostileRequest, type RequestContext, sampleOf } from './environment.ts'
import type { Operation } from './operations.ts'
import { anyValue, encoded, jsonValue, urlValue } from './values.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND']
const CONTENT_TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json; charset=utf-7',
  'APPLICATION/JSON',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  '',
  ';',
  'application/json, text/html',
  'application/vnd.api+json',
  `text/${'a'.repeat(500)}`,
  'é/é',
]
const OTHER_HEADERS: readonly Header[] = [
  ['x-forwarded-for', '::'],
  ['x-forwarded-for', '1:2:3:4:5:6:7:8:9:a:b'],
  ['x-forwarded-for', 'unknown, "evil", 300.1.1.1'],
  ['x-forwarded-for', 'a'.repeat(6_000)],
  ['x-forwarded-for', 'fe80::1%eth0'],
  ['x-forwarded-for', "1.1.1.1' or 1=1--"],
  ['x-forwarded-proto', 'javascript'],
  ['x-forwarded-host', 'evil.example'],
  ['x-request-id', 'a'.repeat(5_000)],
  ['x-http-method-override', 'DELETE'],
  ['origin', 'null'],
  ['origin', 'https://evil.example'],
  ['referer', 'https://evil.example/"><script>'],
  ['cookie', '__proto__=1; a=%; =; ;;; better-auth.session_token=%ff.%zz'],
  ['cookie', `a=${'b'.repeat(7_000)}`],
  ['accept', 'text/html'],
  ['accept', '*/*;q=NaN, , ;'],
  ['accept-encoding', 'gzip;q=0, br;q=9, *'],
  ['accept-language', '\u00ff'.repeat(300)],
  ['if-none-match', '*'],
  ['if-none-match', '"'.repeat(2_000)],
  ['if-modified-since', 'Thu, 99 Foo 0000 99:99:99 GMT'],
  ['range', 'bytes=0-0,-1,999999999999-'],
  ['expect', '100-continue'],
  ['expect', 'something-else'],
  ['upgrade', 'h2c'],
  ['te', 'trailers, deflate'],
  ['via', '1.1 x'.repeat(200)],
  ['user-agent', '\u0080\u00ff${jndi:ldap://x}'],
  ['last-event-id', '-1'],
]

export function malformedRequest(random: Random, operation: Operation, context: RequestContext): HostileRequest {
  const faults = 1 + random.below(3)
  const [invalidPath = false, invalidQuery = false, invalidBody = false, invalidCaller = false] = [1, 2, 3, 4].map(
    () => random.below(5) < faults,
  )
  let headers: Header[] = [
    ...(invalidCaller ? random.pick(context.callerHeaders(operation)) : context.validHeaders(operation)),
  ]
  headers.push(['x-forwarded-for', `198.51.${random.below(256)}.${random.below(256)}`])
  if (random.chance(0.3)) headers.push(random.pick(OTHER_HEADERS))
  const method = random.chance(0.05) ? random.pick(METHODS) : operation.method.toUpperCase()
  const target = pathOf(random, operation, context, invalidPath) + queryOf(random, operation, context, invalidQuery)
  let body: Buffer = Buffer.alloc(0)
  if (operation.body !== undefined || random.chance(0.05)) {
    body = bodyOf(random, operation, context, invalidBody)
    headers.push(['content-type', random.chance(0.1) ? random.pick(CONTENT_TYPES) : 'application/json'])
    if (random.chance(0.04)) {
      body = gzipSync(random.chance(0.5) ? body : Buffer.alloc(3_000_000, 32))
      headers.push(['content-encoding', 'gzip'])
    }
    headers.push(['content-length', String(body.length)])
  } else if (method === 'POST' || random.chance(0.02)) headers.push(['content-length', '0'])
  if (random.chance(0.02))
    headers = headers.flatMap((header) => [header, header]).filter(([name]) => name !== 'content-length')
  return {
    operation,
    aim: 'malformed',
    method,
    target,
    headers,
    body: headers.some(([name]) => name === 'content-length') ? body : Buffer.alloc(0),
  }
}

function pathOf(random: Random, operation: Operation, context: RequestContext, isInvalid: boolean): string {
  let path = operation.path
  for (const { in: location, name, schema } of operation.parameters) {
    if (location !== 'path') continue
    const sample = sampleOf(context, operation, { name, schema }, random)
    const value = isInvalid && random.chance(0.7) ? urlValue(random, schema, sample) : encoded(sample)
    path = path.replace(`{${name}}`, () => value)
  }
  if (!isInvalid || random.chance(0.8)) return path
  return random.pick([
    `${path}/`,
    `/${path}`,
    `${path}/.`,
    `${path}/../x`,
    path.toUpperCase(),
    `${path}%00`,
    `${path};a=b`,
    `/.${path}`,
    `http://evil.example${path}`,
  ])
}

function queryOf(random: Random, operation: Operation, context: RequestContext, isInvalid: boolean): string {
  const parts: string[] = []
  for (const { in: location, name, schema } of operation.parameters) {
    if (location !== 'query' || random.chance(0.5)) continue
    const sample = sampleOf(context, operation, { name, schema }, random)
    const value = isInvalid && random.chance(0.6) ? urlValue(random, schema, sample) : encoded(sample ?? '1')
    parts.push(`${name}=${value}`)
    if (isInvalid && random.chance(0.15))
      parts.push(random.pick([`${name}=${anyValue(random)}`, `${name}[]=1`, `${name}[__proto__]=1`, name]))
  }
  if (isInvalid && random.chance(0.2)) parts.push(`${anyValue(random)}=${anyValue(random)}`)
  if (isInvalid && random.chance(0.05)) parts.push(...Array.from({ length: 300 }, (_, n) => `a${n}=1`))
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

function bodyOf(random: Random, operation: Operation, context: RequestContext, isInvalid: boolean): Buffer {
  const body: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(operation.body?.properties ?? {})) {
    const sample = sampleOf(context, operation, { name, schema }, random)
    if (isInvalid && random.chance(0.4)) body[name] = jsonValue(random, schema, sample)
    else if (sample !== undefined && (!isInvalid || random.chance(0.8))) body[name] = sample
  }
  const json = JSON.stringify(body)
  return !isInvalid || random.chance(0.6) ? Buffer.from(json) : malformedBody(random, json)
}

/** Returns a body that no JSON serializer produces. */
const malformedBody = (random: Random, json: string): Buffer =>
  random.pick<() => Buffer>([
    () => Buffer.from(json.slice(0, -1)),
    () => Buffer.from(`${json}${json}`),
    () => Buffer.from('{"__proto__":{"a":1}}'),
    () => Buffer.from('{"constructor":{"prototype":{"a":1}}}'),
    () => Buffer.from(`{"addresses":["a"],"addresses":1,"chain":"btc","chain":[]}`),
    () => Buffer.from('{"amount":1e999,"feeRate":-1e999,"fromAddress":0,"toAddress":[]}'),
    () => Buffer.from(`{"amount":${'9'.repeat(400)}}`),
    () => Buffer.from('['.repeat(50_000)),
    () => Buffer.from(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`),
    () => Buffer.from(`{"name":"${'a'.repeat(300_000)}"}`),
    () => Buffer.from('null'),
    () => Buffer.from('"text"'),
    () => Buffer.from('[]'),
    () => Buffer.from('0'),
    () => Buffer.from(''),
    () => Buffer.from(' \n\t'),
    () => Buffer.from(`\ufeff${json}`),
    () => Buffer.from(json, 'utf16le'),
    () => Buffer.from([0x7b, 0x22, 0xc0, 0xae, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
    () => Buffer.from('{"name":"\\ud800"}'),
    () => Buffer.from('{"name":"a\\u0000b","webhookUrl":"https://a\\u0000b/","protocol":"\\u0000","url":"\\u0000"}'),
    () => Buffer.from('{"name":NaN}'),
    () => Buffer.alloc(2_000, 0),
  ])()
