/**
 * How many keys it really takes: a Safe of Safes, and people who sit in several of them.
 *
 * A key that is a signer in two nested Safes is still one key, so the count is over distinct keys.
 */

/** Who may sign: a key, or a group of which `needed` must. */
export type Signer =
  | { readonly type: 'key'; readonly id: string }
  | { readonly type: 'group'; readonly needed: number; readonly members: readonly Signer[] }
  | { readonly type: 'nobody' }

/** Beyond this many combinations the sum has to do; one key that suffices alone is always found. */
const MOST_SETS = 20_000

/** The least number of keys that can sign, exactly where that can be tried and otherwise as a sum; undefined: nobody can. */
export function keysNeeded(signer: Signer): number | undefined {
  const sum = costOf(signer)
  if (sum === undefined) return undefined
  const seats = keysOf(signer)
  const keys = [...new Set(seats)]
  if (keys.length === seats.length) return sum // nobody sits in two places
  let tried = 0
  for (let size = 1; size < sum; size += 1) {
    for (const chosen of choose(keys, size)) {
      tried += 1
      if (tried > MOST_SETS) return sum
      if (canSign(signer, new Set(chosen))) return size
    }
  }
  return sum
}

function canSign(signer: Signer, keys: ReadonlySet<string>): boolean {
  if (signer.type === 'key') return keys.has(signer.id)
  if (signer.type === 'nobody') return false
  return distinct(signer.members).filter((member) => canSign(member, keys)).length >= signer.needed
}

/** As if no key sat in two places: the sum of the cheapest members that suffice. */
function costOf(signer: Signer): number | undefined {
  if (signer.type === 'nobody') return undefined
  if (signer.type === 'key') return 1
  const costs = distinct(signer.members)
    .map(costOf)
    .filter((cost) => cost !== undefined)
    .sort((a, b) => a - b)
  if (signer.needed < 1 || costs.length < signer.needed) return undefined
  return costs.slice(0, signer.needed).reduce((sum, cost) => sum + cost, 0)
}

/** An owner listed twice signs once. */
function distinct(members: readonly Signer[]): readonly Signer[] {
  const seen = new Set<string>()
  return members.filter((member) => {
    if (member.type !== 'key') return true
    if (seen.has(member.id)) return false
    seen.add(member.id)
    return true
  })
}

/** One entry for every seat, so that a key in two places is there twice. */
function keysOf(signer: Signer): readonly string[] {
  if (signer.type === 'key') return [signer.id]
  return signer.type === 'group' ? distinct(signer.members).flatMap(keysOf) : []
}

function* choose(keys: readonly string[], size: number, from = 0): Generator<readonly string[]> {
  if (size === 0) {
    yield []
    return
  }
  for (let at = from; at <= keys.length - size; at += 1)
    for (const rest of choose(keys, size - 1, at + 1)) yield [keys[at] as string, ...rest]
}
