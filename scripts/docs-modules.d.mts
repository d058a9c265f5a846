/** What the docs pages show. */

/** A text, or an element with its attributes and children. `codes` has one `[language, text]` for each tab. */
export type DocsNode = string | readonly [tag: string, attributes: Readonly<Record<string, string>>, ...DocsNode[]]

export type DocsGuide = { readonly slug: string; readonly title: string; readonly nodes: readonly DocsNode[] }

export type DocsField = {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly text?: string
  readonly fields?: readonly DocsField[]
}

export type DocsParameter = {
  readonly name: string
  readonly place: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly type: string
  readonly text?: string
  readonly preset?: string
  readonly example?: string
}

export type DocsContent = { readonly type: string; readonly fields: readonly DocsField[]; readonly example?: unknown }

export type DocsOperation = {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly nodes: readonly DocsNode[]
  readonly credentials: 'bearerKey' | 'apiKey' | 'bearerToken' | 'session' | null
  readonly parameters: readonly DocsParameter[]
  readonly body?: DocsContent
  readonly response?: DocsContent
  readonly errors: readonly string[]
}

export type DocsGroup = {
  readonly slug: string
  readonly name: string
  readonly text: string
  readonly operations: readonly DocsOperation[]
  readonly types: Readonly<Record<string, readonly DocsField[]>>
}

export function readGuides(): readonly DocsGuide[]

export function readReference(): readonly DocsGroup[]
