import { checkIndex, type IndexCheck } from '../../coins/serve/index-status.ts'
import { type CoinChain, type CoinChainConfig, loadConfig } from '../../config/config.ts'
import { type Backlog, getBacklog } from '../../control/alerts/alert-messages.ts'
import { findChain } from '../../control/chains/chains.ts'
import { getChainStatuses, type OperatorChainStatus } from '../../control/watch/chain-status.ts'
import { getPollStatuses, type PollStatus } from '../../control/watch/chain-status-rows.ts'
import { requireSchema } from '../../platform/migrate.ts'
import { type Command, onGround } from '../command.ts'

export const statusCommand: Command = {
  words: 'status',
  summary: 'Shows each chain: head, last block read, lag, last look at state, last error; and alerts that wait',
  run: async () => {
    const config = loadConfig(process.env, process.cwd())
    const [control, looks, alerts] = await onGround(async ({ database }) => {
      await requireSchema(database)
      return await Promise.all([
        getChainStatuses({ database }, config, Date.now()),
        getPollStatuses(database, config.slotPollSeconds),
        getBacklog(database),
      ])
    }, 'none')
    const coins = await Promise.all(
      (Object.entries(config.coinChains) as [CoinChain, CoinChainConfig][]).map(([chain, { rpcUrl, blocksDir }]) =>
        checkIndex({ chain, rpcUrl, blocksDir, dataDir: config.dataDir }),
      ),
    )
    const lines = [
      ...control.flatMap((status) => [
        ...controlLines(status),
        ...lookLine(looks.find(({ chainId }) => chainId === findChain(status.chain)?.id)),
        ...errorLine(status.lastError),
      ]),
      ...coins.flatMap((index) => [coinLine(index), ...errorLine(index.lastError)]),
    ]
    const nothing = config.demo
      ? `The demo's chains are its own: while it runs, ${config.publicUrl}/status shows them.`
      : 'No chain is configured: set a chain’s RPC URL, see docs/operations.md.'
    return {
      json: { control, coins, looks, alerts },
      lines: [...(lines.length === 0 ? [nothing] : lines), ...alerts.map(alertLine)],
    }
  },
}

const words = (state: string): string => state.replaceAll('_', ' ')
const known = (figure: number | null): string => (figure === null ? 'unknown' : String(figure))
const errorLine = (error: string | null): readonly string[] => (error === null ? [] : [`${' '.repeat(10)}${error}`])

function controlLines(status: OperatorChainStatus): readonly string[] {
  const { chain, state, head, lastBlockRead, lag, verifiedTo, openJobs, endpoints, endpointsAgreeing } = status
  // What was so when somebody last looked is not how it is.
  const silence =
    status.seenAt === null ? 'no process has ever told of it' : `no process has told of it since ${status.seenAt}`
  const facts = [
    ...(state === 'not_watched' ? [silence] : []),
    `head ${known(head)}`,
    `read ${known(lastBlockRead)}`,
    `lag ${known(lag)}`,
    `verified to ${known(verifiedTo)}`,
    ...(openJobs > 0 ? [`backfill jobs ${openJobs}`] : []),
    ...(endpoints === null ? [] : [`endpoints agreeing ${known(endpointsAgreeing)} of ${endpoints}`]),
  ]
  return [`${chain.padEnd(9)} ${words(state)}: ${facts.join(', ')}`]
}

function coinLine({ chain, state, indexHeight, nodeHeight, lag }: IndexCheck): string {
  const facts = `node ${known(nodeHeight)}, index ${known(indexHeight)}, lag ${known(lag)}`
  return `${chain.padEnd(9)} ${state === 'unknown' ? 'cannot be looked at:' : `${words(state)}: ${facts}`}`
}

function lookLine(looks: PollStatus | undefined): readonly string[] {
  if (looks === undefined) return []
  const { contracts, lastAt, overdue } = looks
  const last = lastAt === null ? 'never' : lastAt.toISOString()
  return [`${' '.repeat(10)}state of ${contracts} contracts: last looked at ${last}, overdue ${overdue}`]
}

const alertLine = ({ channel, waiting, oldestSeconds, overdueSeconds }: Backlog): string =>
  `alerts by ${channel}: waiting ${waiting}, oldest ${Math.round(oldestSeconds)} s, overdue ${Math.round(overdueSeconds)} s`
