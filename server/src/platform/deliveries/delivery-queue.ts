/**
 * Delivers what a product has queued: claims due deliveries, attempts them, and records the outcomes.
 *
 * Each delivery is attempted at least once. The claims of a process that dies expire, and another process attempts
 * those deliveries again. Outcomes that arrive during a write are recorded together by the next write.
 */

import type { Timing } from '../../lib/clock.ts'
import { reasonOf } from '../../lib/errors.ts'
import type { Fault } from '../../lib/health.ts'
import type { Logger } from '../../lib/log.ts'
import { faultLog, faultOf, LoopMonitor } from '../../lib/supervise.ts'
import { type FreeSlots, limitHosts, limitRecipients, type RecipientId, type RecipientLimits } from './limits.ts'
import { type Failure, isFinal, type Outcome } from './outcome.ts'

export type Delivery = {
  readonly recipient: RecipientId
  /** The host whose limit counts, which other recipients may share; null if there is none. */
  readonly host: string | null
}

export type ClaimRequest = {
  readonly now: number
  /** When the claim expires. */
  readonly until: number
  readonly limit: number
  readonly recipients: FreeSlots<RecipientId>
  readonly hosts: FreeSlots<string>
}

export type Settled<Loaded> = {
  readonly delivery: Loaded
  /** `empty`: there was nothing left to send. */
  readonly status: 'sent' | 'retrying' | 'failed' | 'empty'
  readonly outcome: Outcome | undefined
  readonly startedAt: Date
  readonly at: Date
  readonly nextAt: Date | null
}

/** The queue of one product, with its own tables. */
export type DeliverySource<Claimed extends Delivery, Loaded extends Claimed = Claimed> = {
  /** Names the queue in log lines. */
  readonly name: string
  /**
   * Claims due deliveries within the limits, and counts the attempt: an attempt that kills its process must not repeat
   * forever. Returns none only if none is due.
   */
  readonly claim: (request: ClaimRequest) => Promise<readonly Claimed[]>
  /** Loads the content of claimed deliveries, in order. */
  readonly load: (claimed: readonly Claimed[]) => Promise<readonly Loaded[]>
  /** Attempts one delivery. Returns undefined if there is nothing left to send. */
  readonly send: (delivery: Loaded) => Promise<Outcome | undefined>
  /** Returns the time of the next attempt, or null to give up. Not called after a final failure. */
  readonly nextAttempt: (delivery: Loaded, failure: Failure, now: number) => number | null
  /** Records outcomes whose claims are still held. Recording one twice must change nothing. */
  readonly settle: (settled: readonly Settled<Loaded>[]) => Promise<void>
}

export type DeliveryLimits<Claimed = Delivery> = {
  readonly recipient: RecipientLimits
  /** Concurrent attempts to one host. */
  readonly host?: number
  /** Concurrent attempts in total. */
  readonly total: number
  /** Longer than an attempt can take. */
  readonly claimMs: number
  /** The pause of a recipient after a success, if its channel has one. */
  readonly pauseMs?: (delivery: Claimed) => number
}

export type DeliveryQueueDeps<Loaded> = {
  readonly timing: Timing
  readonly log: Logger
  readonly onAttempt?: (delivery: Loaded, outcome: Outcome) => void
}

export type DeliveryQueue = {
  /** Claims due deliveries and starts to attempt them. Returns how many were claimed. */
  readonly deliverDue: () => Promise<number>
  /** Resolves when every started attempt is recorded. */
  readonly settled: () => Promise<void>
  /** Delivers until the signal aborts, while `mayDeliver` returns true. */
  readonly run: (signal: AbortSignal, mayDeliver?: () => boolean) => Promise<void>
  /** Checks for due deliveries now instead of at the next interval. */
  readonly wake: () => void
  /** Why nothing can be delivered. Failures of recipients are no faults. */
  readonly faults: () => readonly Fault[]
}

const CLAIMED_AT_ONCE = 200
const IDLE_MS = 1_000
const RETRY_MS = 1_000
/** A known outcome is written before its claim expires. Otherwise the recipient would get the message twice. */
const WRITE_ATTEMPTS = 5

