/** A check of one endpoint before it is relied on: the right chain, a fresh head, logs, and history from where it is wanted. */
import { reasonOf } from '../../lib/errors.ts'
import { bad, doubtful, type Finding, good } from '../../lib/finding.ts'
import { systemTiming } from '../../lib/timing.ts'
import type { Chain } from '../chains/chains.ts'
import { createRpcPool, type RpcPool } from './pool.ts'
import { getBlockHeader, getBlockLogs, getLogs } from './requests.ts'
import { hostOf } from './transport.ts'

export type EndpointToCheck = { readonly chain: Chain; readonly url: string; readonly startBlock?: number | undefined }

/** Older than this many blocks' time, a head is stale; at least some minutes, because slow blocks happen. */
const STALE_BLOCKS = 50
const LEAST_STALE_MS = 300_000
/** Chains let a block be a little ahead of its time, some of them 15 seconds. */
const MOST_AHEAD_MS = 60_000
/** A topic that no contract emits: the question counts, not the answer. */
const NO_TOPIC = `0x${'00'.repeat(32)}` as const

export async function checkEndpoint({ chain, url, startBlock }: EndpointToCheck): Promise<Finding> {
  const about = `${chain.slug} ${hostOf(url)}`
  const faults: string[] = []
  const pool = createRpcPool(
    { timing: systemTiming, report: (event) => event.type === 'fault' && faults.push(event.detail) },
    { chain: chain.slug, chainId: chain.id, urls: [url], timeoutMs: 10_000 },
  )
  try {
    return await look(pool, about, chain, startBlock)
  } catch (error) {
    return bad(about, `${faults[0] ?? reasonOf(error)}.`, `Check ${chain.slug.toUpperCase()}_RPC_URL.`)
  } finally {
    pool.close()
  }
}

async function look(pool: RpcPool, about: string, chain: Chain, startBlock?: number): Promise<Finding> {
  const { value: head } = await pool.request(getBlockHeader('latest'))
  if (head === undefined) return bad(about, 'It knows no latest block.', 'Let the node synchronise.')
  await pool.request(getBlockLogs(head, { topics: [NO_TOPIC] }))
  const age = Date.now() - head.time
  const seen = `Right chain, head ${head.number}, ${Math.max(0, Math.round(age / 1_000))} s old, answers logs by block hash.`
  if (age < -MOST_AHEAD_MS)
    return doubtful(
      about,
      `${seen} It was made ${Math.round(-age / 1_000)} s from now.`,
      'Is this machine’s clock behind?',
    )
  if (age > Math.max(LEAST_STALE_MS, STALE_BLOCKS * chain.blockTimeMs))
    return doubtful(about, seen, 'Its head is old: is the node synchronised?')
  if (startBlock === undefined || startBlock > head.number) return good(about, seen)
  try {
    await pool.request(getLogs(startBlock, startBlock, { topics: [NO_TOPIC] }))
    return good(about, `${seen} Has logs back to block ${startBlock}.`)
  } catch (error) {
    const advice = 'History from there needs a node that keeps old logs.'
    return doubtful(about, `${seen} No logs of block ${startBlock}: ${reasonOf(error)}.`, advice)
  }
}
