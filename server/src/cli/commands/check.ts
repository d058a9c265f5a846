import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { duration as durationText } from '../../../../vocabulary/time.ts'
import { loadConfig, variablePrefix } from '../../config/config.ts'
import { addChains, type Chain, findChain } from '../../control/chains/chains.ts'
import { type Check, compare } from '../../control/policy/compare.ts'
import { type Observed, observe } from '../../control/policy/observe.ts'
import { duration, type ExpectedContract, type ParsedPolicy, parsePolicy } from '../../control/policy/policy.ts'
import { recorded, withContracts } from '../../control/policy/record.ts'
import {
  type CheckedContract,
  type CheckReport,
  reportJunit,
  reportLines,
  reportMarkdown,
  reportSarif,
  summaryOf,
} from '../../control/policy/reports.ts'
import { whyProbeFailed } from '../../control/poll/probe-command.ts'
import { type Endpoints, openProber, type Prober } from '../../control/poll/prober.ts'
import type { Header } from '../../control/rpc/parse.ts'
import { GatewatchError, reasonOf } from '../../lib/errors.ts'
import { ownVersion } from '../../lib/version.ts'
import {
  type Arguments,
  addressArgument,
  type Command,
  chainArgument,
  endpointUrls,
  parseOrRefuse,
  RefusedError,
  readText,
  UsageError,
} from '../command.ts'

const CONCURRENT_PROBES = 4
/** Nothing differs as far as it could be read. */
const EXIT_UNREAD = 2
/** An endpoint that stopped to follow its chain returns a state that held once. */
const MAX_AGE = '1h'

export const checkCommand: Command = {
  name: 'check',
  positionals: ['FILE'],
  summary: 'Compare the control of contracts with a policy file; needs no database',
  options: {
    rpc: {
      type: 'string',
      value: 'LIST',
      help: 'endpoints to use instead of the configured ones: CHAIN=URL, separated by commas',
    },
    write: { type: 'boolean', help: 'record the current state as the expected one' },
    add: {
      type: 'string',
      value: 'LIST',
      help: 'with --write: contracts to add, as CHAIN:ADDRESS, separated by commas',
    },
    'max-age': {
      type: 'string',
      value: 'DURATION',
      help: `the maximum age of the last block of an endpoint, such as 30m or 2d (default ${MAX_AGE})`,
    },
    markdown: { type: 'string', value: 'FILE', help: 'write the differences as Markdown' },
    junit: { type: 'string', value: 'FILE', help: 'write the results as JUnit XML' },
    sarif: { type: 'string', value: 'FILE', help: 'write the differences as SARIF 2.1.0' },
    schema: { type: 'boolean', help: 'write the JSON schema of policy files to FILE instead' },
  },
  run: async (args) => {
    const [file = ''] = args.positionals
    if (args.flag('schema')) {
      writeText(file, readFileSync(join(import.meta.dirname, '..', '..', '..', 'policy.schema.json'), 'utf8'))
      return { json: { schema: file }, lines: [`The schema of policy files is in ${file}.`] }
    }
    const { evmChains, definitions } = loadConfig(process.env, process.cwd())
    addChains(definitions)
    const endpoints: Record<string, readonly string[]> = {}
    for (const [slug, settings] of Object.entries(evmChains)) if (settings) endpoints[slug] = settings.rpcUrls
    Object.assign(endpoints, ownEndpoints(args.text('rpc')))
    const maxAgeMs = maxAgeOf(args.text('max-age') ?? MAX_AGE)
    const text = policyText(file, args)
    const parsed = parseOrRefuse(file, () => parsePolicy(text))
    const prober = openProber(endpoints)
    try {
      return await check(args, { file, text, parsed, endpoints, prober, maxAgeMs })
    } finally {
      await prober.close()
    }
  },
}

type Run = {
  readonly file: string
  readonly text: string
  readonly parsed: ParsedPolicy
  readonly endpoints: Endpoints
  readonly prober: Prober
  readonly maxAgeMs: number
}

async function check(args: Arguments, run: Run) {
  const { file, text, parsed, endpoints } = run
  const { policy, lineOf } = parsed
  const chains = policy.contracts.map(({ chain }, at) =>
    chainOf(chain, endpoints, `${file}:${lineOf(['contracts', at])}`),
  )
  const limit = pLimit(CONCURRENT_PROBES)
  const read = await Promise.all(
    policy.contracts.map((expected, at) => limit(() => readContract(run, expected, chains[at] as Chain, at))),
  )
  if (args.flag('write')) return write(file, text, read)
  const report: CheckReport = { file, contracts: read.map(({ checked }) => checked), lineOf }
  const [markdown, junit, sarif] = ['markdown', 'junit', 'sarif'].map(args.text)
  if (markdown !== undefined) writeText(markdown, reportMarkdown(report))
  if (junit !== undefined) writeText(junit, reportJunit(report))
  if (sarif !== undefined) writeText(sarif, `${JSON.stringify(reportSarif(report, ownVersion()), null, 2)}\n`)
  const statuses = new Set(report.contracts.flatMap(({ checks }) => checks.map(({ status }) => status)))
  return {
    json: { file, summary: summaryOf(report), contracts: report.contracts },
    lines: reportLines(report),
    exitCode: statuses.has('differs') ? 1 : statuses.has('unread') ? EXIT_UNREAD : 0,
  }
}

