import { randomInt } from 'node:crypto'
import { COIN_CHAINS, type CoinChain, loadConfig } from '../../config/config.ts'
import { systemClock } from '../../lib/clock.ts'
import { type Command, type Given, RefusedError, UsageError } from '../command.ts'

/** The source and the place of the index of the chain named first. */
function sourceOf({ positionals: [name = ''] }: Given) {
  const chain = COIN_CHAINS.find((known): known is CoinChain => known === name)
  if (chain === undefined) throw new UsageError(`CHAIN must be one of ${COIN_CHAINS.join(', ')}`)
  const { coinChains, dataDir } = loadConfig(process.env, process.cwd())
  const settings = coinChains[chain]
  if (settings === undefined)
    throw new RefusedError(
      `${chain} is not configured: set ${chain.toUpperCase()}_RPC_URL or ${chain.toUpperCase()}_BLOCKS_DIR.`,
    )
  return { chain, dataDir, rpcUrl: settings.rpcUrl, blocksDir: settings.blocksDir }
}

export const verifyCommand: Command = {
  words: 'verify',
  positionals: ['CHAIN'],
  summary: "Compares the coin index with the node's own UTXO set",
  run: async (given) => {
    const source = sourceOf(given)
    const { verifyChain } = await import('../../coins/index/maintenance.ts')
    const result = await verifyChain(source, { clock: systemClock, randomBelow: randomInt })
    if (result === undefined)
      throw new RefusedError(
        `The index of ${source.chain} does not stand on the node's tip yet; try again when it has caught up.`,
      )
    const { height, coins, amount, scripts, differing, isSame, seconds } = result
    const lines = [
      `height ${height}: ${coins.index} coins in the index, ${coins.node} in the node`,
      `amount: ${amount.index} in the index, ${amount.node} in the node`,
      `${scripts} scripts compared coin by coin, ${differing.length} differ`,
      `${isSame ? 'They agree' : 'THEY DIFFER'} (${seconds.toFixed(1)} s).`,
    ]
    if (!isSame) throw new RefusedError(lines.join('\n'))
    return { json: result, lines }
  },
}

export const reindexCommand: Command = {
  words: 'reindex',
  positionals: ['CHAIN'],
  summary: 'Removes the coin index of a chain; the next start builds it anew (stop the service first)',
  run: async (given) => {
    const source = sourceOf(given)
    const { dropIndex } = await import('../../coins/index/maintenance.ts')
    const path = await dropIndex(source)
    return { json: { chain: source.chain, path }, lines: [`${path} is removed; the next start builds it anew.`] }
  },
}
