import { loadConfig } from '../../config/config.ts'
import { CHAINS, findChain } from '../../control/chains/chains.ts'
import { address as addressInput } from '../../control/http/params.ts'
import { probeContract, whyProbeFailed } from '../../control/poll/probe-command.ts'
import { GatewatchError } from '../../lib/errors.ts'
import { type Command, RefusedError, UsageError } from '../command.ts'

export const probeCommand: Command = {
  words: 'probe',
  positionals: ['CHAIN', 'ADDRESS'],
  summary: 'Shows who holds the keys of a contract, read from its chain now, as a tree',
  options: {
    rpc: { type: 'string', value: 'URL', help: 'node to ask instead of the configured ones; several with commas' },
  },
  run: async (given) => {
    const [chainText = '', addressText = ''] = given.positionals
    const chain = findChain(chainText)
    if (chain === undefined)
      throw new UsageError(`CHAIN must be one of ${CHAINS.map(({ slug }) => slug).join(', ')}, or its id`)
    const address = addressInput.safeParse(addressText)
    if (!address.success) throw new UsageError(`ADDRESS ${address.error.issues[0]?.message ?? 'is not valid'}`)
    const configured = loadConfig(process.env, process.cwd()).evmChains
    const endpoints: Record<string, readonly string[]> = {}
    for (const [slug, settings] of Object.entries(configured))
      if (settings !== undefined) endpoints[slug] = settings.rpcUrls
    const own = given.text('rpc')
    if (own !== undefined) endpoints[chain.slug] = nodesOf(own)
    if (endpoints[chain.slug] === undefined)
      throw new UsageError(
        `There is no node for ${chain.slug}: give --rpc URL, or set ${chain.slug.toUpperCase()}_RPC_URL`,
      )
    try {
      return await probeContract(endpoints, chain, address.data as `0x${string}`)
    } catch (error) {
      if (error instanceof GatewatchError) throw new RefusedError(whyProbeFailed(error), { cause: error })
      throw error
    }
  },
}

function nodesOf(text: string): readonly string[] {
  const urls = text.split(',').map((part) => part.trim())
  if (urls.some((url) => !/^(https?|wss?):$/.test(URL.parse(url)?.protocol ?? '')))
    throw new UsageError('--rpc must be an http, https, ws or wss URL')
  return urls
}
