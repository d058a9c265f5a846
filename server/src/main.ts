/**
 * The composition root: opens what all roles share, then starts the roles of this process. Every other file gets its
 * dependencies as arguments.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { createAuth } from './accounts/auth.ts'
import { openKeyDirectory } from './accounts/key-directory.ts'
import { createKnownDevices } from './accounts/known-devices.ts'
import { createPasswordHashing } from './accounts/password-hashing.ts'
import { ATTEMPTS, createMailLimit, createThrottle, VISITS } from './accounts/throttling.ts'
import { expireUnreadableKeys } from './accounts/tokens.ts'
import { createBatchService } from './coins/batches/batch-service.ts'
import { runBatches } from './coins/batches/run-batches.ts'
import { createFeeService } from './coins/serve/fee-service.ts'
import { measureIndexes, measureLoops } from './coins/serve/index-status.ts'
import { type RunningCoins, runCoins } from './coins/serve/run-coins.ts'
import { openCoinEventTail } from './coins/subscriptions/event-tail.ts'
import { runSubscriptions } from './coins/subscriptions/run-subscriptions.ts'
import { createKeptWallets } from './coins/wallets/kept-wallets.ts'
import type { CoinChain, Config } from './config/config.ts'
import { measureBacklog } from './control/alerts/alert-metrics.ts'
import { coinAlerts } from './control/alerts/coin-alerts.ts'
import { runDeliver } from './control/alerts/run-deliver.ts'
import { createTelegram, type Telegram } from './control/alerts/telegram.ts'
import { addChains } from './control/chains/chains.ts'
import { openFeedStream } from './control/feed/feed-stream.ts'
import { createPublicationTail } from './control/feed/publication-tail.ts'
import { runPending } from './control/pending/run-pending.ts'
import { runPoll } from './control/poll/run-poll.ts'
import { createEndpointLog } from './control/rpc/endpoint-log.ts'
import { createNameResolver } from './control/rpc/ens.ts'
import { measureChains } from './control/watch/chain-status.ts'
import { runWatch } from './control/watch/run-watch.ts'
import type { MissingPart } from './http/about.ts'
import { createApp } from './http/app.ts'
import { runChainDays } from './http/chain-days.ts'
import { createMonitor } from './http/health.ts'
import { listenOn } from './http/listen.ts'
import { coinHealth, createHealth, type Health } from './http/readiness.ts'
import { type Clock, systemClock, systemTiming } from './lib/clock.ts'
import type { Logger } from './lib/log.ts'
import { createMetrics, type Metrics } from './lib/metrics.ts'
import { ownVersion } from './lib/version.ts'
import { deleteIdleCounters, postgresCounters } from './platform/counters/postgres-counters.ts'
import { createRateLimiter } from './platform/counters/rate-limiter.ts'
import { redisCounters } from './platform/counters/redis-counters.ts'
import { type Database, measureConnections, openDatabase, type ReadDatabase } from './platform/database.ts'
import { createMailer, type Mailer } from './platform/mail.ts'
import { readMigrations } from './platform/migrate.ts'
import type { TargetRules } from './platform/outbound.ts'
import { openPlatform } from './platform/platform.ts'
import { measureRoles, neededRoles, reportProcess } from './platform/processes.ts'
import { preferReplica } from './platform/replica.ts'
import { runMaintenance } from './traffic/partitions.ts'
import { openRequestLog } from './traffic/request-log.ts'
import { createBatchWriter } from './traffic/write-batches.ts'

export type Running = {
  readonly url: string
  readonly stop: () => Promise<void>
  /** During a stop: closes the connections of requests that still run. */
  readonly forceStop: () => void
}

export type StartOptions = {
  readonly config: Config
  readonly log: Logger
  readonly clock?: Clock
  /** The parts that the demo cannot run on this machine. */
  readonly missing?: readonly MissingPart[]
}

/** What the roles of one process share. */
export type Context = Required<StartOptions> & {
  readonly database: Database
  readonly databaseUrl: string
  /** For responses that may be slightly stale: the replica if there is one. */
  readonly reads: ReadDatabase
  readonly authSecret: string
  readonly metrics: Metrics
  readonly health: Health
  readonly mailer: Mailer | undefined
  readonly telegram: Telegram | undefined
  readonly coins: RunningCoins
  /** Runs a task that no response waits for. A stop waits for it. */
  readonly inBackground: (task: Promise<unknown>) => void
  /** Closes what was opened, in reverse order. A failure does not keep the rest open. */
  readonly cleanups: AsyncDisposableStack
}

const DELETE_COUNTERS_EVERY_MS = 3_600_000

/** The longest wait for the coin nodes before the process listens. */
const COIN_START_MS = 3_000

/** How long a stop waits for running requests and for background tasks. */
const DRAIN_MS = 10_000

