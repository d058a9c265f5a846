/**
 * Compares the storage layouts of two versions of a contract, as solc writes them: an upgrade keeps the storage, so that a
 * variable of the new code must not lie where the old code kept another one.
 */

export type LayoutVariable = {
  readonly label: string
  /** Bytes from the end of the slot. */
  readonly offset: number
  /** A decimal number. */
  readonly slot: string
  /** Of `types`. */
  readonly type: string
}

export type LayoutType = {
  readonly encoding: string
  readonly label: string
  readonly numberOfBytes: string
  readonly key?: string | undefined
  readonly value?: string | undefined
  readonly base?: string | undefined
  readonly members?: readonly LayoutVariable[] | undefined
}

export type StorageLayout = {
  readonly storage: readonly LayoutVariable[]
  readonly types: Readonly<Record<string, LayoutType>>
}

/** What lies at a place before and after an upgrade: types and names. */
export type LayoutChange = {
  readonly slot: string
  readonly offset: number
  readonly previous: string
  readonly current: string
}

/** A change moves what lies behind it too: the first ones tell. */
const MAX_CHANGES = 10
const MAX_NAME = 80
/** Types that are nested deeper count as equal if their names are. */
const MAX_DEPTH = 16
const WORD_BYTES = 32n
/** Space that is reserved for later versions. */
const RESERVED = /^_*gap\d*_*$|^_{2,}\w*gap\w*$|^_*reserved\w*$/i

type Placed = { readonly variable: LayoutVariable; readonly from: bigint; readonly to: bigint }

/** The variables of the new code that lie where the old code kept something else, in the order of their places. */
export function layoutChanges(before: StorageLayout, after: StorageLayout): readonly LayoutChange[] {
  const old = placed(before).filter(({ variable }) => !RESERVED.test(variable.label))
  const changes: LayoutChange[] = []
  let first = 0
  for (const { variable, from, to } of placed(after)) {
    if (changes.length === MAX_CHANGES) break
    if (RESERVED.test(variable.label)) continue
    while (first < old.length && (old[first] as Placed).to <= from) first += 1
    for (let at = first; at < old.length && (old[at] as Placed).from < to; at += 1) {
      const { variable: held, from: start } = old[at] as Placed
      if (start === from && isCompatible([before, held.type], [after, variable.type])) continue
      const place = start > from ? held : variable
      changes.push({
        slot: place.slot,
        offset: place.offset,
        previous: nameOf(before, held),
        current: nameOf(after, variable),
      })
      break
    }
  }
  return changes
}

function placed({ storage, types }: StorageLayout): readonly Placed[] {
  const places = storage.map((variable): Placed => {
    const from = BigInt(variable.slot) * WORD_BYTES + BigInt(variable.offset)
    return { variable, from, to: from + BigInt(types[variable.type]?.numberOfBytes ?? 1) }
  })
  return places.sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0))
}

const nameOf = ({ types }: StorageLayout, { label, type }: LayoutVariable): string =>
  `${types[type]?.label ?? type} ${label}`.slice(0, MAX_NAME)

type Typed = readonly [layout: StorageLayout, type: string]

/** Whether what was stored as one type has the same meaning as another. `mayGrow`: nothing lies behind it. */
function isCompatible([before, from]: Typed, [after, to]: Typed, mayGrow = false, depth = 0): boolean {
  const [a, b] = [before.types[from], after.types[to]]
  if (a === undefined || b === undefined || depth > MAX_DEPTH) return plainName(from) === plainName(to)
  if (a.encoding !== b.encoding) return false
  const isPart = (part: 'key' | 'value' | 'base', grows = false): boolean => {
    const [one, other] = [a[part], b[part]]
    if (one === undefined || other === undefined) return one === other
    return isCompatible([before, one], [after, other], grows, depth + 1)
  }
  // Elements of a mapping lie apart: a struct in one may get further members.
  if (a.encoding === 'mapping') return isPart('key') && isPart('value', true)
  if (a.encoding === 'dynamic_array') return isPart('base')
  if (a.members !== undefined && b.members !== undefined) {
    const members = b.members
    if (!mayGrow && a.numberOfBytes !== b.numberOfBytes) return false
    return a.members.every((member, at) => {
      const other = members[at]
      if (other === undefined || other.slot !== member.slot || other.offset !== member.offset) return false
      return isCompatible([before, member.type], [after, other.type], false, depth + 1)
    })
  }
  if (a.base !== undefined || b.base !== undefined) return a.numberOfBytes === b.numberOfBytes && isPart('base')
  return a.numberOfBytes === b.numberOfBytes && plainName(a.label) === plainName(b.label)
}

/** The name of a type by what it stores: contracts are addresses, and enums numbers. */
function plainName(label: string): string {
  if (/^(?:contract |address\b)/.test(label)) return 'address'
  return label.startsWith('enum ') ? 'uint8' : label
}
