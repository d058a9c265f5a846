/**
 * One kind of channel, from due messages to their outcomes.
 *
 * Owns the order of things: claim, gather, try, write down. A process that ends anywhere in between leaves its claims
 * to run out, and the next one tries again: at least once, and never a record without a try. Outcomes that come in
 * while others are being written down are written down together.
 */
import { reasonOf } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import type { Timing } from '../../lib/timing.ts'
import type { Database } from '../../platform/database.ts'
import { type Alert, gatherAlerts } from './alert.ts'
import { type ClaimedMessage, claimMessages, type Settled, settleMessages } from './alert-messages.ts'
import { disableChannel, moveChat } from './channels.ts'
import { createPlaces } from './places.ts'
import { createReceivers, type Room } from './receivers.ts'
import { afterTry } from './schedule.ts'
import type { Outcome } from './send.ts'
import type { ChannelKind } from './subscriptions.ts'

/** How a kind of channel is dealt with. */
export type LineKind = {
  readonly channel: ChannelKind
  readonly room: Room
  /** Tries at once, over all receivers. */
  readonly most: number
  /** Longer than a try can take: whoever is not heard of until then is taken for dead. */
  readonly claimMs: number
  /** A receiver's pause after a message, where its kind asks for one. */
  readonly restMs?: (target: string) => number
  /** At one place at most so many at once: several receivers may live there. */
  readonly mostAtPlace?: number
}

export type Sender = (message: ClaimedMessage, alert: Alert) => Promise<Outcome>

export type LineDeps = {
  readonly database: Database
  readonly timing: Timing
  readonly chance: () => number
  readonly publicUrl: string
  readonly log: Logger
  /** Prepares what all messages of a batch need, once. */
  readonly prepare: (messages: readonly ClaimedMessage[]) => Promise<Sender>
  readonly onTry?: (message: ClaimedMessage, outcome: Outcome) => void
}

export type Line = {
  /** Takes what is due and begins to send it; how many were taken. */
  readonly pump: () => Promise<number>
  /** Everything begun has been tried and written down. */
  readonly settled: () => Promise<void>
  /** Pumps until told to stop; `wake` says that something became due. */
  readonly run: (signal: AbortSignal, mayWork?: () => boolean) => Promise<void>
  readonly wake: () => void
}

const BATCH = 200
const IDLE_MS = 1_000
const AFTER_FAULT_MS = 1_000
/** What is known is written down before its claim runs out: else the receiver would hear it again. */
const WRITES = 5

