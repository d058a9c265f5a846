/** Computes which errors the injected faults explain: during a fault, and until the affected component has recovered. */

/** A fault that the soak injected. Times are from `performance.now()`. */
export type Fault = {
  /** `btc`, `ethereum`, `receiver`, `database`. */
  readonly part: string
  /** `errs`, `drops`, `reorganizes`. */
  readonly kind: string
  readonly from: number
  readonly to: number
}

export type Span = { readonly from: number; readonly to: number }

/** A delayed response arrives three seconds late; the service then needs a moment to report it. */
export const REACTION_MS = 5_000
/**
 * The longest pause before a retry, of the chain service (`chain-service.ts`) and of the index writer
 * (`index-writer.ts`). Pauses start at half a second and double, so none is longer than the outage it follows.
 */
const LONGEST_PAUSE_MS = 30_000
const FIRST_PAUSE_MS = 500
/** Reconnecting, reading missed blocks and reading the mempool, on a busy machine. */
const CATCH_UP_MS = 5_000

const overlap = (one: Span, other: Span): boolean => one.from <= other.to && other.from <= one.to

/** When a component has recovered from such an outage: after its last pause and its catch-up. */
const recoveredAt = ({ from, to }: Span): number =>
  to + Math.min(LONGEST_PAUSE_MS, to - from + FIRST_PAUSE_MS) + CATCH_UP_MS

/** The times from the first fault of a part to its recovery. A fault before the recovery extends the window. */
export function faultWindows(faults: readonly Fault[], part: string): readonly Span[] {
  const outages: Span[] = []
  for (const { from, to } of faults.filter((fault) => fault.part === part).toSorted((a, b) => a.from - b.from)) {
    const last = outages.at(-1)
    if (last === undefined || from > recoveredAt(last)) outages.push({ from, to })
    else outages[outages.length - 1] = { from: last.from, to: Math.max(last.to, to) }
  }
  return outages.map((span) => ({ from: span.from, to: recoveredAt(span) }))
}

/** Whether `when` is in a fault window of the part; with `kind`, in one that contains an earlier fault of that kind. */
export const isInFaultWindow = (faults: readonly Fault[], part: string, when: Span, kind?: string): boolean =>
  faultWindows(faults, part).some(
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

/** Whether `when` overlaps a fault of the part, or the `graceMs` after it. */
export const isDuringFault = (faults: readonly Fault[], part: string, when: Span, graceMs = REACTION_MS): boolean =>
  faults.some((fault) => fault.part === part && overlap({ from: fault.from, to: fault.to + graceMs }, when))

/** The coin chain that a response depends on; undefined if it depends on none. */
export function chainBehind(path: string): string | undefined {
  const { pathname, searchParams } = new URL(path, 'http://localhost')
  const [, chain] = /^\/public\/coins\/(\w+)\/(?!status$)/.exec(pathname) ?? []
  if (chain !== undefined) return chain
  const needsChain = /^\/api\/v2\/(?!usage$|chains$|status$)/.test(pathname)
  return needsChain ? (searchParams.get('chain') ?? 'btc') : undefined
}

export type CompletedRequest = {
  readonly path: string
  readonly key: string
  readonly status: number
  readonly startedAt: number
  readonly endedAt: number
}

/** Expected are 200, 429 for a key that exceeds its limit, and 503 for a chain whose node is unreachable or behind. */
export function isExpectedResponse(
  { path, key, status, startedAt, endedAt }: CompletedRequest,
  { exceedingKeys, faults }: { readonly exceedingKeys: readonly string[]; readonly faults: readonly Fault[] },
): boolean {
  if (status === 200) return true
  if (status === 429) return exceedingKeys.includes(key)
  if (status !== 503) return false
  const when = { from: startedAt, to: endedAt }
  const chain = chainBehind(path)
  return isInFaultWindow(faults, 'database', when) || (chain !== undefined && isInFaultWindow(faults, chain, when))
}
