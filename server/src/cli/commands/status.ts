import { lookAtIndex } from '../../coins/api/index-status.ts'
import { type CoinChain, type CoinChainConfig, loadConfig } from '../../config/config.ts'
import { getChainStatuses, type OperatorChainStatus } from '../../control/api/chain-status.ts'
import { type Command, onGround } from '../command.ts'

export const statusCommand: Command = {
  words: 'status',
  summary: 'Shows each chain: head, last block read, lag, last error',
  run: async () => {
    const config = loadConfig(process.env, process.cwd())
    const control = await onGround(({ database }) => getChainStatuses({ database }, config, Date.now()))
    const coins = await Promise.all(
      (Object.entries(config.coinChains) as [CoinChain, CoinChainConfig][]).map(([chain, { rpcUrl, blocksDir }]) =>
        lookAtIndex({ chain, rpcUrl, blocksDir, dataDir: config.dataDir }),
      ),
    )
    const lines = [
      ...control.flatMap(controlLines),
      ...coins.flatMap(({ chain, state, indexHeight, nodeHeight, lag, lastError }) => [
        `${chain.padEnd(9)} ${words(state)}: node ${known(nodeHeight)}, index ${known(indexHeight)}, lag ${known(lag)}`,
        ...errorLine(lastError),
      ]),
    ]
    const nothing = 'No chain is configured: set a chain’s RPC URL, see docs/operations.md.'
    return { json: { control, coins }, lines: lines.length === 0 ? [nothing] : lines }
  },
}

const words = (state: string): string => state.replaceAll('_', ' ')
const known = (figure: number | null): string => (figure === null ? 'unknown' : String(figure))
const errorLine = (error: string | null): readonly string[] => (error === null ? [] : [`${' '.repeat(10)}${error}`])

function controlLines(status: OperatorChainStatus): readonly string[] {
  const { chain, state, head, lastBlockRead, lag, readTwiceTo, historyJobsOpen, endpoints, endpointsAgreeing } = status
  const facts = [
    `head ${known(head)}`,
    `read ${known(lastBlockRead)}`,
    `lag ${known(lag)}`,
    `read twice to ${known(readTwiceTo)}`,
    ...(historyJobsOpen > 0 ? [`history jobs ${historyJobsOpen}`] : []),
    ...(endpoints === null ? [] : [`endpoints agreeing ${known(endpointsAgreeing)} of ${endpoints}`]),
  ]
  return [`${chain.padEnd(9)} ${words(state)}: ${facts.join(', ')}`, ...errorLine(status.lastError)]
}
