import { randomInt } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { demoNodesFile } from '../../coins/node/connect-source.ts'
import { COIN_CHAINS, type CoinChain, type CoinChainConfig, loadConfig } from '../../config/config.ts'
import { systemTiming } from '../../lib/clock.ts'
import { type Arguments, type Command, RefusedError, UsageError } from '../command.ts'

const demoNodes = z.partialRecord(z.enum(COIN_CHAINS), z.url())

/** Returns the source and the data folder of the coin chain in the first argument. */
function sourceOf({ positionals: [name = ''] }: Arguments) {
  const chain = COIN_CHAINS.find((known): known is CoinChain => known === name)
  if (chain === undefined) throw new UsageError(`Unknown chain "${name}". Use ${COIN_CHAINS.join(' or ')}.`)
  const { coinChains, dataDir } = loadConfig(process.env, process.cwd())
  const settings: CoinChainConfig = coinChains[chain] ?? { rpcUrl: findDemoNode(dataDir, chain) }
  if (settings.rpcUrl === undefined && settings.blocksDir === undefined)
    throw new RefusedError(
      `${chain} is not configured. Set ${chain.toUpperCase()}_RPC_URL or ${chain.toUpperCase()}_BLOCKS_DIR.`,
    )
  return { chain, dataDir, ...settings }
}

/** The URL of a node of the demo that runs on this data folder; undefined if none runs. */
function findDemoNode(dataDir: string, chain: CoinChain): string | undefined {
  const file = demoNodesFile(dataDir)
  if (!existsSync(file)) return undefined
  return demoNodes.parse(JSON.parse(readFileSync(file, 'utf8')))[chain]
}

export const verifyCommand: Command = {
  name: 'verify',
  positionals: ['CHAIN'],
  summary: "Compare the coin index with the node's UTXO set",
  run: async (args) => {
    const source = sourceOf(args)
    const { verifyChain } = await import('../../coins/index/maintenance.ts')
    const result = await verifyChain(source, { timing: systemTiming, randomBelow: randomInt })
    if (result === undefined)
      throw new RefusedError(
        `The ${source.chain} index has not reached the node's tip. Try again when it has caught up.`,
      )
    const { height, coins, amount, scripts, differing, isSame, seconds } = result
    const lines = [
      `height ${height}: ${coins.index} coins in the index, ${coins.node} in the node`,
      `amount: ${amount.index} in the index, ${amount.node} in the node`,
      `${scripts} scripts compared coin by coin, ${differing.length} differ`,
      `${isSame ? 'The index matches the node' : 'THE INDEX DIFFERS FROM THE NODE'} (${seconds.toFixed(1)} s).`,
    ]
    if (!isSame) throw new RefusedError(lines.join('\n'))
    return { json: result, lines }
  },
}

export const reindexCommand: Command = {
  name: 'reindex',
  positionals: ['CHAIN'],
  summary: 'Delete the coin index of a chain; the next start rebuilds it (refused while the service runs)',
  run: async (args) => {
    const source = sourceOf(args)
    const { dropIndex } = await import('../../coins/index/maintenance.ts')
    const path = await dropIndex(source)
    return { json: { chain: source.chain, path }, lines: [`Deleted ${path}. The next start rebuilds the index.`] }
  },
}
