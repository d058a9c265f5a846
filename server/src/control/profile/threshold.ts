/**
 * How many distinct keys a multisig needs, counted through nested multisigs.
 *
 * A key that signs in two nested Safes is still one key.
 */

/** A key, a group of which `needed` members must sign, or an address that cannot sign. */
export type Signatory =
  | { readonly type: 'key'; readonly id: string }
  | { readonly type: 'group'; readonly needed: number; readonly members: readonly Signatory[] }
  | { readonly type: 'none' }

/** Beyond this many combinations the sum is the result. A single key that suffices is always found. */
const MAX_COMBINATIONS = 20_000

/** The least number of keys that can sign: exact where all combinations can be tried. Undefined: it can never sign. */
export function signersNeeded(signatory: Signatory): number | undefined {
  const sum = costOf(signatory)
  if (sum === undefined) return undefined
  const all = keysOf(signatory)
  const keys = [...new Set(all)]
  if (keys.length === all.length) return sum // no key is in two groups
  let tried = 0
  for (let size = 1; size < sum; size += 1) {
    for (const chosen of choose(keys, size)) {
      tried += 1
      if (tried > MAX_COMBINATIONS) return sum
      if (canSign(signatory, new Set(chosen))) return size
    }
  }
  return sum
}

function canSign(signatory: Signatory, keys: ReadonlySet<string>): boolean {
  if (signatory.type === 'key') return keys.has(signatory.id)
  if (signatory.type === 'none') return false
  return distinct(signatory.members).filter((member) => canSign(member, keys)).length >= signatory.needed
}

/** The sum of the cheapest members that suffice, as if no key were in two groups. */
function costOf(signatory: Signatory): number | undefined {
  if (signatory.type === 'none') return undefined
  if (signatory.type === 'key') return 1
  const costs = distinct(signatory.members)
    .map(costOf)
    .filter((cost) => cost !== undefined)
    .sort((a, b) => a - b)
  if (signatory.needed < 1 || costs.length < signatory.needed) return undefined
  return costs.slice(0, signatory.needed).reduce((sum, cost) => sum + cost, 0)
}

/** An owner listed twice signs once. */
function distinct(members: readonly Signatory[]): readonly Signatory[] {
  const seen = new Set<string>()
  return members.filter((member) => {
    if (member.type !== 'key') return true
    if (seen.has(member.id)) return false
    seen.add(member.id)
    return true
  })
}

/** One entry per membership: a key in two groups is listed twice. */
function keysOf(signatory: Signatory): readonly string[] {
  if (signatory.type === 'key') return [signatory.id]
  return signatory.type === 'group' ? distinct(signatory.members).flatMap(keysOf) : []
}

function* choose(keys: readonly string[], size: number, from = 0): Generator<readonly string[]> {
  if (size === 0) {
    yield []
    return
  }
  for (let at = from; at <= keys.length - size; at += 1)
    for (const rest of choose(keys, size - 1, at + 1)) yield [keys[at] as string, ...rest]
}
