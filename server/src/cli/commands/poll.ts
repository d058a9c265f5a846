import { EVM_CHAINS, loadConfig } from '../../config/config.ts'
import { findChain } from '../../control/chains/chains.ts'
import { address as addressInput } from '../../control/http/params.ts'
import { polledChains, pollerOf } from '../../control/poll/run-poll.ts'
import { createLogger } from '../../lib/log.ts'
import { type Command, onGround, UsageError } from '../command.ts'

export const pollCommand: Command = {
  words: 'poll',
  positionals: ['[CHAIN]', '[ADDRESS]'],
  summary: 'Looks at contracts now: state, silent changes, who holds the keys; all known ones, or those named',
  run: async ({ positionals: [chainText, addressText] }) => {
    const config = loadConfig(process.env, process.cwd())
    const wanted = chainText === undefined ? undefined : findChain(chainText)
    if (chainText !== undefined && wanted === undefined)
      throw new UsageError(`CHAIN must be one of ${EVM_CHAINS.join(', ')}, or its id`)
    const address = addressText === undefined ? undefined : addressInput.safeParse(addressText)
    if (address?.success === false)
      throw new UsageError(`ADDRESS ${address.error.issues[0]?.message ?? 'is not valid'}`)
    const chains = polledChains(config)
    const looked = chains.filter(({ chain }) => wanted === undefined || chain.id === wanted.id)
    if (looked.length === 0)
      throw new UsageError(
        `There is no node for ${wanted?.slug ?? 'any chain'}: set ${(wanted?.slug ?? 'ethereum').toUpperCase()}_RPC_URL`,
      )
    return onGround(async ({ database }) => {
      const log = createLogger({ level: 'warn', destination: process.stderr })
      const { poller, close } = pollerOf({ database, log }, config)
      try {
        const rounds = await Promise.all(
          looked.map(async ({ chain }) => ({
            chain: chain.slug,
            ...(await poller.round(chain.id, new Date(), {
              only: address === undefined ? undefined : [address.data as `0x${string}`],
            })),
          })),
        )
        const lines = rounds.map(
          ({ chain, looked: count, failed, silent }) =>
            `${chain}: looked at ${count}, silent changes ${silent}, could not be looked at ${failed}`,
        )
        return { json: rounds, lines }
      } finally {
        close()
      }
    })
  },
}
