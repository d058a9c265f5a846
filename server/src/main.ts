/**
 * The composition root: config → stores → loops → HTTP. Nothing else in the program makes its own dependencies.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { createAuth } from './accounts/auth.ts'
import { openKeyDirectory } from './accounts/key-directory.ts'
import { ATTEMPTS, createThrottle, VISITS } from './accounts/throttling.ts'
import { expireUnreadableKeys } from './accounts/tokens.ts'
import { createBatchService } from './coins/batches/batch-service.ts'
import { runBatches } from './coins/batches/run-batches.ts'
import { createFeeService } from './coins/serve/fee-service.ts'
import { measureIndexes } from './coins/serve/index-metrics.ts'
import { runCoins } from './coins/serve/run-coins.ts'
import type { CoinChain, Config } from './config/config.ts'
import { measureBacklog } from './control/alerts/backlog-metrics.ts'
import { runDeliver } from './control/alerts/run-deliver.ts'
import { createTelegram } from './control/alerts/telegram.ts'
import { openFeedStream } from './control/feed/feed-stream.ts'
import { runPoll } from './control/poll/run-poll.ts'
import { measureChains } from './control/watch/chain-metrics.ts'
import { runWatch } from './control/watch/run-watch.ts'
import type { Missing } from './http/about.ts'
import { createApp } from './http/app.ts'
import { listenOn } from './http/listen.ts'
import { createMonitor } from './http/monitor.ts'
import { type Clock, systemClock } from './lib/clock.ts'
import type { Logger } from './lib/log.ts'
import { createMetrics } from './lib/metrics.ts'
import { ownVersion } from './lib/version.ts'
import { forgetCounters, postgresCounters } from './platform/counters/postgres-counters.ts'
import { redisCounters } from './platform/counters/redis-counters.ts'
import { createTurnstile } from './platform/counters/turnstile.ts'
import { openDatabase } from './platform/database.ts'
import { measureConnections } from './platform/database-metrics.ts'
import { openGround } from './platform/ground.ts'
import { createMailer } from './platform/mail.ts'
import { isMigrated, readMigrations } from './platform/migrate.ts'
import { readsFrom } from './platform/replica.ts'
import { runMaintenance } from './traffic/partitions.ts'
import { openRequestLog } from './traffic/request-log.ts'
import { createBatchWriter } from './traffic/write-batches.ts'

export type Running = {
  readonly url: string
  readonly stop: () => Promise<void>
  /** While stopping: no longer waits for requests under way. */
  readonly hurry: () => void
}

/** Counters that anyone can make, of attempts to sign in and of visits, go this often. */
const FORGET_EVERY_MS = 3_600_000

/** A coin node that does not answer keeps the rest from being served no longer than this. */
const LOOK_PATIENCE_MS = 3_000

/** Requests still running when the program is told to stop, and mails still on their way, get this long to end. */
const DRAIN_MS = 10_000

export type StartOptions = {
  readonly config: Config
  readonly log: Logger
  readonly clock?: Clock
  /** What a demo cannot show here. */
  readonly missing?: readonly Missing[]
}