/** Starts the roles of this process. Whatever was opened is closed again if one of them fails to start. */
export async function start(options: StartOptions): Promise<Running> {
  const { config, log } = options
  const cleanups = new AsyncDisposableStack()
  const stop = () =>
    cleanups
      .disposeAsync()
      .catch((error: unknown) => log.warn({ err: error }, 'a part of the process did not stop cleanly'))
  try {
    const context = await openContext({ clock: systemClock, missing: [], ...options }, cleanups)
    if (config.roles.includes('watch')) await startWatch(context)
    if (config.roles.includes('poll')) startPoll(context)
    if (config.roles.includes('deliver')) await startDeliver(context)
    const { roles } = config
    cleanups.defer(reportProcess({ ...context, roles, findFaults: context.health.findFaults }).stop)
    await startMetrics(context)
    const forceStop = roles.includes('serve') ? await startServe(context) : () => {}
    log.info(`started: ${roles.join(', ')}`)
    return { url: config.publicUrl, stop, forceStop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function openContext(options: Required<StartOptions>, cleanups: AsyncDisposableStack): Promise<Context> {
  const { config, log, clock } = options
  addChains(config.chains)
  const { url: databaseUrl, database, authSecret, close } = await openPlatform({ config, log })
  cleanups.defer(close)
  const metrics = createMetrics()
  const replica =
    config.databaseReadUrl === undefined
      ? undefined
      : openDatabase({ url: config.databaseReadUrl, log, connections: config.databaseConnections })
  if (replica !== undefined) cleanups.defer(() => replica.end())
  const reads = replica === undefined ? database : preferReplica({ replica, primary: database, log, clock })
  measureConnections(metrics, { main: database, ...(replica !== undefined && { reads: replica }) })
  measureBacklog({ database, metrics })
  const health = createHealth({ database, migrations: readMigrations() }, config)
  measureRoles(metrics, database, neededRoles(config))
  const mailer = config.mail === undefined ? undefined : createMailer(config.mail)
  if (mailer !== undefined) cleanups.defer(mailer.close)
  const background = new Set<Promise<unknown>>()
  cleanups.defer(async () => {
    await Promise.race([Promise.allSettled(background), pause(DRAIN_MS, undefined, { ref: false })])
  })
  // The role `index` writes the coin indexes, the role `serve` reads them.
  const coins = runCoins(config, log)
  cleanups.defer(coins.stop)
  measureLoops(metrics, coins, clock)
  for (const part of coinHealth(coins, config, clock)) health.add(part)
  return {
    ...options,
    database,
    databaseUrl,
    reads,
    authSecret,
    metrics,
    health,
    mailer,
    telegram: config.telegram === undefined ? undefined : createTelegram(config.telegram),
    coins,
    inBackground: (task) => {
      background.add(task)
      void task.finally(() => background.delete(task))
    },
    cleanups,
  }
}

/** Reads control events of the EVM chains. */
async function startWatch(context: Context): Promise<void> {
  const watching = await runWatch(context, context.config)
  context.cleanups.defer(watching.stop)
  const held = () => [...watching.status().values()].filter(({ holdsLease }) => holdsLease).length
  context.health.add({
    role: 'watch',
    findFaults: watching.faults,
    isDown: (faults) => faults.length > 0 && faults.length === held(),
  })
}

/** Polls the state of contracts, and keeps queued changes up to date. */
function startPoll(context: Context): void {
  for (const { faults, stop } of [runPoll(context, context.config), runPending(context, context.config)]) {
    context.cleanups.defer(stop)
    context.health.add({ role: 'poll', findFaults: faults, isDown: () => false })
  }
}

/** The targets of webhooks that this installation allows. */
const targetsOf = (config: Config): TargetRules => ({
  allowPrivate: config.alertAllowPrivate,
  ownTargets: config.ownTargets,
})

/** Sends alerts. */
async function startDeliver({ config, cleanups, ...context }: Context): Promise<void> {
  const outbound = targetsOf(config)
  const { publicUrl, alertHistoryDays: historyDays } = config
  const delivering = await runDeliver({ ...context, publicUrl, outbound, historyDays })
  cleanups.defer(delivering.stop)
  context.health.add({ role: 'deliver', findFaults: delivering.faults, isDown: () => false })
}

/** Serves HTTP and analyzes batches. Returns a function that closes all connections. */
async function startServe(context: Context): Promise<() => void> {
  const { config, log, clock, database, databaseUrl, metrics, coins, mailer, telegram, cleanups } = context
  const enabledChains = Object.keys(config.coinChains) as CoinChain[]
  measureChains({ database, clock, metrics }, config)
  measureIndexes(metrics, coins.served, enabledChains)
  const counters =
    config.redisUrl === undefined
      ? postgresCounters(database)
      : await redisCounters({ url: config.redisUrl, database, log })
  cleanups.defer(counters.close)
  // Without its counters the process refuses every request with a key.
  const { findFaults } = counters
  if (findFaults !== undefined) context.health.add({ role: 'serve', findFaults, isDown: (found) => found.length > 0 })
  const rateLimiter = createRateLimiter({ store: counters, clock, log })
  cleanups.defer(rateLimiter.close)
  const directory = await openKeyDirectory({ database, url: databaseUrl, clock, log })
  cleanups.defer(directory.close)
  const publications = createPublicationTail({ database, log })
  cleanups.defer(publications.close)
  const feed = await openFeedStream({ database, url: databaseUrl, log, onEvents: publications.wake })
  cleanups.defer(feed.close)
  const coinEvents = await openCoinEventTail({ database, url: databaseUrl, log })
  cleanups.defer(coinEvents.close)
  startCounterDeletion(context)
  startSubscriptions(context)
  cleanups.defer(runMaintenance({ database, clock, log, days: config.requestLogDays }).stop)
  const requestLog = openRequestLog({ write: createBatchWriter(database), log, metrics })
  cleanups.defer(requestLog.close)
  const { publicUrl, origins } = config
  const report = createEndpointLog({ log, clock })
  const names = createNameResolver({ timing: systemTiming, report }, config.evmChains)
  cleanups.defer(names.close)
  const hashing = createPasswordHashing()
  const mailLimit = createMailLimit({ rateLimiter })
  const auth = createAuth({ ...context, secret: context.authSecret, publicUrl, origins, hashing, mailLimit })
  await expireUnreadableKeys({ auth, database, log })
  const app = await createApp({
    ...startBatches(context),
    targets: targetsOf(config),
    auth,
    clock,
    coinEvents,
    coins: coins.served,
    counters,
    database,
    devices: createKnownDevices(context.authSecret),
    directory,
    enabledChains,
    evmChains: config.evmChains,
    feed,
    hashing,
    installation: {
      contact: config.contact,
      demo: config.demo,
      mail: mailer !== undefined,
      telegram: telegram !== undefined,
      missing: context.missing,
    },
    isReady: context.health.isReady,
    servesMetrics: config.publicMetrics,
    log,
    mailLimit,
    mailer,
    metrics,
    names,
    operatorTwoFactor: config.operatorTwoFactor,
    origins,
    proxies: config.proxies,
    publications,
    publicUrl,
    reads: context.reads,
    requestLog,
    telegram,
    throttle: createThrottle({ rateLimiter, clock }),
    rateLimiter,
    version: ownVersion(),
  })
  const { evmChains } = config
  const { served } = coins
  cleanups.defer(runChainDays({ database, clock, log, coins: served, evmChains, enabledChains }).stop)
  const closeConnections = () => app.server.closeAllConnections()
  cleanups.defer(async () => {
    const timer = setTimeout(closeConnections, DRAIN_MS)
    await app.close()
    clearTimeout(timer)
  })
  // A process that shares its port gets requests as soon as it listens, so it waits for its coin chains first.
  await Promise.race([coins.firstAttempts, pause(COIN_START_MS, undefined, { ref: false })])
  const { host, port, sharePort: shared } = config
  await listenOn(app, { host, port, shared, message: `listening on ${publicUrl}` })
  cleanups.defer(() => log.info('stopping'))
  return closeConnections
}

/** Starts the batch worker. Requests and batches share one fee service, so that each mempool is projected once. */
function startBatches({ config, log, clock, database, coins, cleanups }: Context) {
  const feeService = createFeeService({ clock })
  const onError = (error: unknown) => log.warn({ err: error }, 'batch failed')
  const worker = runBatches({
    database,
    feeService,
    clock,
    chains: coins.served,
    outbound: targetsOf(config),
    log,
    onError,
  })
  cleanups.defer(worker.stop)
  return {
    feeService,
    batches: createBatchService({ database, feeService, clock, onError, onQueued: worker.wake }),
    keptWallets: createKeptWallets({ database, clock }),
  }
}

/** Matches the transactions of the coin chains with subscriptions. One process does so for each chain, by lease. */
function startSubscriptions({ config, coins, cleanups, health, ...context }: Context): void {
  const chains = Object.keys(config.coinChains) as CoinChain[]
  const { served } = coins
  const { alertHistoryDays: historyDays } = config
  const running = runSubscriptions({ ...context, chains, served, alerts: coinAlerts, historyDays })
  cleanups.defer(running.stop)
  health.add({ role: 'serve', findFaults: running.faults, isDown: () => false })
}

/** Deletes the counters of sign-in attempts and visitors of past days. Without this anyone could fill the table. */
function startCounterDeletion({ database, log, cleanups }: Context): void {
  const deleteOld = () =>
    Promise.all([ATTEMPTS, VISITS].map((prefix) => deleteIdleCounters(database, prefix))).catch((error: unknown) =>
      log.warn({ err: error }, 'cannot delete old counters; trying again in an hour'),
    )
  const timer = setInterval(() => void deleteOld(), DELETE_COUNTERS_EVERY_MS)
  cleanups.defer(() => clearInterval(timer))
}

/** Serves health and metrics of this process on a port of its own, if METRICS_PORT is set. */
async function startMetrics({ config, log, metrics, health, cleanups }: Context): Promise<void> {
  const { metricsHost: host, metricsPort: port } = config
  if (port === undefined) return
  const app = await createMonitor({ log, metrics, isReady: health.isReady })
  cleanups.defer(async () => {
    app.server.closeAllConnections()
    await app.close()
  })
  await listenOn(app, { host, port, prefix: 'METRICS_', message: `health and metrics on ${host}:${port}` })
}
