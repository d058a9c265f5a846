/** Limits concurrent attempts for each recipient and each host. Kept in memory, for one delivery queue of one process. */

/** How many more attempts may start now: for the keys listed, and for every other key. */
export type FreeSlots<Key> = { readonly listed: ReadonlyMap<Key, number>; readonly others: number }

/** Concurrent attempts of one recipient. */
export type RecipientLimits = {
  /** Before its first success. */
  readonly initial: number
  /** After a success. */
  readonly max: number
  /** Of all recipients whose last attempt failed, together: they must not use up the connections of the others. */
  readonly failing: number
}

export type RecipientId = string | number

type Recipient = { inFlight: number; hasSucceeded: boolean; isFailing: boolean; pausedUntil: number }

export type AttemptEnd = { readonly ok: boolean; readonly pausedUntil?: number }

export type Recipients = {
  readonly freeSlots: (now: number) => FreeSlots<RecipientId>
  readonly inFlight: () => number
  readonly begin: (id: RecipientId) => void
  readonly end: (id: RecipientId, outcome: AttemptEnd) => void
}

/** Remembers only recipients that have attempts in flight, failed last, or are paused. */
export function limitRecipients({ initial, max, failing }: RecipientLimits): Recipients {
  const known = new Map<RecipientId, Recipient>()
  let total = 0
  const freeSlotsOf = ({ inFlight, hasSucceeded, isFailing, pausedUntil }: Recipient, now: number): number =>
    pausedUntil > now ? 0 : Math.max(0, (isFailing ? 1 : hasSucceeded ? max : initial) - inFlight)

  return {
    freeSlots: (now) => {
      const listed = new Map<RecipientId, number>()
      let failingInFlight = 0
      for (const recipient of known.values()) if (recipient.isFailing) failingInFlight += recipient.inFlight
      for (const [id, recipient] of known) {
        const isIdle = recipient.inFlight === 0 && !recipient.isFailing && recipient.pausedUntil <= now
        if (isIdle) known.delete(id)
        else listed.set(id, recipient.isFailing && failingInFlight >= failing ? 0 : freeSlotsOf(recipient, now))
      }
      return { listed, others: initial }
    },
    inFlight: () => total,
    begin: (id) => {
      const recipient = known.get(id) ?? { inFlight: 0, hasSucceeded: false, isFailing: false, pausedUntil: 0 }
      recipient.inFlight += 1
      total += 1
      known.set(id, recipient)
    },
    end: (id, { ok, pausedUntil }) => {
      total -= 1
      const recipient = known.get(id)
      if (recipient === undefined) return
      recipient.inFlight -= 1
      recipient.hasSucceeded ||= ok
      recipient.isFailing = !ok
      if (pausedUntil !== undefined) recipient.pausedUntil = Math.max(recipient.pausedUntil, pausedUntil)
    },
  }
}

export type Hosts = {
  readonly freeSlots: () => FreeSlots<string>
  /** A delivery without a host counts toward no limit. */
  readonly begin: (host: string | null) => void
  readonly end: (host: string | null) => void
}

/** Several recipients may share a host: at most `max` attempts run against it at a time. */
export function limitHosts(max: number): Hosts {
  const inFlight = new Map<string, number>()
  return {
    freeSlots: () => ({ listed: new Map([...inFlight].map(([host, count]) => [host, max - count])), others: max }),
    begin: (host) => {
      if (host !== null) inFlight.set(host, (inFlight.get(host) ?? 0) + 1)
    },
    end: (host) => {
      if (host === null) return
      const left = (inFlight.get(host) ?? 1) - 1
      if (left > 0) inFlight.set(host, left)
      else inFlight.delete(host)
    },
  }
}
