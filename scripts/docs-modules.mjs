/**
 * Modules of the docs pages, made at build time: `virtual:guides` from the Markdown under web/docs, and
 * `virtual:api-reference` from the OpenAPI description. Neither a Markdown parser nor the description reaches the browser.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { marked } from 'marked'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const GUIDES = join(root, 'web', 'docs')
const OPENAPI = join(root, 'server', 'openapi.json')

/** Routes of the web app and of operators are not for programs of others. */
const GROUPS = [
  'Contract control',
  'Coin data',
  'Feeds',
  'Badges',
  'Alerts',
  'Key management',
  'Sign-in',
  'Traffic analytics',
]

export const slugOf = (text) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

const TAGS = { paragraph: 'p', strong: 'strong', em: 'em', codespan: 'code', list_item: 'li', blockquote: 'blockquote' }

const unescape = (text) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** A Markdown token as a text or `[tag, attributes, ...children]`. */
function nodeOf(token) {
  const children = () => nodesOf(token.tokens)
  switch (token.type) {
    case 'text':
    case 'escape':
      return token.tokens === undefined ? unescape(token.text) : ['span', {}, ...children()]
    case 'heading':
      return [`h${token.depth}`, { id: slugOf(token.text) }, ...children()]
    case 'link':
      return ['a', { href: token.href }, ...children()]
    case 'list':
      // A list that code interrupts goes on with the next number.
      return [
        token.ordered ? 'ol' : 'ul',
        token.start > 1 ? { start: String(token.start) } : {},
        ...token.items.map(nodeOf),
      ]
    case 'code':
      return ['codes', {}, [token.lang ?? '', token.text]]
    case 'table':
      return [
        'table',
        {},
        ['thead', {}, ['tr', {}, ...token.header.map((cell) => ['th', {}, ...nodesOf(cell.tokens)])]],
        [
          'tbody',
          {},
          ...token.rows.map((row) => ['tr', {}, ...row.map((cell) => ['td', {}, ...nodesOf(cell.tokens)])]),
        ],
      ]
    case 'codespan':
      return ['code', {}, unescape(token.text)]
    default:
      if (TAGS[token.type] === undefined)
        throw new Error(`Markdown of the docs pages has no ${token.type}: ${token.raw}`)
      return [TAGS[token.type], {}, ...children()]
  }
}

/** Neighboring blocks of code become one block with a tab for each language. */
function nodesOf(tokens) {
  const nodes = []
  for (const token of tokens.filter(({ type }) => type !== 'space')) {
    const node = nodeOf(token)
    const last = nodes.at(-1)
    if (node[0] === 'codes' && last?.[0] === 'codes') last.push(node[2])
    else nodes.push(node)
  }
  return nodes
}

export const markdownNodes = (text) => nodesOf(marked.lexer(text))

/** The guides in the order of their file names. */
export function readGuides() {
  return readdirSync(GUIDES)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => {
      const [title, ...nodes] = markdownNodes(readFileSync(join(GUIDES, name), 'utf8'))
      const slug = name.replace(/^\d+-|\.md$/g, '')
      return { slug, title: title.slice(2).join(''), nodes }
    })
}

const refName = (schema) => schema.$ref?.split('/').at(-1)

/** The type of a value in words, such as `array of FeedEvent` or `integer or null`. */
function typeOf(schema) {
  if (schema.$ref !== undefined) return refName(schema)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return [...new Set(choices.map(typeOf))].join(' or ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(' or ')
  if (schema.type === 'array') return `array of ${typeOf(schema.items ?? {})}`
  return schema.format === undefined ? (schema.type ?? 'any') : `${schema.type} (${schema.format})`
}

/** The object whose fields are listed: for an array or a choice, its element. */
function objectOf(schema) {
  if (schema.properties !== undefined) return schema
  const choices = (schema.anyOf ?? schema.oneOf)?.map(objectOf).filter((choice) => choice !== undefined)
  if (choices !== undefined) return choices.length === 1 ? choices[0] : undefined
  return schema.items === undefined ? undefined : objectOf(schema.items)
}

function fieldsOf(schema) {
  const object = objectOf(schema)
  if (object === undefined) return undefined
  return Object.entries(object.properties).map(([name, property]) => ({
    name,
    type: typeOf(property),
    required: object.required?.includes(name) ?? false,
    ...(property.description && { text: property.description }),
    ...(fieldsOf(property) && { fields: fieldsOf(property) }),
  }))
}

/** The named types that a described operation mentions, also through others. */
function namedTypes(value, schemas, found = {}) {
  for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (found[name] !== undefined) continue
    found[name] = fieldsOf(schemas[name]) ?? [{ name: '', type: typeOf(schemas[name]), required: true }]
    namedTypes(schemas[name], schemas, found)
  }
  return found
}

const contentOf = (part) => Object.values(part?.content ?? {})[0]

function operationOf(path, method, operation) {
  const success = Object.entries(operation.responses ?? {}).find(([status]) => status.startsWith('2'))
  const body = contentOf(operation.requestBody)
  const response = contentOf(success?.[1])
  return {
    id: slugOf(`${method} ${path}`),
    method: method.toUpperCase(),
    path,
    summary: operation.summary ?? '',
    nodes: markdownNodes(operation.description ?? ''),
    credentials: Object.keys(operation.security?.[0] ?? {})[0] ?? null,
    parameters: (operation.parameters ?? []).map(({ name, in: place, required, description, schema, example }) => ({
      name,
      place,
      required: required ?? false,
      type: typeOf(schema ?? {}),
      ...(description && { text: description }),
      ...(schema?.default !== undefined && { preset: String(schema.default) }),
      ...((example ?? schema?.examples?.[0]) !== undefined && { example: String(example ?? schema.examples[0]) }),
    })),
    ...(body && {
      body: {
        type: typeOf(body.schema),
        fields: fieldsOf(body.schema) ?? [],
        ...((body.example ?? body.schema.examples?.[0]) !== undefined && {
          example: body.example ?? body.schema.examples[0],
        }),
      },
    }),
    ...(response?.schema && {
      response: { type: typeOf(response.schema), fields: fieldsOf(response.schema) ?? [] },
    }),
    errors: Object.keys(operation.responses ?? {}).filter((status) => Number(status) >= 400),
  }
}

/** The operations of the OpenAPI description by group, with the named types that each group uses. */
export function readReference() {
  const { paths, tags, components } = JSON.parse(readFileSync(OPENAPI, 'utf8'))
  const all = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ path, method, operation })),
  )
  return GROUPS.map((name) => {
    const members = all.filter(({ operation }) => operation.tags?.[0] === name)
    return {
      slug: slugOf(name),
      name,
      text: tags.find((tag) => tag.name === name)?.description ?? '',
      operations: members.map(({ path, method, operation }) => operationOf(path, method, operation)),
      types: namedTypes(
        members.map(({ operation }) => [operation.requestBody, operation.responses?.['200']]),
        components.schemas,
      ),
    }
  })
}

const MODULES = {
  'virtual:guides': () => readGuides(),
  'virtual:api-reference': () => readReference(),
}

/** The plugin of Vite that provides the modules. */
export const docsModules = {
  name: 'docs-modules',
  resolveId: (id) => (id in MODULES ? `\0${id}` : null),
  load: (id) =>
    id.startsWith('\0') && id.slice(1) in MODULES ? `export default ${JSON.stringify(MODULES[id.slice(1)]())}` : null,
}
