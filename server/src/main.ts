/**
 * The composition root: config → stores → loops → HTTP. Nothing else in the program makes its own dependencies.
 */
import type { FastifyInstance } from 'fastify'
import { ATTEMPTS, createThrottle } from './accounts/api/throttle.ts'
import { createAuth } from './accounts/auth.ts'
import { openKeyDirectory } from './accounts/key-directory.ts'
import { measureIndexes } from './coins/api/index-metrics.ts'
import { runCoins } from './coins/api/run-coins.ts'
import type { CoinChain, Config } from './config/config.ts'
import { measureChains } from './control/api/chain-metrics.ts'
import { runPoll } from './control/poll/run-poll.ts'
import { runWatch } from './control/watch/run-watch.ts'
import { createApp } from './http/app.ts'
import { type Clock, systemClock } from './lib/clock.ts'
import { GatewatchError, systemCodeOf } from './lib/errors.ts'
import type { Logger } from './lib/log.ts'
import { createMetrics } from './lib/metrics.ts'
import { ownVersion } from './lib/version.ts'
import { forgetCounters, postgresCounters } from './platform/counters/postgres-counters.ts'
import { redisCounters } from './platform/counters/redis-counters.ts'
import { createTurnstile } from './platform/counters/turnstile.ts'
import { measureConnections } from './platform/database-metrics.ts'
import { openGround } from './platform/ground.ts'
import { createMailer } from './platform/mail.ts'
import { isMigrated, readMigrations } from './platform/migrate.ts'
import { keepMaintaining } from './traffic/maintain-log.ts'
import { openRequestLog } from './traffic/request-log.ts'
import { createBatchWriter } from './traffic/store/batches.ts'

export type Running = {
  readonly url: string
  readonly stop: () => Promise<void>
  /** While stopping: no longer waits for requests under way. */
  readonly hurry: () => void
}

export class ListenError extends GatewatchError {
  override readonly code = 'cannot_listen'
  override readonly retryable = false
  constructor(host: string, port: number, cause: unknown) {
    const reason: Readonly<Record<string, string>> = {
      EADDRINUSE: 'another program listens there already; stop it or set PORT to another one',
      EACCES: 'this account may not use that port; set PORT to one above 1023',
      EADDRNOTAVAIL: 'this machine has no such address; set HOST to one it has',
    }
    super(
      `Cannot listen on ${host}:${port}: ${reason[systemCodeOf(cause) ?? ''] ?? 'the address cannot be used; check HOST and PORT'}.`,
      { cause },
    )
  }
}

/** Counters of attempts to sign in, which anyone can make, go this often. */
const FORGET_EVERY_MS = 3_600_000

/** Requests still running when the program is told to stop get this long to end. */
const DRAIN_MS = 10_000

export type StartOptions = { readonly config: Config; readonly log: Logger; readonly clock?: Clock }

export async function start({ config, log, clock = systemClock }: StartOptions): Promise<Running> {
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
    measureConnections(metrics, { main: database })
    const coins = runCoins(config, log)
    cleanups.push(coins.stop)
    if (config.roles.includes('watch')) cleanups.push((await runWatch({ database, log, clock, metrics }, config)).stop)
    if (config.roles.includes('poll')) cleanups.push(runPoll({ database, log, metrics }, config).stop)
    if (config.roles.includes('serve')) cleanups.push(await serve())
    return { url: config.publicUrl, stop, hurry: () => hurry() }

    async function serve() {
      const enabledChains = Object.keys(config.coinChains) as CoinChain[]
      measureChains({ database, clock, metrics }, config)
      measureIndexes(metrics, coins.served, enabledChains)
      const mailer = config.mail === undefined ? undefined : createMailer(config.mail)
      if (mailer !== undefined) cleanups.push(mailer.close)
      const counters =
        config.redisUrl === undefined
          ? postgresCounters(database)
          : await redisCounters({ url: config.redisUrl, database, log })
      cleanups.push(counters.close)
      const directory = await openKeyDirectory({ database, url: databaseUrl, log })
      cleanups.push(directory.close)
      const turnstile = createTurnstile({ store: counters, clock })
      const forgetting = setInterval(() => void forget(), FORGET_EVERY_MS)
      cleanups.push(() => clearInterval(forgetting))
      const forget = () =>
        forgetCounters(database, ATTEMPTS).catch((error: unknown) =>
          log.warn({ err: error }, 'old counters stay until the next time'),
        )
      cleanups.push(keepMaintaining({ database, clock, log, days: config.requestLogDays }).stop)
      const requestLog = openRequestLog({ write: createBatchWriter(database), log, metrics })
      cleanups.push(requestLog.close)
      const migrations = readMigrations()
      const app = await createApp({
        auth: createAuth({
          database,
          secret: authSecret,
          publicUrl: config.publicUrl,
          origins: config.origins,
          mailer,
          log,
        }),
        throttle: createThrottle({ turnstile, clock }),
        allowPrivateTargets: config.alertAllowPrivate,
        clock,
        coins: coins.served,
        counters,
        database,
        directory,
        enabledChains,
        evmChains: config.evmChains,
        isReady: async () => {
          if (!(await isMigrated(database, migrations))) throw new Error('the database has another schema')
        },
        log,
        metrics,
        publicUrl: config.publicUrl,
        origins: config.origins,
        proxies: config.proxies,
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
      await listenOn(app, config)
      return () => log.info('stopping')
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A predecessor that is just ending (its `npm start` was killed) frees the port within moments. */
const PORT_PATIENCE_MS = 3_000

async function listenOn(app: FastifyInstance, { host, port, publicUrl }: Config): Promise<void> {
  const deadline = Date.now() + PORT_PATIENCE_MS
  for (;;) {
    try {
      await app.listen({ host, port, listenTextResolver: () => `listening on ${publicUrl}` })
      return
    } catch (error) {
      if (systemCodeOf(error) !== 'EADDRINUSE' || Date.now() > deadline) throw new ListenError(host, port, error)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
