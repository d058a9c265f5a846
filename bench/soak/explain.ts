/** What the soak's own faults explain: the components they befell, while they lasted and until those components are themselves again. */

/** Something the soak did, on the clock of `performance.now()`. */
export type Fault = {
  /** `btc`, `ethereum`, `receiver`, `database`. */
  readonly part: string
  /** `errs`, `drops`, `reorganises`. */
  readonly kind: string
  readonly from: number
  readonly to: number
}

export type Span = { readonly from: number; readonly to: number }

/** A lagging answer comes three seconds late; whoever waited for it needs a moment to say so. */
export const REACTION_MS = 5_000
/**
 * The longest pause before another try: 32 s of who reads a coin node (`chain-service.ts`), 30 s of who writes its index
 * (`writer.ts`). Pauses begin at half a second and double, so none is longer than what it follows.
 */
const LONGEST_PAUSE_MS = 32_000
const FIRST_PAUSE_MS = 500
/** Connecting again, the blocks that were missed, and the mempool, on a busy machine. */
const CATCH_UP_MS = 5_000

const overlap = (one: Span, other: Span): boolean => one.from <= other.to && other.from <= one.to

/** The last pause of a part that was away so long, and what follows it. */
const overAt = ({ from, to }: Span): number => to + Math.min(LONGEST_PAUSE_MS, to - from + FIRST_PAUSE_MS) + CATCH_UP_MS

/** While a part is under a fault and until its last pause is over. A fault that meets such a pause prolongs it. */
export function troubles(faults: readonly Fault[], part: string): readonly Span[] {
  const away: Span[] = []
  for (const { from, to } of faults.filter((fault) => fault.part === part).toSorted((a, b) => a.from - b.from)) {
    const last = away.at(-1)
    if (last === undefined || from > overAt(last)) away.push({ from, to })
    else away[away.length - 1] = { from: last.from, to: Math.max(last.to, to) }
  }
  return away.map((span) => ({ from: span.from, to: overAt(span) }))
}

/** Whether it fell into a time in which the part had trouble, or was getting over it; with a kind, trouble after such a fault. */
export const isInTrouble = (faults: readonly Fault[], part: string, when: Span, kind?: string): boolean =>
  troubles(faults, part).some(
    (span) =>
      overlap(span, when) &&
      faults.some(
        (fault) =>
          fault.part === part &&
          (kind === undefined || fault.kind === kind) &&
          overlap(span, fault) &&
          fault.from <= when.to,
      ),
  )

/** Whether it fell into such a fault itself. */
export const isDuring = (faults: readonly Fault[], part: string, when: Span, graceMs = REACTION_MS): boolean =>
  faults.some((fault) => fault.part === part && overlap({ from: fault.from, to: fault.to + graceMs }, when))

/** The coin chain whose node and index an answer rests on; undefined where it needs none. */
export function chainBehind(path: string): string | undefined {
  const { pathname, searchParams } = new URL(path, 'http://localhost')
  const [, chain] = /^\/public\/coins\/(\w+)\/(?!status$)/.exec(pathname) ?? []
  if (chain !== undefined) return chain
  const rests = /^\/api\/v2\/(?!usage$|chains$|status$)/.test(pathname)
  return rests ? (searchParams.get('chain') ?? 'btc') : undefined
}

export type Answered = {
  readonly path: string
  readonly key: string
  readonly status: number
  readonly startedAt: number
  readonly endedAt: number
}

/** A coin node that is away or behind is said so; the greedy key meets its limit. All else is answered. */
export function isExpectedAnswer(
  { path, key, status, startedAt, endedAt }: Answered,
  { greedy, faults }: { readonly greedy: readonly string[]; readonly faults: readonly Fault[] },
): boolean {
  if (status === 200) return true
  if (status === 429) return greedy.includes(key)
  if (status !== 503) return false
  const when = { from: startedAt, to: endedAt }
  const chain = chainBehind(path)
  return isInTrouble(faults, 'database', when) || (chain !== undefined && isInTrouble(faults, chain, when))
}
