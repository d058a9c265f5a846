import { loadConfig, variablePrefix } from '../../config/config.ts'
import { polledChains, pollerOf } from '../../control/poll/run-poll.ts'
import { createLogger } from '../../lib/log.ts'
import { addressArgument, type Command, chainArgument, RefusedError, withPlatform } from '../command.ts'

export const pollCommand: Command = {
  name: 'poll',
  positionals: ['[CHAIN]', '[ADDRESS]'],
  summary: 'Poll the state of contracts now: all contracts, those of a chain, or one',
  run: async ({ positionals: [chainText, addressText] }) => {
    const config = loadConfig(process.env, process.cwd())
    const wanted = chainText === undefined ? undefined : chainArgument(chainText)
    const address = addressText === undefined ? undefined : addressArgument(addressText)
    const chains = polledChains(config).filter(({ chain }) => wanted === undefined || chain.id === wanted.id)
    if (chains.length === 0)
      throw new RefusedError(
        `No endpoint is configured for ${wanted?.slug ?? 'any chain'}. Set ${variablePrefix(wanted?.slug ?? 'ethereum')}_RPC_URL.`,
      )
    return withPlatform(async ({ database }) => {
      const log = createLogger({ level: 'warn', destination: process.stderr })
      const { poller, close } = pollerOf({ database, log }, config)
      try {
        const rounds = await Promise.all(
          chains.map(async ({ chain }) => ({
            chain: chain.slug,
            ...(await poller.round(chain.id, new Date(), {
              only: address === undefined ? undefined : [address],
            })),
          })),
        )
        const lines = rounds.map(
          ({ chain, polled: count, failed, silent }) =>
            `${chain}: polled ${count}, silent changes ${silent}, failed ${failed}`,
        )
        return { json: rounds, lines }
      } finally {
        await close()
      }
    })
  },
}
