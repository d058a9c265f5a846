import { randomInt } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { demoNodesFile } from '../../coins/node/connect-source.ts'
import { BlockFilesError, NodeRefusedError, NodeUnreachableError } from '../../coins/node/node-errors.ts'
import { COIN_CHAINS, type CoinChain, type CoinChainConfig, loadConfig } from '../../config/config.ts'
import { systemClock, systemTiming } from '../../lib/clock.ts'
import { ownVersion } from '../../lib/version.ts'
import { type Arguments, type Command, RefusedError, UsageError } from '../command.ts'
import { progressBar } from '../progress-bar.ts'

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

/** Names the setting to check if the node does not respond, or refuses the credentials. */
async function withNode<T>(chain: CoinChain, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof BlockFilesError)
      throw new RefusedError(
        `The block files cannot be used (${error.message}). Check ${chain.toUpperCase()}_BLOCKS_DIR.`,
        { cause: error },
      )
    if (!(error instanceof NodeUnreachableError || error instanceof NodeRefusedError)) throw error
    throw new NodeUnreachableError(
      chain,
      `the node cannot be used (${error.message}). Check that it runs and that ${chain.toUpperCase()}_RPC_URL is right.`,
      error,
    )
  }
}

export const verifyCommand: Command = {
  name: 'verify',
  positionals: ['CHAIN'],
  summary: "Compare the coin index with the node's UTXO set",
  run: async (args) => {
    const source = sourceOf(args)
    const { verifyChain } = await import('../../coins/index/maintenance.ts')
    const result = await withNode(source.chain, verifyChain(source, { timing: systemTiming, randomBelow: randomInt }))
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
    const path = await withNode(source.chain, dropIndex(source))
    return { json: { chain: source.chain, path }, lines: [`Deleted ${path}. The next start rebuilds the index.`] }
  },
}

/** Runs `work` with a signal that Ctrl-C and SIGTERM abort, and a progress bar. */
async function interruptible<T>(
  chain: CoinChain,
  work: (signal: AbortSignal, bar: ReturnType<typeof progressBar>) => Promise<T>,
): Promise<T> {
  const stopping = new AbortController()
  const stop = (): void => stopping.abort(new RefusedError('Interrupted. Run the same command again to continue.'))
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, stop)
  const bar = progressBar({ clock: systemClock, screen: process.stderr })
  try {
    return await withNode(chain, work(stopping.signal, bar))
  } finally {
    bar.end()
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.removeListener(name, stop)
  }
}

const MB = 1_000_000

export const indexExportCommand: Command = {
  name: 'index export',
  positionals: ['CHAIN', 'FOLDER'],
  summary: 'Export the coin index of a chain, signed, for another machine; the service may run',
  run: async (args) => {
    const source = sourceOf(args)
    const folder = resolve(args.positionals[1] ?? '')
    const { exportChain } = await import('../../coins/index/maintenance.ts')
    const { key, tip, parts } = await interruptible(source.chain, (signal, bar) =>
      exportChain({
        ...source,
        folder,
        signal,
        version: ownVersion(),
        onProgress: (done, total) =>
          bar.show({ label: 'export', done: Math.ceil(done / MB), total: Math.ceil(total / MB), unit: 'MB' }),
      }),
    )
    const bytes = parts.reduce((sum, part) => sum + part.bytes, 0)
    return {
      json: { chain: source.chain, folder, tip, key, files: parts.length, bytes },
      lines: [
        `Exported ${source.chain} up to block ${tip.height} to ${folder}: ${parts.length} files, ${Math.ceil(bytes / MB)} MB.`,
        `Import it on another machine with: gatewatch index import ${source.chain} FOLDER --key ${key}`,
      ],
    }
  },
}

export const indexImportCommand: Command = {
  name: 'index import',
  positionals: ['CHAIN', 'FOLDER'],
  summary: 'Import an exported coin index instead of building it; compares every block with the node',
  options: { key: { type: 'string', value: 'KEY', help: 'the key that `index export` printed' } },
  run: async (args) => {
    const source = sourceOf(args)
    const folder = resolve(args.positionals[1] ?? '')
    const { importChain } = await import('../../coins/index/maintenance.ts')
    const { tip, comparedTo, resumedAfter, hasNextBlock, path } = await interruptible(source.chain, (signal, bar) =>
      importChain({
        ...source,
        folder,
        signal,
        key: args.text('key'),
        onProgress: ({ step, done, total }) => bar.show({ label: 'import', done, total, unit: step }),
      }),
    )
    return {
      json: { chain: source.chain, path, tip, comparedTo, resumedAfter, hasNextBlock },
      lines: [
        `Imported ${source.chain} up to block ${tip.height} into ${path}. The node has the same blocks up to ${comparedTo}.`,
        ...(comparedTo < tip.height
          ? [`The node has no later blocks yet. The service compares them as they arrive.`]
          : []),
        ...(hasNextBlock
          ? []
          : [`The node has not downloaded block ${tip.height + 1} yet. The index continues when it has.`]),
        `Start the service, then compare the coins with: gatewatch verify ${source.chain}`,
      ],
    }
  },
}
