import { STATE_FIELD_NAMES } from '../../../../vocabulary/event-templates.ts'
import { checkIndex, type IndexCheck } from '../../coins/serve/index-status.ts'
import { type CoinChain, type CoinChainConfig, type Config, loadConfig } from '../../config/config.ts'
import { type Backlog, getBacklog } from '../../control/alerts/alert-messages.ts'
import { findChain } from '../../control/chains/chains.ts'
import { getLastingDisagreements, type LastingDisagreement } from '../../control/poll/disagreements.ts'
import {
  getChainStatuses,
  getPollStatuses,
  type OperatorChainStatus,
  type PollStatus,
} from '../../control/watch/chain-status.ts'
import { type DeliveryHold, findDeliveryHold } from '../../platform/deliveries/delivery-hold.ts'
import { requireSchema } from '../../platform/migrate.ts'
import {
  describeMissingRole,
  getProcesses,
  neededRoles,
  type ServiceProcess,
  statusOfRoles,
} from '../../platform/processes.ts'
import { type Command, withPlatform } from '../command.ts'

export const statusCommand: Command = {
  name: 'status',
  summary: 'Show the head, last block, lag, last poll and last error of each chain, and the waiting alerts',
  run: async () => {
    const config = loadConfig(process.env, process.cwd())
    const [control, polls, disagreements, alerts, hold, processes] = await withPlatform(async ({ database }) => {
      await requireSchema(database)
      return await Promise.all([
        getChainStatuses({ database }, config, Date.now()),
        getPollStatuses(database, config.slotPollSeconds),
        getLastingDisagreements(database),
        getBacklog(database),
        findDeliveryHold(database),
        getProcesses(database),
      ])
    }, 'read')
    const coins = await Promise.all(
      (Object.entries(config.coinChains) as [CoinChain, CoinChainConfig][]).map(([chain, source]) =>
        checkIndex({ chain, ...source, dataDir: config.dataDir }),
      ),
    )
    const lines = [
      ...control.flatMap((status) => [
        ...controlLines(status),
        ...pollLine(polls.find(({ chainId }) => chainId === findChain(status.chain)?.id)),
        ...disagreements.filter(({ chainId }) => chainId === findChain(status.chain)?.id).map(disagreementLine),
        ...errorLine(status.lastError),
      ]),
      ...coins.flatMap((index) => [coinLine(index), ...errorLine(index.lastError)]),
    ]
    const nothing = config.demo
      ? 'The demo uses its own chains. While it runs, see the page /status at the address that it printed.'
      : 'No chain is configured. Set the RPC URL of a chain, for example ETHEREUM_RPC_URL (see docs/operations.md).'
    return {
      json: { control, coins, polls, disagreements, alerts, processes, deliveriesHeld: hold ?? null },
      lines: [
        ...(lines.length === 0 ? [nothing] : lines),
        ...(config.demo ? [] : processLines(config, processes)),
        ...(hold === undefined ? [] : [holdLine(hold)]),
        ...alerts.map(alertLine),
      ],
    }
  },
}

const stateText = (state: string): string => state.replaceAll('_', ' ')
const known = (figure: number | null): string => (figure === null ? 'unknown' : String(figure))
/** `since 2026-01-01T00:00:00.000Z (70 s)`. */
const ageText = (instant: string | null): string =>
  instant === null ? 'yet' : `since ${instant} (${Math.round((Date.now() - Date.parse(instant)) / 1_000)} s)`
const errorLine = (error: string | null): readonly string[] => (error === null ? [] : [`${' '.repeat(10)}${error}`])

function controlLines(status: OperatorChainStatus): readonly string[] {
  const { chain, state, head, lastBlockRead, lag, verifiedTo, openJobs, endpoints, endpointsAgreeing } = status
  // The figures may be old: no process updates them.
  const silence =
    status.seenAt === null ? 'never watched by a process' : `last watched by a process at ${status.seenAt}`
  const facts = [
    ...(state === 'not_watched' ? [silence] : []),
    ...(state === 'unreachable' ? [`no endpoint has returned the head ${ageText(status.headAt)}`] : []),
    `head ${known(head)}`,
    `last block read ${known(lastBlockRead)}`,
    `lag ${known(lag)}`,
    `verified to ${known(verifiedTo)}`,
    ...(openJobs > 0 ? [`open backfill jobs ${openJobs}`] : []),
    ...(endpoints === null ? [] : [`endpoints in agreement ${known(endpointsAgreeing)} of ${endpoints}`]),
  ]
  return [`${chain.padEnd(9)} ${stateText(state)}: ${facts.join(', ')}`]
}

function coinLine({ chain, state, indexHeight, nodeHeight, lag }: IndexCheck): string {
  const facts = `node ${known(nodeHeight)}, index ${known(indexHeight)}, lag ${known(lag)}`
  return `${chain.padEnd(9)} ${state === 'unknown' ? 'cannot be checked:' : `${stateText(state)}: ${facts}`}`
}

function pollLine(polls: PollStatus | undefined): readonly string[] {
  if (polls === undefined) return []
  const { contracts, lastAt, overdue } = polls
  const last = lastAt === null ? 'never' : lastAt.toISOString()
  return [`${' '.repeat(10)}${contracts} contracts: last poll ${last}, overdue ${overdue}`]
}

function disagreementLine({ address, field, since, values }: LastingDisagreement): string {
  const shown = values.map(({ endpoint, value }) => `${endpoint} returns ${value ?? 'none'}`)
  const name = STATE_FIELD_NAMES[field] ?? field
  return `${' '.repeat(10)}endpoints disagree about ${address} since ${since.toISOString()}: ${name}, ${shown.join(', ')}`
}

/** Roles without a process, and the faults of every process. They go when they are over. */
function processLines(config: Config, processes: readonly ServiceProcess[]): readonly string[] {
  const missing = statusOfRoles(neededRoles(config), processes).flatMap(
    (role) => describeMissingRole(role, Date.now()) ?? [],
  )
  const faults = processes
    .filter(({ isRunning }) => isRunning)
    .flatMap(({ host, pid, faults: found }) =>
      found.map(
        ({ part, reason, since }) =>
          `${part}: does not work ${ageText(new Date(since).toISOString())}: ${reason} (process ${pid} on ${host})`,
      ),
    )
  return [...missing, ...faults]
}

const holdLine = ({ reason, since }: DeliveryHold): string =>
  `deliveries are held since ${since.toISOString()}: ${reason} Run \`gatewatch deliveries resume\` to send them.`

const alertLine = ({ channel, waiting, oldestSeconds, overdueSeconds }: Backlog): string =>
  `${channel} alerts: ${waiting} waiting, oldest ${Math.round(oldestSeconds)} s, overdue by ${Math.round(overdueSeconds)} s`