export async function start({ config, log, clock = systemClock, missing = [] }: StartOptions): Promise<Running> {
  const cleanups: (() => Promise<void> | void)[] = []
  let hurry = () => {}
  /** Everything that was opened, closed in the opposite order; one that fails does not keep the others open. */
  const stop = async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) {
      try {
        await cleanup()
      } catch (error) {
        log.warn({ err: error }, 'a part did not stop cleanly')
      }
    }
  }
  try {
    const { url: databaseUrl, database, authSecret, close } = await openGround({ config, log })
    cleanups.push(close)
    const metrics = createMetrics()
    const replica = config.databaseReadUrl === undefined ? undefined : openReplica(config.databaseReadUrl)
    const reads = replica === undefined ? database : readsFrom({ replica, primary: database, log, clock })
    measureConnections(metrics, { main: database, ...(replica !== undefined && { reads: replica }) })
    measureBacklog({ database, metrics })
    const migrations = readMigrations()
    const isReady = async () => {
      if (!(await isMigrated(database, migrations))) throw new Error('the database has another schema')
    }
    const mailer = config.mail === undefined ? undefined : createMailer(config.mail)
    if (mailer !== undefined) cleanups.push(mailer.close)
    /** What was answered already and is still being done. */
    const background = new Set<Promise<unknown>>()
    const inBackground = (task: Promise<unknown>) => {
      background.add(task)
      void task.finally(() => background.delete(task))
    }
    cleanups.push(async () => {
      await Promise.race([Promise.allSettled(background), pause(DRAIN_MS, undefined, { ref: false })])
    })
    const telegram = config.telegram === undefined ? undefined : createTelegram(config.telegram)
    const coins = runCoins(config, log)
    cleanups.push(coins.stop)
    if (config.roles.includes('watch')) cleanups.push((await runWatch({ database, log, clock, metrics }, config)).stop)
    if (config.roles.includes('poll')) cleanups.push(runPoll({ database, log, metrics }, config).stop)
    if (config.roles.includes('deliver')) {
      const outbound = { allowPrivate: config.alertAllowPrivate }
      const { publicUrl } = config
      cleanups.push(
        (
          await runDeliver({
            database,
            databaseUrl,
            publicUrl,
            clock,
            log,
            metrics,
            mailer,
            telegram,
            outbound,
            historyDays: config.alertHistoryDays,
          })
        ).stop,
      )
    }
    if (config.roles.includes('serve')) cleanups.push(await serve())
    else if (config.metricsPort !== undefined) cleanups.push(await monitor(config.metricsPort))
    return { url: config.publicUrl, stop, hurry: () => hurry() }

    async function serve() {
      const enabledChains = Object.keys(config.coinChains) as CoinChain[]
      measureChains({ database, clock, metrics }, config)
      measureIndexes(metrics, coins.served, enabledChains)
      const counters =
        config.redisUrl === undefined
          ? postgresCounters(database)
          : await redisCounters({ url: config.redisUrl, database, log })
      cleanups.push(counters.close)
      const directory = await openKeyDirectory({ database, url: databaseUrl, log })
      cleanups.push(directory.close)
      const feed = await openFeedStream({ database, url: databaseUrl, log })
      cleanups.push(feed.close)
      const turnstile = createTurnstile({ store: counters, clock })
      const forgetting = setInterval(() => void forget(), FORGET_EVERY_MS)
      cleanups.push(() => clearInterval(forgetting))
      const forget = () =>
        Promise.all([ATTEMPTS, VISITS].map((kind) => forgetCounters(database, kind))).catch((error: unknown) =>
          log.warn({ err: error }, 'old counters stay until the next time'),
        )
      cleanups.push(runMaintenance({ database, clock, log, days: config.requestLogDays }).stop)
      const requestLog = openRequestLog({ write: createBatchWriter(database), log, metrics })
      cleanups.push(requestLog.close)
      const auth = createAuth({
        database,
        secret: authSecret,
        publicUrl: config.publicUrl,
        origins: config.origins,
        mailer,
        log,
        inBackground,
      })
      await expireUnreadableKeys({ auth, database, log })
      const { feeService, batches } = serveBatches()
      const app = await createApp({
        auth,
        batches,
        throttle: createThrottle({ turnstile, clock }),
        allowPrivateTargets: config.alertAllowPrivate,
        clock,
        coins: coins.served,
        counters,
        database,
        directory,
        enabledChains,
        evmChains: config.evmChains,
        feed,
        feeService,
        installation: {
          demo: config.demo,
          mail: config.mail !== undefined,
          telegram: config.telegram !== undefined,
          missing,
        },
        isReady,
        log,
        mailer,
        telegram,
        metrics,
        publicUrl: config.publicUrl,
        origins: config.origins,
        proxies: config.proxies,
        reads,
        requestLog,
        turnstile,
        version: ownVersion(),
      })
      cleanups.push(async () => {
        hurry = () => app.server.closeAllConnections()
        const timer = setTimeout(hurry, DRAIN_MS)
        await app.close()
        clearTimeout(timer)
      })
      // Where processes share a port, a new one gets requests at once: it must not refuse what the others answer.
      await Promise.race([coins.firstAttempts, pause(LOOK_PATIENCE_MS, undefined, { ref: false })])
      const { host, port, sharePort: shared, publicUrl } = config
      await listenOn(app, { host, port, shared, says: `listening on ${publicUrl}` })
      return () => log.info('stopping')
    }

    /** One fee service for requests and batches, so that each mempool is projected once. */
    function serveBatches() {
      const feeService = createFeeService({ clock })
      const onError = (error: unknown) => log.warn({ err: error }, 'batch failed')
      const worker = runBatches({
        database,
        feeService,
        clock,
        chains: coins.served,
        outbound: { allowPrivate: config.alertAllowPrivate },
        log,
        onError,
      })
      cleanups.push(worker.stop)
      return {
        feeService,
        batches: createBatchService({ database, feeService, clock, onError, onQueued: worker.wake }),
      }
    }

    async function monitor(port: number) {
      const app = await createMonitor({ log, metrics, isReady })
      await listenOn(app, { host: config.host, port, says: `health and metrics on port ${port}` })
      return () => app.close()
    }

    function openReplica(url: string) {
      const opened = openDatabase({ url, log })
      cleanups.push(() => opened.end())
      return opened
    }
  } catch (error) {
    await stop()
    throw error
  }
}
