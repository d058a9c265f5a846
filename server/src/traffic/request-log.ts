/**
 * The log of requests with an API key. Entries are buffered in memory and written in batches, so that no request waits
 * for a write.
 *
 * A clean stop loses nothing. A crash loses the entries of the last `WRITE_INTERVAL_MS` and of the write in progress,
 * together less than a second. During a database outage up to `MAX_BUFFERED` entries are buffered; more are dropped,
 * counted and logged.
 */
import { Counter, Gauge } from 'prom-client'
import { systemCodeOf } from '../lib/errors.ts'
import type { Logger } from '../lib/log.ts'
import type { Metrics } from '../lib/metrics.ts'
import type { NewLogEntry } from './log-entry.ts'
import { createLogRows, type LogRows } from './log-rows.ts'
import type { Batch, WriteBatch } from './write-batches.ts'

export type RequestLog = {
  readonly push: (entry: NewLogEntry) => void
  /** Tries to write all entries pushed before. Entries that cannot be written stay in the buffer. */
  readonly flush: () => Promise<void>
  /** Writes the buffered entries; gives up after `CLOSE_TIMEOUT_MS`. */
  readonly close: () => Promise<void>
}

const WRITE_INTERVAL_MS = 200
/** About 50 ms of work for one transaction. */
const MAX_BATCH = 5_000
/** About 20 MB; ten minutes of 160 requests a second. */
const MAX_BUFFERED = 100_000
const CLOSE_TIMEOUT_MS = 5_000

export type RequestLogOptions = {
  readonly write: WriteBatch
  readonly log: Logger
  readonly metrics: Metrics
  readonly maxBuffered?: number
  readonly closeTimeoutMs?: number
}

export function openRequestLog({
  write,
  log,
  metrics,
  maxBuffered = MAX_BUFFERED,
  closeTimeoutMs = CLOSE_TIMEOUT_MS,
}: RequestLogOptions): RequestLog {
  /** Those before the last are full. */
  const waiting: LogRows[] = []
  let waitingCount = 0
  /** The batch that is being written, or whose write failed. It is written first, with the same number. */
  let batch: Batch | undefined
  let batches = 0
  let droppedUnreported = 0
  let isFailing = false
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined

  const depth = () => waitingCount + (batch?.rows.count() ?? 0)
  const { written, dropped } = measure(metrics, depth)

  const nextBatch = (): Batch => {
    const rows = waiting.shift() ?? createLogRows()
    waitingCount -= rows.count()
    return { number: ++batches, rows }
  }

  /** Writes the entries buffered at its start. Entries that arrive meanwhile form the next batch. */
  const drain = async () => {
    for (let left = depth(); left > 0; ) {
      batch ??= nextBatch()
      const count = batch.rows.count()
      left -= count
      try {
        await write(batch)
        written.inc(count)
      } catch (error) {
        if (!isPermanent(error)) {
          if (!isFailing)
            log.warn(
              { err: error, waiting: depth() },
              'cannot write the request log; entries stay in memory until the next attempt',
            )
          isFailing = true
          return
        }
        log.error({ err: error, lost: count }, 'the database rejected entries of the request log; they are lost')
        dropped.inc(count)
      }
      batch = undefined
    }
    if (droppedUnreported > 0)
      log.error(
        { lost: droppedUnreported },
        'entries of the request log were dropped: the buffer was full during a database outage',
      )
    droppedUnreported = 0
    isFailing = false
  }

  /** Runs one drain at a time. Calls during a drain share the next one. */
  const flush = (): Promise<void> => {
    next ??= running.then(() => {
      next = undefined
      running = drain()
      return running
    })
    return next
  }
  const timer = setInterval(() => void flush(), WRITE_INTERVAL_MS)

  return {
    push: (entry) => {
      if (waitingCount >= maxBuffered) {
        droppedUnreported++
        dropped.inc()
        return
      }
      const last = waiting.at(-1)
      const rows = last === undefined || last.count() >= MAX_BATCH ? createLogRows() : last
      if (rows !== last) waiting.push(rows)
      rows.add(entry)
      waitingCount += 1
    },
    flush,
    close: async () => {
      clearInterval(timer)
      const deadline = Date.now() + closeTimeoutMs
      await flush()
      while (depth() > 0 && Date.now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, WRITE_INTERVAL_MS))
        await flush()
      }
      const lost = depth() + droppedUnreported
      if (lost > 0)
        log.error({ lost }, 'entries of the request log were dropped: the database was unreachable at shutdown')
    },
  }
}

/** The database rejects the data itself (SQLSTATE class 22), so another attempt cannot succeed. */
const isPermanent = (error: unknown): boolean => systemCodeOf(error)?.startsWith('22') === true

function measure(metrics: Metrics, depth: () => number) {
  const waiting = new Gauge({
    name: 'gatewatch_request_log_waiting',
    help: 'Entries not yet written to the request log',
    registers: [],
    collect() {
      this.set(depth())
    },
  })
  metrics.registerMetric(waiting)
  const counter = (name: string, help: string) =>
    new Counter({ name: `gatewatch_request_log_${name}_total`, help, registers: [metrics] })
  return {
    written: counter('written', 'Entries written to the request log'),
    dropped: counter(
      'dropped',
      'Entries of the request log lost: rejected by the database or dropped from a full buffer',
    ),
  }
}
