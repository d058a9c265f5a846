/** The key-value store in memory, for tests. */
import type { Kv, KvRange, KvReader, KvRow, KvWriter, Table } from '../../server/src/coins/index/kv.ts'

/** Immutable once published: a write changes its own copy and publishes it at the end. */
type Content = { readonly keys: string[]; readonly values: Map<string, Buffer> }
type State = ReadonlyMap<Table, Content>

// Latin-1 text compares like its bytes and can be a Map key.
const text = (key: Buffer): string => key.toString('latin1')

/** Returns the index of the first key that is not before `key`. */
function lowerBound(keys: readonly string[], key: string): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((keys[middle] ?? '') < key) low = middle + 1
    else high = middle
  }
  return low
}

function* rangeOf(content: Content | undefined, range: KvRange): Generator<KvRow> {
  if (content === undefined) return
  const { keys, values } = content
  const from = range.gte === undefined ? 0 : lowerBound(keys, text(range.gte))
  const to = range.lt === undefined ? keys.length : lowerBound(keys, text(range.lt))
  const wanted = keys.slice(from, Math.max(from, to))
  if (range.reverse === true) wanted.reverse()
  for (const key of wanted.slice(0, range.limit ?? wanted.length)) {
    const value = values.get(key)
    if (value !== undefined) yield { key: Buffer.from(key, 'latin1'), value: Buffer.from(value) }
  }
}

function readerOf(contentOf: (table: Table) => Content | undefined): KvReader {
  const get = (table: Table, key: Buffer): Buffer | undefined => {
    const value = contentOf(table)?.values.get(text(key))
    return value === undefined ? undefined : Buffer.from(value)
  }
  return {
    get,
    getMany: (table, keys) => keys.map((key) => get(table, key)),
    range: (table, range) => rangeOf(contentOf(table), range),
  }
}

export function openMemoryKv(): Kv {
  let state: State = new Map()

  function write<T>(change: (writer: KvWriter) => T): T {
    const changed = new Map<Table, Content>()
    const ownOf = (table: Table): Content => {
      const existing = changed.get(table)
      if (existing !== undefined) return existing
      const shared = state.get(table)
      const copy = { keys: [...(shared?.keys ?? [])], values: new Map(shared?.values) }
      changed.set(table, copy)
      return copy
    }
    const put = (table: Table, key: Buffer, value: Buffer): boolean => {
      const { keys, values } = ownOf(table)
      const name = text(key)
      const isNew = !values.has(name)
      if (isNew) keys.splice(lowerBound(keys, name), 0, name)
      values.set(name, Buffer.from(value))
      return isNew
    }
    const result = change({
      ...readerOf((table) => changed.get(table) ?? state.get(table)),
      put: (table, key, value) => {
        put(table, key, value)
      },
      insert: (table, key, value) =>
        (changed.get(table) ?? state.get(table))?.values.has(text(key)) === true ? false : put(table, key, value),
      delete: (table, key) => {
        const { keys, values } = ownOf(table)
        const name = text(key)
        if (!values.delete(name)) return false
        keys.splice(lowerBound(keys, name), 1)
        return true
      },
    })
    state = new Map([...state, ...changed])
    return result
  }

  return {
    snapshot: () => {
      const frozen = state
      return { ...readerOf((table) => frozen.get(table)), close: () => {} }
    },
    write,
    close: () => Promise.resolve(),
  }
}
