/**
 * The log of keyed requests: records wait in memory for a moment and are written in batches, off the request's path.
 *
 * What a clean stop promises: nothing is lost. What a crash can cost: the records of the last `WRITE_EVERY_MS` and of
 * the write under way, together less than a second. While the database is away records wait, up to `MOST_WAITING`;
 * beyond that they are dropped, counted and told.
 */
import { Counter, Gauge } from 'prom-client'
import { systemCodeOf } from '../lib/errors.ts'
import type { Logger } from '../lib/log.ts'
import type { Metrics } from '../lib/metrics.ts'
import type { RequestRecord } from './request-record.ts'
import type { Batch, WriteBatch } from './store/batches.ts'

export type RequestLog = {
  readonly push: (record: RequestRecord) => void
  /** Tries to write everything that was pushed before; what cannot be written now stays for the next time. */
  readonly flush: () => Promise<void>
  /** Writes what waits, for as long as `CLOSE_WITHIN_MS`. */
  readonly close: () => Promise<void>
}

const WRITE_EVERY_MS = 200
/** One transaction's worth: about 50 ms of work. */
const MOST_IN_BATCH = 5_000
/** About 40 MB; ten minutes of 160 requests a second. */
const MOST_WAITING = 100_000
const CLOSE_WITHIN_MS = 5_000

export type RequestLogOptions = {
  readonly write: WriteBatch
  readonly log: Logger
  readonly metrics: Metrics
  readonly mostWaiting?: number
  readonly closeWithinMs?: number
}

export function openRequestLog({
  write,
  log,
  metrics,
  mostWaiting = MOST_WAITING,
  closeWithinMs = CLOSE_WITHIN_MS,
}: RequestLogOptions): RequestLog {
  let waiting: RequestRecord[] = []
  /** The batch under way, or the one whose write failed: it goes first, with its number. */
  let batch: Batch | undefined
  let batches = 0
  let droppedUntold = 0
  let isFailing = false
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined

  const depth = () => waiting.length + (batch?.records.length ?? 0)
  const { written, dropped } = measure(metrics, depth)

  const nextBatch = (): Batch => {
    const records = waiting.length <= MOST_IN_BATCH ? waiting : waiting.slice(0, MOST_IN_BATCH)
    waiting = waiting.slice(records.length)
    return { number: ++batches, records }
  }

  /** Writes what waits when it begins; what arrives meanwhile makes a better batch later. */
  const drain = async () => {
    for (let left = depth(); left > 0; ) {
      batch ??= nextBatch()
      const { length } = batch.records
      left -= length
      try {
        await write(batch)
        written.inc(length)
      } catch (error) {
        if (!isHopeless(error)) {
          if (!isFailing) log.warn({ err: error, waiting: depth() }, 'the request log cannot be written; it waits')
          isFailing = true
          return
        }
        log.error({ err: error, lost: length }, 'requests were answered but could not be logged')
        dropped.inc(length)
      }
      batch = undefined
    }
    if (droppedUntold > 0)
      log.error({ lost: droppedUntold }, 'requests were answered but not logged: too many waited for the database')
    droppedUntold = 0
    isFailing = false
  }

  /** One drain at a time; whoever asks while one runs shares the next. */
  const flush = (): Promise<void> => {
    next ??= running.then(() => {
      next = undefined
      running = drain()
      return running
    })
    return next
  }
  const timer = setInterval(() => void flush(), WRITE_EVERY_MS)

  return {
    push: (record) => {
      if (waiting.length < mostWaiting) waiting.push(record)
      else {
        droppedUntold++
        dropped.inc()
      }
    },
    flush,
    close: async () => {
      clearInterval(timer)
      const deadline = Date.now() + closeWithinMs
      await flush()
      while (depth() > 0 && Date.now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, WRITE_EVERY_MS))
        await flush()
      }
      const lost = depth() + droppedUntold
      if (lost > 0) log.error({ lost }, 'requests were answered but not logged: the database was away')
    },
  }
}

/** The data itself is refused (SQLSTATE class 22): another attempt would only keep everything behind it waiting. */
const isHopeless = (error: unknown): boolean => systemCodeOf(error)?.startsWith('22') === true

function measure(metrics: Metrics, depth: () => number) {
  const waiting = new Gauge({
    name: 'gatewatch_request_log_waiting',
    help: 'Answered requests that are not in the log yet',
    registers: [],
    collect() {
      this.set(depth())
    },
  })
  metrics.registerMetric(waiting)
  const counter = (name: string, help: string) =>
    new Counter({ name: `gatewatch_request_log_${name}_total`, help, registers: [metrics] })
  return {
    written: counter('written', 'Requests written to the log'),
    dropped: counter('dropped', 'Requests answered but lost to the log'),
  }
}
