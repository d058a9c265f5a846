/** Generates the types and operations of the Go client, as gofmt formats them. `transport.go` is written by hand. */
import { type ApiModel, type Argument, type NamedType, type Operation, pascal, type Type } from './api-model.ts'

const HEAD = '// Code generated from server/openapi.json by `npm run generate`. DO NOT EDIT.\n\npackage gatewatch\n'

/** Initialisms that Go writes in capitals. */
const goName = (name: string): string =>
  pascal(name).replaceAll(/(Id|Url|Api|Txid|Txids|Utxo|Utxos)(?=[A-Z]|$)/g, (word) => CAPITALS[word] ?? word)
const CAPITALS: Readonly<Record<string, string>> = {
  Id: 'ID',
  Url: 'URL',
  Api: 'API',
  Txid: 'TxID',
  Txids: 'TxIDs',
  Utxo: 'UTXO',
  Utxos: 'UTXOs',
}

const PLAIN = {
  string: 'string',
  enum: 'string',
  instant: 'time.Time',
  integer: 'int64',
  bigInteger: '*big.Int',
  number: 'float64',
  boolean: 'bool',
  any: 'any',
} as const

function typeText(type: Type): string {
  if (type.kind === 'named') return goName(type.name)
  if (type.kind === 'list') return `[]${typeText(type.of)}`
  if (type.kind === 'map') return `map[string]${typeText(type.of)}`
  if (type.kind === 'nullable') return optional(typeText(type.of))
  return PLAIN[type.kind]
}

/** Lists, maps and `any` have nil already. */
const optional = (text: string): string => (/^(\[|map\[|any$|\*)/.test(text) ? text : `*${text}`)

/** Columns of one struct, as gofmt aligns them. */
function structOf(rows: readonly (readonly [string, string, string?])[]): string {
  const widths = [0, 1].map((at) => Math.max(0, ...rows.map((row) => row[at]?.length ?? 0)))
  return rows
    .map(([name, type, tag]) =>
      `\t${name.padEnd(widths[0] ?? 0)} ${tag === undefined ? type : `${type.padEnd(widths[1] ?? 0)} ${tag}`}`.trimEnd(),
    )
    .join('\n')
}

function typeDefinition({ name, fields }: NamedType): string {
  const rows = fields.map(({ name: field, type, isRequired }): readonly [string, string, string] => [
    goName(field),
    isRequired ? typeText(type) : optional(typeText(type)),
    `\`json:"${field}${isRequired ? '' : ',omitempty'}"\``,
  ])
  return `// ${goName(name)} is an object of the API.\ntype ${goName(name)} struct {\n${structOf(rows)}\n}\n`
}

export function goTypesOf({ types }: ApiModel): string {
  return [`${HEAD}\nimport (\n\t"math/big"\n\t"time"\n)\n`, ...types.map(typeDefinition)].join('\n')
}

const lowerFirst = (name: string): string => {
  const text = goName(name)
  const lowered = /^[A-Z]+(?=[A-Z][a-z]|$)/.test(text) ? text.toLowerCase() : text[0]?.toLowerCase() + text.slice(1)
  return lowered === 'type' ? 'kind' : lowered
}

function optionsOf({ name, arguments: args }: Operation): string {
  const rows = args
    .filter(({ isRequired }) => !isRequired)
    .map(({ name: field, type }): readonly [string, string] => [goName(field), optional(typeText(type))])
  if (rows.length === 0) return ''
  return `// ${goName(name)}Options are the optional arguments of ${goName(name)}. Nil leaves one out.\ntype ${goName(name)}Options struct {\n${structOf(rows)}\n}\n\n`
}

function requestOf({ api, method, path, arguments: args }: Operation): string {
  const of = (kind: Argument['in']) =>
    args
      .filter((arg) => arg.in === kind)
      .map(({ name, isRequired }) => `"${name}": ${isRequired ? lowerFirst(name) : `options.${goName(name)}`}`)
  const map = (kind: Argument['in']) => (of(kind).length === 0 ? 'nil' : `map[string]any{${of(kind).join(', ')}}`)
  return `request{api: "${api}", method: "${method}", path: "${path}", params: ${map('path')}, query: ${map('query')}, body: ${map('body')}}`
}

function methodsOf(operation: Operation): string {
  const { name, data, item, summary, arguments: args } = operation
  const required = args
    .filter(({ isRequired }) => isRequired)
    .map((arg) => `${lowerFirst(arg.name)} ${typeText(arg.type)}`)
  const hasOptions = args.some(({ isRequired }) => !isRequired)
  const parameters = [
    'ctx context.Context',
    ...required,
    ...(hasOptions ? [`options ${goName(name)}Options`] : []),
  ].join(', ')
  const own = goName(name)
  if (item === undefined)
    return `${optionsOf(operation)}// ${own}: ${summary}.\nfunc (c *Client) ${own}(${parameters}) (${typeText(data)}, error) {\n\tanswer, err := send[${typeText(data)}](ctx, c, ${requestOf(operation)})\n\treturn answer.Data, err\n}\n`
  const type = typeText(item)
  return [
    `${optionsOf(operation)}// ${own}: ${summary}: one page.\nfunc (c *Client) ${own}(${parameters}) (Page[${type}], error) {\n\tanswer, err := send[[]${type}](ctx, c, ${requestOf(operation)})\n\treturn Page[${type}]{Items: answer.Data, NextCursor: answer.NextCursor}, err\n}\n`,
    `// All${own}: ${summary}: every item, page by page. It ends after the first error.\nfunc (c *Client) All${own}(${parameters}) iter.Seq2[${type}, error] {\n\treturn all(func(cursor *string) (Page[${type}], error) {\n\t\toptions.Cursor = cursor\n${args.some((arg) => arg.name === 'after') ? '\t\toptions.After = nil // other pages, which never end\n' : ''}\t\treturn c.${own}(${['ctx', ...args.filter(({ isRequired }) => isRequired).map(({ name: arg }) => lowerFirst(arg)), 'options'].join(', ')})\n\t})\n}\n`,
  ].join('\n')
}

export function goOperationsOf({ operations }: ApiModel): string {
  return [`${HEAD}\nimport (\n\t"context"\n\t"iter"\n)\n`, ...operations.map(methodsOf)].join('\n')
}
