import { EVM_CHAINS, loadConfig } from '../../config/config.ts'
import { findChain } from '../../control/chains/chains.ts'
import { backfillChain } from '../../control/watch/backfill-command.ts'
import { systemClock } from '../../lib/clock.ts'
import { createLogger } from '../../lib/log.ts'
import { countOf, progressBar } from '../../lib/progress-bar.ts'
import { type Command, onGround, RefusedError, required, UsageError } from '../command.ts'

export const backfillCommand: Command = {
  words: 'backfill',
  positionals: ['CHAIN'],
  summary:
    'Reads earlier history of a chain, through the running service or without one; stopped, it goes on where it was',
  options: { from: { type: 'string', value: 'BLOCK', help: 'the first block wanted' } },
  run: async (given) => {
    const chain = findChain(given.positionals[0] ?? '')
    if (chain === undefined) throw new UsageError(`CHAIN must be one of ${EVM_CHAINS.join(', ')}, or its id`)
    const from = blockOf(required('from', given.text('from')))
    const config = loadConfig(process.env, process.cwd())
    if (config.evmChains[chain.slug as (typeof EVM_CHAINS)[number]] === undefined)
      throw new RefusedError(`${chain.slug} is not configured: set ${chain.slug.toUpperCase()}_RPC_URL.`)
    const stop = new AbortController()
    const onSignal = (): void => stop.abort()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, onSignal)
    return onGround(async ({ database }) => {
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
          `${chain.slug}: history is read from block ${result.startBlock} on; ${countOf(result.events)} events came in (${seconds} s).`,
        ],
      }
    })
  },
}

function blockOf(text: string): number {
  const block = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(block))
    throw new UsageError('--from must be the number of a block, in decimal digits')
  return block
}