export function createDeliveryQueue<Claimed extends Delivery, Loaded extends Claimed>(
  { timing, log, onAttempt }: DeliveryQueueDeps<Loaded>,
  source: DeliverySource<Claimed, Loaded>,
  limits: DeliveryLimits<Claimed>,
): DeliveryQueue {
  const recipients = limitRecipients(limits.recipient)
  const hosts = limitHosts(limits.host ?? limits.total)
  const inFlight = new Set<Promise<void>>()
  let unrecorded: Settled<Loaded>[] = []
  let writing: Promise<void> | undefined
  let wakeUp = (): void => undefined
  let isWoken = false

  async function deliverDue(): Promise<number> {
    const limit = Math.min(CLAIMED_AT_ONCE, limits.total - recipients.inFlight())
    if (limit <= 0) return 0
    const now = timing.now()
    const claimed = await source.claim({
      now,
      until: now + limits.claimMs,
      limit,
      recipients: recipients.freeSlots(now),
      hosts: hosts.freeSlots(),
    })
    for (const delivery of claimed) begin(delivery)
    const loaded = await load(claimed)
    for (const delivery of loaded) {
      const work = attempt(delivery)
        .catch(report)
        .finally(() => inFlight.delete(work))
      inFlight.add(work)
    }
    return claimed.length
  }

  async function load(claimed: readonly Claimed[]): Promise<readonly Loaded[]> {
    if (claimed.length === 0) return []
    try {
      return await source.load(claimed)
    } catch (error) {
      for (const delivery of claimed) end(delivery, { ok: false })
      throw error
    }
  }

  function begin({ recipient, host }: Delivery): void {
    recipients.begin(recipient)
    hosts.begin(host)
  }

  function end({ recipient, host }: Delivery, outcome: { readonly ok: boolean; readonly pausedUntil?: number }): void {
    recipients.end(recipient, outcome)
    hosts.end(host)
  }

  async function attempt(delivery: Loaded): Promise<void> {
    const startedAt = new Date(timing.now())
    const outcome = await source.send(delivery).catch(internalFailure)
    const now = timing.now()
    const pause = pauseAfter(delivery, outcome)
    end(delivery, { ok: outcome?.ok ?? true, ...(pause !== undefined && { pausedUntil: now + pause }) })
    if (outcome !== undefined) onAttempt?.(delivery, outcome)
    await record({ startedAt, ...settledOf(delivery, outcome, now) })
  }

  function pauseAfter(delivery: Loaded, outcome: Outcome | undefined): number | undefined {
    if (outcome === undefined) return undefined
    return outcome.ok ? limits.pauseMs?.(delivery) : (outcome.retryAfterMs ?? outcome.pauseAtLeastMs)
  }

  function settledOf(delivery: Loaded, outcome: Outcome | undefined, now: number): Omit<Settled<Loaded>, 'startedAt'> {
    const at = new Date(now)
    if (outcome === undefined) return { delivery, outcome, status: 'empty', at, nextAt: null }
    if (outcome.ok) return { delivery, outcome, status: 'sent', at, nextAt: null }
    const next = isFinal(outcome) ? null : source.nextAttempt(delivery, outcome, now)
    return next === null
      ? { delivery, outcome, status: 'failed', at, nextAt: null }
      : { delivery, outcome, status: 'retrying', at, nextAt: new Date(next) }
  }

  /** Resolves when this outcome is recorded, alone or together with others that arrived during the last write. */
  async function record(settled: Settled<Loaded>): Promise<void> {
    unrecorded.push(settled)
    const before = writing
    if (before !== undefined) {
      await before.catch(() => undefined)
      if (!unrecorded.includes(settled)) return await (writing ?? Promise.resolve())
    }
    const batch = unrecorded
    unrecorded = []
    writing = write(batch).finally(() => {
      writing = undefined
      wake()
    })
    await writing
  }

  /** A broken connection or a deadlock passes soon. */
  async function write(batch: readonly Settled<Loaded>[]): Promise<void> {
    for (let left = WRITE_ATTEMPTS; ; left -= 1) {
      try {
        return await source.settle(batch)
      } catch (error) {
        if (left === 1) throw error
        log.info({ queue: source.name, reason: reasonOf(error) }, 'recording delivery outcomes failed; retrying')
        await timing.sleep(RETRY_MS)
      }
    }
  }

  function wake(): void {
    isWoken = true
    wakeUp()
  }

  async function idle(signal: AbortSignal): Promise<void> {
    if (isWoken) return
    const woken = new AbortController()
    wakeUp = () => woken.abort()
    await timing.sleep(IDLE_MS, AbortSignal.any([signal, woken.signal]))
    wakeUp = () => undefined
  }

  const monitor = new LoopMonitor(timing, faultLog(log, source.name, { queue: source.name }))
  const report = (error: unknown): void => monitor.failed(error)

  return {
    deliverDue,
    settled: async () => {
      while (inFlight.size > 0) await Promise.all(inFlight)
    },
    run: async (signal, mayDeliver = () => true) => {
      while (!signal.aborted) {
        isWoken = false
        try {
          const delivered = mayDeliver() ? await deliverDue() : 0
          monitor.works()
          if (delivered === 0) await idle(signal)
        } catch (error) {
          report(error)
          await timing.sleep(RETRY_MS, signal)
        }
      }
      await Promise.allSettled(inFlight)
    },
    wake,
    faults: () => faultOf(source.name, monitor),
  }
}

/** `send` returns its failures. An error it throws is a fault of this service, not of the recipient. */
const internalFailure = (error: unknown): Outcome => ({ ok: false, reason: `Internal error: ${reasonOf(error)}` })