type ReadContract = {
  readonly expected: ExpectedContract
  /** Undefined: it could not be read. */
  readonly observed: Observed | undefined
  readonly chainId: number
  readonly checked: CheckedContract
}

async function readContract(
  { prober, maxAgeMs }: Run,
  expected: ExpectedContract,
  chain: Chain,
  at: number,
): Promise<ReadContract> {
  const { address, name } = expected
  const about = { chain: chain.slug, address, name, at }
  const target = { chainId: chain.id, address }
  try {
    const probed = await prober.probe(target)
    const observed = observe(target, probed)
    const old = oldBlock(probed.block, maxAgeMs)
    const checks = [...compare(expected, observed, chain.id), ...(old === undefined ? [] : [old])]
    const checked = { ...about, block: probed.block?.number ?? null, checks }
    return { expected, observed: old === undefined ? observed : undefined, chainId: chain.id, checked }
  } catch (error) {
    if (!(error instanceof GatewatchError)) throw error
    const unread = {
      path: ['address'],
      status: 'unread',
      expected: 'a complete read',
      actual: whyProbeFailed(error),
    } as const
    return { expected, observed: undefined, chainId: chain.id, checked: { ...about, block: null, checks: [unread] } }
  }
}

function oldBlock(block: Header | undefined, maxAgeMs: number): Check | undefined {
  const age = block === undefined ? 0 : Date.now() - block.time
  if (age <= maxAgeMs) return undefined
  return {
    path: ['address'],
    status: 'unread',
    expected: `a block of the last ${durationText(maxAgeMs / 1_000)}`,
    actual: `the last block of the endpoint is ${durationText(Math.floor(age / 1_000))} old`,
  }
}

function maxAgeOf(text: string): number {
  const parsed = duration.safeParse(/^\d+$/.test(text) ? Number(text) : text)
  if (!parsed.success) throw new UsageError('--max-age takes seconds, or 90s, 30m, 48h, 2d.')
  return parsed.data * 1_000
}

function write(file: string, text: string, read: readonly ReadContract[]) {
  const missing = read.filter(({ observed }) => observed === undefined || observed.isStale || !observed.isContract)
  writeText(file, recorded(text, read))
  return {
    json: { file, recorded: read.length - missing.length, notRecorded: missing.map(({ checked }) => checked.address) },
    lines: [
      `Recorded ${read.length - missing.length} of ${read.length} contracts in ${file}.`,
      ...missing.map(({ checked }) => `  not recorded: ${checked.chain} ${checked.address}: it could not be read`),
    ],
    exitCode: missing.length > 0 ? EXIT_UNREAD : 0,
  }
}

/** `CHAIN=URL` for each; several URLs of one chain repeat the chain. */
function ownEndpoints(text: string | undefined): Endpoints {
  const endpoints: Record<string, string[]> = {}
  for (const part of text?.split(',') ?? []) {
    const [, name = '', url = ''] = /^\s*([^=:/]+)=(.+)$/.exec(part) ?? []
    if (url === '') throw new UsageError('--rpc takes CHAIN=URL, separated by commas.')
    const { slug } = knownChain(name)
    endpoints[slug] = [...(endpoints[slug] ?? []), ...endpointUrls(url)]
  }
  return endpoints
}

/** A chain id that no preset has needs no definition: the endpoint is all that a check uses. */
function knownChain(text: string): Chain {
  const id = Number(text)
  if (findChain(text) === undefined && Number.isSafeInteger(id) && id > 0 && id < 2 ** 31) {
    const base = { confirmations: 0, blockTimeMs: 12_000, reorgLimit: 256, chainwideRange: 500, explorer: '' }
    addChains([{ id, slug: `chain-${id}`, name: `Chain ${id}`, ...base }])
  }
  return chainArgument(text)
}

function chainOf(given: string | number, endpoints: Endpoints, at: string): Chain {
  const chain = findChain(given)
  if (chain === undefined)
    throw new RefusedError(`${at}: unknown chain "${given}". List chains with: gatewatch chain list`)
  if (endpoints[chain.slug] === undefined)
    throw new RefusedError(
      `${at}: no endpoint is configured for ${chain.slug}. Give --rpc ${chain.slug}=URL, or set ${variablePrefix(chain.slug)}_RPC_URL.`,
    )
  return chain
}

function policyText(file: string, args: Arguments): string {
  const added = args.text('add')
  if (added !== undefined && !args.flag('write')) throw new UsageError('--add needs --write.')
  if (added === undefined) return readText(file)
  const refs = added.split(',').map((part) => {
    const [chain = '', address = ''] = part.trim().split(':')
    return { chainId: chainArgument(chain).id, address: addressArgument(address) }
  })
  return withContracts(existsSync(file) ? readText(file) : '', refs)
}

function writeText(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new RefusedError(`Cannot write ${file}: ${reasonOf(error)}`)
  }
}
