/** Reads files that operators write in YAML, and reports all faults with their lines. */
import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import type { z } from 'zod'
import { reasonOf } from './errors.ts'
import { faultText, fileFaults } from './fault-texts.ts'

export type FieldPath = readonly (string | number)[]

export class YamlFaults extends Error {
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

/** Addresses without quotes stay texts: as integers they would lose digits. */
export function readDocument(text: string) {
  const lines = new LineCounter()
  const document = parseDocument(text, {
    lineCounter: lines,
    customTags: (tags) => tags.filter((tag) => typeof tag === 'string' || !('format' in tag) || tag.format !== 'HEX'),
  })
  return { document, lines }
}

/** `lineOf` returns the line of a field, or of the nearest field around it. */
export function parseYamlFile<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
): { readonly data: z.infer<Schema>; readonly lineOf: (path: FieldPath) => number } {
  const { document, lines } = readDocument(text)
  const syntax = document.errors.map(({ message }) => (message.split('\n')[0] ?? message).replace(/:$/, ''))
  if (syntax.length > 0) throw new YamlFaults(syntax)
  const lineOf = (path: FieldPath): number => lines.linePos(offsetOf(document.contents, path)).line || 1
  const parsed = schema.safeParse(valueOf(document), { error: faultText })
  if (parsed.success) return { data: parsed.data, lineOf }
  throw new YamlFaults(
    fileFaults(parsed.error).map(
      ({ path, text: fault }) => `line ${lineOf(path)}: ${path.length === 0 ? 'the file' : path.join('.')}: ${fault}`,
    ),
  )
}

/** Anchors that repeat each other can stand for a value that no memory holds. */
function valueOf(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    throw new YamlFaults([reasonOf(error)])
  }
}

function offsetOf(root: unknown, path: FieldPath): number {
  let [offset, node] = [0, root]
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part))
      if (pair === undefined) break
      offset = (pair.key as Node).range?.[0] ?? offset
      node = pair.value
    } else if (isSeq(node) && typeof part === 'number') {
      node = node.items[part]
      offset = (node as Node | undefined)?.range?.[0] ?? offset
    } else break
  }
  return offset
}
