/** Generates the types and operations of the Python client. Its transport, `_transport.py`, is written by hand. */
import { type ApiModel, type Argument, type NamedType, type Operation, pascal, type Type } from './api-model.ts'

const HEAD = '# Generated from server/openapi.json by `npm run generate`. Do not edit.\n'
const KEYWORDS = new Set([
  'class',
  'from',
  'in',
  'is',
  'def',
  'global',
  'lambda',
  'pass',
  'return',
  'with',
  'as',
  'not',
])

/** A keyword gets an underscore at its end, as PEP 8 recommends. */
function snake(name: string): string {
  const words = name.replaceAll(' ', '_').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return KEYWORDS.has(words) ? `${words}_` : words
}

const PLAIN = {
  string: 'str',
  instant: 'str',
  integer: 'int',
  bigInteger: 'int',
  number: 'float',
  boolean: 'bool',
  any: 'Any',
} as const

function typeText(type: Type): string {
  if (type.kind === 'named') return type.name
  if (type.kind === 'enum') return `Literal[${type.values.map((value) => JSON.stringify(value)).join(', ')}]`
  if (type.kind === 'list') return `List[${typeText(type.of)}]`
  if (type.kind === 'map') return `Dict[str, ${typeText(type.of)}]`
  if (type.kind === 'nullable') return `Optional[${typeText(type.of)}]`
  return PLAIN[type.kind]
}

function typeDefinition({ name, fields }: NamedType): string {
  const text = ({ type, isRequired }: (typeof fields)[number]) =>
    isRequired ? typeText(type) : `NotRequired[${typeText(type)}]`
  if (fields.some((field) => KEYWORDS.has(field.name))) {
    const entries = fields.map(
      (field) => `        ${JSON.stringify(field.name)}: ${JSON.stringify(text(field)).replaceAll('\\"', "'")},`,
    )
    return `${name} = TypedDict(\n    ${JSON.stringify(name)},\n    {\n${entries.join('\n')}\n    },\n)\n`
  }
  const lines = fields.map((field) => `    ${field.name}: ${text(field)}`)
  return `class ${name}(TypedDict):\n${lines.length === 0 ? '    pass' : lines.join('\n')}\n`
}

export function pythonTypesOf({ types }: ApiModel): string {
  const head = `${HEAD}"""Types of the responses."""\n\nfrom __future__ import annotations\n\nfrom typing import Any, Dict, List, Literal, NotRequired, Optional, TypedDict\n`
  return [head, ...types.map(typeDefinition)].join('\n\n')
}

/** Required arguments by position, the others by name. */
function signatureOf(args: readonly Argument[]): string {
  const required = args.filter(({ isRequired }) => isRequired).map((arg) => `${snake(arg.name)}: ${typeText(arg.type)}`)
  const optional = args
    .filter(({ isRequired }) => !isRequired)
    .map((arg) => `${snake(arg.name)}: Optional[${typeText(arg.type)}] = None`)
  return ['self', ...required, ...(optional.length === 0 ? [] : ['*', ...optional])].join(', ')
}

function requestOf({ api, method, path, arguments: args }: Operation): string {
  const pairs = (kind: Argument['in']) =>
    args.filter((arg) => arg.in === kind).map(({ name }) => `${JSON.stringify(name)}: ${snake(name)}`)
  const parts = [`path={${pairs('path').join(', ')}}`, `query={${pairs('query').join(', ')}}`]
  if (method === 'POST') parts.push(`body={${pairs('body').join(', ')}}`)
  return `Request(${JSON.stringify(api)}, ${JSON.stringify(method)}, ${JSON.stringify(path)}, ${parts.join(', ')})`
}

function methodsOf(operation: Operation, isAsync: boolean): string {
  const { name, item, data, summary, arguments: args } = operation
  const [prefix, wait] = isAsync ? ['async ', 'await '] : ['', '']
  const signature = signatureOf(args)
  const own = snake(name)
  if (item === undefined)
    return [
      `    ${prefix}def ${own}(${signature}) -> ${typeText(data)}:`,
      `        """${summary}."""`,
      `        return cast(${JSON.stringify(typeText(data)).replaceAll('\\"', "'")}, (${wait}self._transport.send(${requestOf(operation)}))["data"])`,
    ].join('\n')
  const all = args.filter((arg) => arg.name !== 'cursor' && arg.name !== 'after')
  const [iterator, each] = isAsync ? ['AsyncIterator', 'async for'] : ['Iterator', 'for']
  const page = `Page[${typeText(item)}]`
  return [
    `    ${prefix}def ${own}(${signature}) -> ${page}:`,
    `        """${summary}: one page."""`,
    `        answer = ${wait}self._transport.send(${requestOf(operation)})`,
    `        return Page(answer["data"], answer["nextCursor"])`,
    '',
    `    ${prefix}def iter_${own}(${signatureOf(all)}) -> ${iterator}[${typeText(item)}]:`,
    `        """${summary}: every item, page by page."""`,
    `        request = ${requestOf({ ...operation, arguments: all })}`,
    `        ${each} item in self._transport.items(request):`,
    `            yield cast(${JSON.stringify(typeText(item))}, item)`,
  ].join('\n')
}

export function pythonOperationsOf({ operations, types }: ApiModel): string {
  const used = types.map(({ name }) => name).filter((name) => operations.some((operation) => mentions(operation, name)))
  const head = [
    `${HEAD}"""The client, and the same client for asyncio."""`,
    '',
    'from __future__ import annotations',
    '',
    'from typing import Any, AsyncIterator, Dict, Iterator, List, Literal, Optional, cast',
    '',
    'from ._transport import AsyncTransport, Options, Page, Request, Transport',
    `from .types import (\n${used.map((name) => `    ${name},`).join('\n')}\n)`,
    '',
  ].join('\n')
  const classOf = (name: string, transport: string, isAsync: boolean): string =>
    [
      `class ${name}:`,
      `    """Requests to one service.${isAsync ? ' Every request runs in a thread.' : ''}"""`,
      '',
      '    def __init__(self, base_url: str, **options: Any) -> None:',
      `        self._transport = ${transport}(base_url, Options(**options))`,
      '',
      operations.map((operation) => methodsOf(operation, isAsync)).join('\n\n'),
      '',
    ].join('\n')
  return [head, classOf('Gatewatch', 'Transport', false), classOf('AsyncGatewatch', 'AsyncTransport', true)].join(
    '\n\n',
  )
}

const mentions = ({ data, arguments: args }: Operation, name: string): boolean =>
  [data, ...args.map(({ type }) => type)].some((type) => new RegExp(`\\b${pascal(name)}\\b`).test(typeText(type)))