export function createLine(deps: LineDeps, kind: LineKind): Line {
  const { database, timing, chance, log } = deps
  const receivers = createReceivers(kind.room)
  const places = createPlaces(kind.mostAtPlace ?? kind.most)
  const underWay = new Set<Promise<void>>()
  let outcomes: Settled[] = []
  let writing: Promise<void> | undefined
  let wake = (): void => undefined
  let isWoken = false
  /** The receiver the last walk ended with. */
  let walkedTo = 0

  async function pump(): Promise<number> {
    const limit = Math.min(BATCH, kind.most - receivers.inFlight())
    if (limit <= 0) return 0
    const claimed = await claim(limit)
    if (claimed.length === 0) return 0
    for (const message of claimed) begin(message)
    const [alerts, send] = await prepared(claimed).catch((error: unknown) => {
      for (const message of claimed) end(message, { ok: false })
      throw error
    })
    for (const [at, message] of claimed.entries()) {
      const work = attempt(message, alerts[at] as Alert, send)
        .catch(report)
        .finally(() => underWay.delete(work))
      underWay.add(work)
    }
    return claimed.length
  }

  /** Nothing only after a whole round: what another process holds this moment, or what the walk had passed, is behind. */
  async function claim(limit: number): Promise<readonly ClaimedMessage[]> {
    for (;;) {
      const now = timing.now()
      const isFromStart = walkedTo === 0
      const { messages, last } = await claimMessages(database, {
        channel: kind.channel,
        now: new Date(now),
        until: new Date(now + kind.claimMs),
        limit,
        after: walkedTo,
        rooms: receivers.rooms(now),
        usualRoom: kind.room.usual,
        placeRooms: places.rooms(),
        usualPlaceRoom: places.most,
      })
      walkedTo = last ?? 0
      if (messages.length > 0 || (isFromStart && last === undefined)) return messages
    }
  }

  const prepared = (messages: readonly ClaimedMessage[]) =>
    Promise.all([gatherAlerts(deps, messages), deps.prepare(messages)])

  function begin({ channelId, place }: ClaimedMessage): void {
    receivers.begin(channelId)
    places.begin(place)
  }

  function end({ channelId, place }: ClaimedMessage, outcome: { readonly ok: boolean; readonly restsUntil?: number }) {
    receivers.end(channelId, outcome)
    places.end(place)
  }

  async function attempt(message: ClaimedMessage, alert: Alert, send: Sender): Promise<void> {
    if (alert.items.length === 0) return await leaveUnsaid(message)
    const outcome = await send(message, alert).catch(asFailure)
    const now = timing.now()
    const pause = outcome.ok ? kind.restMs?.(message.target) : (outcome.retryAfterMs ?? outcome.pauseAtLeastMs)
    end(message, { ok: outcome.ok, ...(pause !== undefined && { restsUntil: now + pause }) })
    deps.onTry?.(message, outcome)
    if (!outcome.ok && outcome.movedTo !== undefined) await moveChat(database, message.target, outcome.movedTo)
    await settle(settledOf(message, alert, outcome, now))
    if (!outcome.ok && outcome.isGone === true) {
      await disableChannel(database, message.channelId, outcome.reason)
      log.info({ channel: kind.channel, reason: outcome.reason }, 'a receiver wants no more alerts; its channel is off')
    }
  }

  /** Everything in it was taken back since it was claimed: writing that down cancels it. */
  async function leaveUnsaid(message: ClaimedMessage): Promise<void> {
    end(message, { ok: true })
    const now = new Date(timing.now())
    await settle({
      id: message.id,
      claim: message.claim,
      status: 'retrying',
      error: null,
      mayHaveArrived: false,
      at: now,
      nextAt: now,
      told: [],
    })
  }

  function settledOf(message: ClaimedMessage, alert: Alert, outcome: Outcome, now: number): Settled {
    const tried = { attempts: message.attempts, giveUpAt: message.giveUpAt.getTime() }
    const { status, error, nextAt } = afterTry(tried, outcome, now, chance())
    return {
      id: message.id,
      claim: message.claim,
      status,
      error,
      mayHaveArrived: outcome.ok || outcome.isUncertain === true,
      at: new Date(now),
      nextAt: nextAt === null ? null : new Date(nextAt),
      told: alert.deliveryIds,
    }
  }

  /** Resolves when this outcome is written down. One that cannot be is tried again by whoever finds its claim run out. */
  async function settle(outcome: Settled): Promise<void> {
    outcomes.push(outcome)
    const before = writing
    if (before !== undefined) {
      await before.catch(() => undefined)
      if (!outcomes.includes(outcome)) return await (writing ?? Promise.resolve())
    }
    const batch = outcomes
    outcomes = []
    writing = writeDown(batch).finally(() => {
      writing = undefined
      wakeUp()
    })
    await writing
  }

  /** A connection that breaks and a deadlock that ends are over soon; a write that was done after all changes nothing. */
  async function writeDown(batch: readonly Settled[]): Promise<void> {
    for (let left = WRITES; ; left -= 1) {
      try {
        return await settleMessages(database, batch)
      } catch (error) {
        if (left === 1) throw error
        log.info({ channel: kind.channel, reason: reasonOf(error) }, 'outcomes of alerts are written down once more')
        await timing.sleep(AFTER_FAULT_MS)
      }
    }
  }

  const wakeUp = (): void => {
    isWoken = true
    wake()
  }

  const idle = async (signal: AbortSignal): Promise<void> => {
    if (isWoken) return
    const woken = new AbortController()
    wake = () => woken.abort()
    await timing.sleep(IDLE_MS, AbortSignal.any([signal, woken.signal]))
    wake = () => undefined
  }

  const report = (error: unknown): void =>
    log.warn({ channel: kind.channel, reason: reasonOf(error) }, 'alerts wait: the next try comes soon')

  return {
    pump,
    settled: async () => {
      while (underWay.size > 0) await Promise.all(underWay)
    },
    run: async (signal, mayWork = () => true) => {
      while (!signal.aborted) {
        isWoken = false
        try {
          if (!mayWork() || (await pump()) === 0) await idle(signal)
        } catch (error) {
          report(error)
          await timing.sleep(AFTER_FAULT_MS, signal)
        }
      }
      await Promise.allSettled(underWay)
    },
    wake: wakeUp,
  }
}

/** A sender does not throw; what does is our fault, and not the receiver's. */
const asFailure = (error: unknown): Outcome => ({ ok: false, reason: `an error of this service (${reasonOf(error)})` })
