/** The operations of `openapi.json` and the requests of their examples. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from './service.ts'

type Parameter = {
  readonly in: string
  readonly name: string
  readonly example?: string | number | boolean
  readonly required?: boolean
}
export type Operation = {
  readonly path: string
  readonly method: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> }
  readonly responses: Readonly<Record<string, { readonly headers?: object; readonly content?: object }>>
}

const { paths } = JSON.parse(readFileSync(join(REPOSITORY, 'server', 'openapi.json'), 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Omit<Operation, 'path' | 'method'>>>>>
}
export const operations: readonly Operation[] = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({ path, method, ...described })),
)
export const nameOf = ({ method, path }: Operation) => `${method} ${path}`

export const bodyOf = ({ requestBody }: Operation) => requestBody?.content['application/json']
export const hasExamples = (operation: Operation): boolean =>
  (operation.parameters ?? []).every(({ required, example }) => required !== true || example !== undefined) &&
  (bodyOf(operation) === undefined || bodyOf(operation)?.example !== undefined)

/** The path and query of the examples. */
export function targetOf({ path, parameters = [] }: Operation): string {
  const query = new URLSearchParams()
  let target = path
  for (const { in: location, name, example } of parameters) {
    if (example === undefined) continue
    if (location === 'path') target = target.replace(`{${name}}`, encodeURIComponent(String(example)))
    else query.set(name, String(example))
  }
  return query.size === 0 ? target : `${target}?${query.toString()}`
}

export const exampleOf = (path: string, name: string, method = 'get'): string => {
  const found = operations.find((operation) => operation.path === path && operation.method === method)
  return String(found?.parameters?.find((parameter) => parameter.name === name)?.example)
}

/** The first block of Bitcoin, as a block file holds it. */
export const GENESIS_BLOCK = Buffer.from(
  'f9beb4d91d010000' +
    '0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f617fc81bc3' +
    '888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c01010000000100000000000000000000000000000000000000000000000000000' +
    '00000000000ffffffff4d04ffff001d0104455468652054696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272' +
    '696e6b206f66207365636f6e64206261696c6f757420666f722062616e6b73ffffffff0100f2052a01000000434104678afdb0fe554827196' +
    '7f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00' +
    '000000',
  'hex',
)

export function operationAt(path: string, method = 'get'): Operation {
  const found = operations.find((operation) => operation.path === path && operation.method === method)
  if (found === undefined) throw new Error(`${method} ${path} is not described`)
  return found
}
