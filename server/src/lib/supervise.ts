/**
 * Keeps a loop running: after any error it is started again, forever, with a growing pause of at most a minute.
 *
 * While it does not work, its fault states since when and why.
 */
import { type Backoff, backoffMs } from './backoff.ts'
import type { Clock } from './clock.ts'
import { GatewatchError, reasonOf } from './errors.ts'
import type { Fault } from './health.ts'
import type { Logger } from './log.ts'

/** Why a loop does not work. */
export type LoopFault = {
  /** The code of the last error, listed in docs/errors.md. */
  readonly code: string
  readonly reason: string
  /** Time of the first error since the loop last worked, in milliseconds since the epoch. */
  readonly since: number
}

const PAUSE: Backoff = { firstMs: 500, longestMs: 60_000 }

/** Records whether a loop works. */
export class LoopMonitor {
  readonly #clock: Clock
  readonly #onFault: (fault: LoopFault | undefined) => void
  #fault: LoopFault | undefined
  #failures = 0
  #works = false

  /** `onFault` is called after every error, and with undefined when the loop works for the first time or again. */
  constructor(clock: Clock, onFault: (fault: LoopFault | undefined) => void = () => undefined) {
    this.#clock = clock
    this.#onFault = onFault
  }

  get fault(): LoopFault | undefined {
    return this.#fault
  }

  /** The pause after the last error, in milliseconds. */
  get pauseMs(): number {
    return this.#failures === 0 ? 0 : backoffMs(PAUSE, this.#failures)
  }

  failed(error: unknown): void {
    const code = error instanceof GatewatchError ? error.code : 'internal_error'
    this.#failures++
    this.#works = false
    this.#fault = { code, reason: reasonOf(error), since: this.#fault?.since ?? this.#clock.now() }
    this.#onFault(this.#fault)
  }

  works(): void {
    if (this.#works) return
    this.#works = true
    this.#failures = 0
    this.#fault = undefined
    this.#onFault(undefined)
  }
}

export type SuperviseOptions = {
  readonly monitor: LoopMonitor
  readonly signal: AbortSignal
  /** Waits before the next attempt, `ms` or less. */
  readonly pause: (error: unknown, ms: number) => Promise<void>
}

/** Runs `attempt` again and again until the signal aborts. The attempt itself reports when it works. */
export async function supervise(
  attempt: () => Promise<void>,
  { monitor, signal, pause }: SuperviseOptions,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await attempt()
    } catch (error) {
      if (signal.aborted) return
      monitor.failed(error)
      await pause(error, monitor.pauseMs)
    }
  }
}

/** Logs when a loop stops working, when the reason changes, and when it works again: one line each. */
export function faultLog(log: Logger, name: string, facts: object = {}): (fault: LoopFault | undefined) => void {
  let last: LoopFault | undefined
  return (fault) => {
    if (fault !== undefined && fault.reason !== last?.reason)
      log.warn({ ...facts, code: fault.code }, `${name}: ${fault.reason}; trying again`)
    if (fault === undefined && last !== undefined) {
      const seconds = Math.round((Date.now() - last.since) / 1_000)
      log.info({ ...facts, seconds }, `${name}: works again after ${seconds} s`)
    }
    last = fault
  }
}

/** The fault of a loop as a part of its process. The code stands for the reason, which can name hosts and files. */
export const faultOf = (part: string, { fault }: Pick<LoopMonitor, 'fault'>): readonly Fault[] =>
  fault === undefined ? [] : [{ part, reason: fault.code, since: fault.since }]
