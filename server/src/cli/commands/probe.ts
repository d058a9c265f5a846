import { loadConfig, variablePrefix } from '../../config/config.ts'
import { addChains } from '../../control/chains/chains.ts'
import { probeContract, whyProbeFailed } from '../../control/poll/probe-command.ts'
import { GatewatchError } from '../../lib/errors.ts'
import { addressArgument, type Command, chainArgument, endpointUrls, RefusedError } from '../command.ts'

export const probeCommand: Command = {
  name: 'probe',
  positionals: ['CHAIN', 'ADDRESS'],
  summary: 'Show who controls a contract, as a tree read from its chain now; needs no database',
  options: {
    rpc: {
      type: 'string',
      value: 'URL',
      help: 'endpoint to use instead of the configured ones; separate several with commas',
    },
  },
  run: async (args) => {
    const [chainText = '', addressText = ''] = args.positionals
    const { evmChains: configured, definitions } = loadConfig(process.env, process.cwd())
    // With an endpoint on the command line, a preset needs no configuration.
    addChains(definitions)
    const chain = chainArgument(chainText)
    const address = addressArgument(addressText)
    const endpoints: Record<string, readonly string[]> = {}
    for (const [slug, settings] of Object.entries(configured))
      if (settings !== undefined) endpoints[slug] = settings.rpcUrls
    const own = args.text('rpc')
    if (own !== undefined) endpoints[chain.slug] = endpointUrls(own)
    if (endpoints[chain.slug] === undefined)
      throw new RefusedError(
        `No endpoint is configured for ${chain.slug}. Give --rpc URL, or set ${variablePrefix(chain.slug)}_RPC_URL.`,
      )
    try {
      return await probeContract(endpoints, chain, address)
    } catch (error) {
      if (error instanceof GatewatchError) throw new RefusedError(whyProbeFailed(error), { cause: error })
      throw error
    }
  },
}
