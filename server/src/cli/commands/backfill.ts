import { loadConfig, variablePrefix } from '../../config/config.ts'
import { backfillChain } from '../../control/watch/backfill-command.ts'
import { systemClock } from '../../lib/clock.ts'
import { createLogger } from '../../lib/log.ts'
import { type Command, chainArgument, RefusedError, required, UsageError, withPlatform } from '../command.ts'
import { countOf, progressBar } from '../progress-bar.ts'

export const backfillCommand: Command = {
  name: 'backfill',
  positionals: ['CHAIN'],
  summary: 'Read earlier history of a chain, with or without a running service; can be interrupted and continued',
  options: { from: { type: 'string', value: 'BLOCK', help: 'first block to read' } },
  run: async (args) => {
    const chain = chainArgument(args.positionals[0] ?? '')
    const from = blockOf(required('from', args.text('from')))
    const config = loadConfig(process.env, process.cwd())
    if (config.evmChains[chain.slug] === undefined)
      throw new RefusedError(`${chain.slug} is not configured. Set ${variablePrefix(chain.slug)}_RPC_URL.`)
    const stop = new AbortController()
    const onSignal = (): void => stop.abort()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal)
    return withPlatform(async ({ database }) => {
      const log = createLogger({ level: 'warn', destination: process.stderr })
      const bar = progressBar({ clock: systemClock, screen: process.stderr })
      const startedAt = Date.now()
      const result = await backfillChain({ database, log }, config, {
        chain,
        from,
        signal: stop.signal,
        onProgress: ({ blocks, blocksRead, events }) => {
          if (blocks > 0)
            bar.show({
              label: `${chain.slug}: history`,
              done: blocksRead,
              total: blocks,
              unit: 'blocks',
              note: `${countOf(events)} events`,
            })
        },
      }).finally(bar.end)
      const seconds = Math.round((Date.now() - startedAt) / 100) / 10
      return {
        json: { ...result, seconds },
        lines: [
          `${chain.slug}: history is complete from block ${result.startBlock}; found ${countOf(result.events)} events (${seconds} s).`,
        ],
      }
    })
  },
}

function blockOf(text: string): number {
  const block = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(block))
    throw new UsageError(`Invalid block "${text}" for --from. Use a decimal block number.`)
  return block
}
