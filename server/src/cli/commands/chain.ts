import type { ChainDefinition } from '../../config/chain-definitions.ts'
import { loadConfig, variablePrefix } from '../../config/config.ts'
import { addChains, CHAINS, type Chain } from '../../control/chains/chains.ts'
import { type EndpointAbilities, faultOf, findAbilities } from '../../control/rpc/endpoint-abilities.ts'
import { hostOf } from '../../control/rpc/transport.ts'
import { type Command, chainArgument, RefusedError, UsageError } from '../command.ts'

/** Makes presets known that have no endpoint. */
function addPresets(): ReadonlySet<string> {
  const configured = loadConfig(process.env, process.cwd())
  addChains(configured.definitions)
  return new Set(Object.keys(configured.evmChains))
}

export const chainList: Command = {
  name: 'chain list',
  summary: 'List the EVM chains: the built-in ones, the presets and those of CHAINS_FILE',
  run: async () => {
    const configured = addPresets()
    const rows = CHAINS.map(({ id, slug, name }) => ({ id, slug, name, isConfigured: configured.has(slug) }))
    const width = Math.max(...rows.map(({ slug }) => slug.length))
    return {
      json: rows,
      lines: rows.map(
        ({ id, slug, name, isConfigured }) =>
          `${slug.padEnd(width)}  ${String(id).padStart(10)}  ${isConfigured ? 'on ' : 'off'}  ${name}`,
      ),
    }
  },
}

export const chainTest: Command = {
  name: 'chain test',
  positionals: ['CHAIN'],
  summary: 'Test what the endpoints of an EVM chain support, and report what will work; needs no database',
  options: { rpc: { type: 'string', value: 'URL', help: 'endpoint to test instead of the configured ones' } },
  run: async (args) => {
    addPresets()
    const chain = chainArgument(args.positionals[0] ?? '')
    const own = args.text('rpc')
    if (own !== undefined && !isHttp(own)) throw new UsageError('Invalid URL in --rpc. Use http or https.')
    const configured = loadConfig(process.env, process.cwd()).evmChains[chain.slug]?.rpcUrls ?? []
    const urls = own === undefined ? configured.filter(isHttp) : [own]
    if (urls.length === 0)
      throw new UsageError(
        `No http endpoint is configured for ${chain.slug}. Give --rpc URL, or set ${variablePrefix(chain.slug)}_RPC_URL.`,
      )
    const reports = await Promise.all(urls.map((url) => report(chain, url)))
    return {
      json: reports.map(({ host, abilities, faults, notes }) => ({ host, abilities, faults, notes })),
      lines: reports.flatMap(({ lines }) => lines),
      isFailure: reports.some(({ faults }) => faults.length > 0),
    }
  },
}

const isHttp = (url: string): boolean => /^https?:$/.test(URL.parse(url)?.protocol ?? '')

async function report(chain: Chain, url: string) {
  const host = hostOf(url)
  const abilities = await findAbilities(url).catch((error: unknown) => {
    throw new RefusedError(`${host} cannot be tested: ${faultOf(error, url)}.`, { cause: error })
  })
  const { faults, notes } = judge(chain, abilities)
  const { head, safe, finalized, logRange, batch, overrides, archiveDepth, multicall } = abilities
  const lines = [
    `${chain.name} (${chain.slug}, ${chain.id}) at ${host}`,
    `  head             ${head.number}`,
    `  safe, finalized  ${safe ?? 'not supported'}, ${finalized ?? 'not supported'}`,
    `  logs             ranges of ${logRange} blocks`,
    `  batches          ${batch === 1 ? 'not supported' : `${batch} requests`}`,
    `  state overrides  ${overrides ? 'supported' : 'not supported'}`,
    `  state            ${archiveDepth === head.number ? 'back to the first block' : `${archiveDepth} blocks back`}`,
    `  multicall        ${multicall ? 'deployed' : 'not deployed'}`,
    ...faults.map((fault) => `  FAILS  ${fault}`),
    ...notes.map((note) => `  note   ${note}`),
    ...(faults.length === 0 ? ['  Watching, polls and probes work.'] : []),
  ]
  return { host, abilities, faults, notes, lines }
}

/** What does not work, and what is slower or missing. */
function judge(chain: ChainDefinition, abilities: EndpointAbilities) {
  const { chainId, safe, finalized, logsByHash, logRange, batch, archiveDepth, multicall } = abilities
  const tagged = chain.finality === 'safe' ? safe : chain.finality === 'finalized' ? finalized : 0
  const faults = [
    ...(chainId === chain.id ? [] : [`It is an endpoint of chain ${chainId}.`]),
    ...(logsByHash ? [] : ['It does not return logs by block hash, so new events cannot be watched.']),
    ...(logRange > 0 ? [] : ['It does not return logs by range, so history cannot be read.']),
    ...(tagged === undefined
      ? [`It does not know the ${chain.finality} block, which the chain is set to follow.`]
      : []),
  ]
  const notes = [
    ...(logRange > 0 && logRange < 100 ? ['Small ranges of logs make history slow to read.'] : []),
    ...(batch > 1 ? [] : ['Without batches a poll takes many requests.']),
    ...(multicall ? [] : ['Without Multicall3 a poll takes many requests.']),
    ...(archiveDepth >= chain.confirmations + 64 ? [] : ['The state of recent blocks is not kept, so polls may fail.']),
  ]
  return { faults, notes }
}
