/** Asks one endpoint what it supports, for `gatewatch chain test`. Every request is sent alone, without retries. */
import { fetchFault } from '../../lib/errors.ts'
import { MULTICALL3 } from '../chains/chains.ts'
import { removeSecrets } from './responses.ts'
import { secretsOf, splitCredentials } from './transport.ts'

export type EndpointAbilities = {
  readonly chainId: number
  readonly head: { readonly number: number; readonly time: number }
  /** The number of the safe and of the finalized block; undefined if the endpoint does not know the tag. */
  readonly safe: number | undefined
  readonly finalized: number | undefined
  readonly logsByHash: boolean
  /** The largest range of blocks that a request for logs without an address may have; 0 if none worked. */
  readonly logRange: number
  /** The largest batch of requests; 1 if it takes none. */
  readonly batch: number
  /** Whether `eth_call` takes code for an address that has none. */
  readonly overrides: boolean
  /** How many blocks below the head the state can be read. */
  readonly archiveDepth: number
  readonly multicall: boolean
}

type Rpc = (method: string, params: readonly unknown[]) => Promise<unknown>

const TIMEOUT_MS = 15_000
const LOG_RANGES = [1, 10, 50, 100, 500, 1_000, 2_000, 5_000, 10_000]
const BATCHES = [2, 10, 20, 50, 100]
const DEPTHS = [1, 64, 128, 1_024, 10_000, 100_000, 1_000_000]
/** A topic that no contract emits: the endpoint has to search, and returns nothing. */
const NO_TOPIC = `0x${'00'.repeat(31)}01`
const EMPTY_ADDRESS = '0x00000000000000000000000000000000000face1'
/** Returns a word with the value 42. */
const RETURNS_42 = '0x602a60005260206000f3'

export async function findAbilities(url: string): Promise<EndpointAbilities> {
  const rpc = rpcOf(url)
  const chainId = Number(await rpc('eth_chainId', []))
  const latest = blockOf(await rpc('eth_getBlockByNumber', ['latest', false]))
  if (latest === undefined) throw new Error('it has no latest block')
  const works = (method: string, params: readonly unknown[]): Promise<boolean> =>
    rpc(method, params).then(
      (result) => result !== null && result !== undefined,
      () => false,
    )
  const tagged = async (tag: string): Promise<number | undefined> =>
    (await rpc('eth_getBlockByNumber', [tag, false]).then(blockOf, () => undefined))?.number
  const depths = [...DEPTHS.filter((depth) => depth < latest.number), latest.number]
  return {
    chainId,
    head: { number: latest.number, time: latest.time },
    safe: await tagged('safe'),
    finalized: await tagged('finalized'),
    logsByHash: await works('eth_getLogs', [{ blockHash: latest.hash, topics: [NO_TOPIC] }]),
    logRange: await largest(LOG_RANGES, (range) =>
      works('eth_getLogs', [
        { fromBlock: hex(Math.max(0, latest.number - range + 1)), toBlock: hex(latest.number), topics: [NO_TOPIC] },
      ]),
    ),
    batch: (await largest(BATCHES, (size) => takesBatch(url, size))) || 1,
    overrides: await rpc('eth_call', [{ to: EMPTY_ADDRESS }, 'latest', { [EMPTY_ADDRESS]: { code: RETURNS_42 } }]).then(
      (result) => Number(result) === 42,
      () => false,
    ),
    archiveDepth: await largest(depths, (depth) => works('eth_getBalance', [MULTICALL3, hex(latest.number - depth)])),
    multicall: await rpc('eth_getCode', [MULTICALL3, 'latest']).then(
      (code) => typeof code === 'string' && code.length > 2,
      () => false,
    ),
  }
}

/** The last of ascending values that works; 0 if the first does not. */
async function largest(values: readonly number[], works: (value: number) => Promise<boolean>): Promise<number> {
  let found = 0
  for (const value of values) {
    if (!(await works(value))) break
    found = value
  }
  return found
}

const hex = (number: number): string => `0x${number.toString(16)}`

function blockOf(result: unknown): { number: number; hash: string; time: number } | undefined {
  if (typeof result !== 'object' || result === null) return undefined
  const { number, hash, timestamp } = result as Record<string, unknown>
  if (typeof number !== 'string' || typeof hash !== 'string' || typeof timestamp !== 'string') return undefined
  return { number: Number(number), hash, time: Number(timestamp) * 1_000 }
}

async function post(url: string, body: unknown): Promise<unknown> {
  const [href, authorization] = splitCredentials(url)
  const response = await fetch(href, {
    method: 'POST',
    headers: { ...authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'error', // as the service does
  })
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(response.ok ? 'its response is not JSON' : `HTTP ${response.status}: ${text.trim()}`)
  }
}

const MAX_REASON_LENGTH = 300

/** Why an endpoint could not be asked, without the API key of its URL. */
export const faultOf = (error: unknown, url: string): string =>
  removeSecrets(fetchFault(error), secretsOf(url)).slice(0, MAX_REASON_LENGTH)

type Answer = { readonly error?: { readonly message?: string } | null; readonly result?: unknown } | null

const rpcOf =
  (url: string): Rpc =>
  async (method, params) => {
    const answer = (await post(url, { jsonrpc: '2.0', id: 1, method, params })) as Answer
    if (typeof answer !== 'object' || answer === null) throw new Error('its response is not an object')
    if (answer.error !== undefined && answer.error !== null)
      throw new Error(`${method} is refused: ${answer.error.message ?? JSON.stringify(answer.error)}`)
    return answer.result
  }

async function takesBatch(url: string, size: number): Promise<boolean> {
  const requests = Array.from({ length: size }, (_, id) => ({ jsonrpc: '2.0', id, method: 'eth_chainId', params: [] }))
  const answers = await post(url, requests).catch(() => undefined)
  return Array.isArray(answers) && answers.length === size && answers.every((answer) => answer?.result !== undefined)
}
