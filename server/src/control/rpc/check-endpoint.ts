/** Checks one endpoint for `gatewatch doctor`: chain id, age of the head, logs by block hash, and the required history. */

import { variablePrefix } from '../../config/config.ts'
import { systemTiming } from '../../lib/clock.ts'
import { reasonOf } from '../../lib/errors.ts'
import { type CheckResult, failed, passed, warning } from '../../platform/checks/check-result.ts'
import type { Chain } from '../chains/chains.ts'
import { createRpcPool, type RpcPool } from './pool.ts'
import { getBlockHeader, getBlockLogs, getLogs, getProof } from './requests.ts'
import { hostOf } from './transport.ts'

export type EndpointToCheck = { readonly chain: Chain; readonly url: string; readonly startBlock?: number | undefined }

/** A head is stale if it is older than this many block times, and than some minutes, because blocks can be late. */
const STALE_BLOCKS = 50
const MIN_STALE_MS = 300_000
/** Chains accept block times slightly in the future, some of them by 15 seconds. */
const MAX_AHEAD_MS = 60_000
/** A topic that no contract emits: the check needs a successful request, not its logs. */
const NO_TOPIC = `0x${'00'.repeat(32)}` as const

const NO_ACCOUNT = `0x${'00'.repeat(20)}` as const

export async function checkEndpoint({ chain, url, startBlock }: EndpointToCheck): Promise<CheckResult> {
  const about = `${chain.slug} ${hostOf(url)}`
  const errors: string[] = []
  const pool = createRpcPool(
    { timing: systemTiming, report: (event) => event.type === 'error' && errors.push(event.detail) },
    { chain: chain.slug, chainId: chain.id, urls: [url], timeoutMs: 10_000 },
  )
  try {
    return await inspect(pool, about, chain, startBlock)
  } catch (error) {
    return failed(about, `${errors[0] ?? reasonOf(error)}.`, `Check ${variablePrefix(chain.slug)}_RPC_URL.`)
  } finally {
    pool.close()
  }
}

async function inspect(pool: RpcPool, about: string, chain: Chain, startBlock?: number): Promise<CheckResult> {
  const { value: head } = await pool.request(getBlockHeader('latest'))
  if (head === undefined) return failed(about, 'It has no latest block.', 'Let the node synchronize.')
  await pool.request(getBlockLogs(head, { topics: [NO_TOPIC] }))
  const age = Date.now() - head.time
  const seen = `Right chain, head ${head.number}, ${Math.max(0, Math.round(age / 1_000))} s old, returns logs by block hash.`
  if (age < -MAX_AHEAD_MS)
    return warning(
      about,
      `${seen} Its time is ${Math.round(-age / 1_000)} s in the future.`,
      'Check whether the clock of this machine is behind.',
    )
  if (age > Math.max(MIN_STALE_MS, STALE_BLOCKS * chain.blockTimeMs))
    return warning(about, seen, 'Its head is old. Check whether the node is synchronized.')
  try {
    await pool.request(getProof(NO_ACCOUNT, [], head))
  } catch (error) {
    const advice = 'Add an endpoint with eth_getProof: without it, Safes and timelocks are unknown.'
    return warning(about, `${seen} It does not prove storage: ${reasonOf(error)}.`, advice)
  }
  if (startBlock === undefined || startBlock > head.number) return passed(about, seen)
  try {
    await pool.request(getLogs(startBlock, startBlock, { topics: [NO_TOPIC] }))
    return passed(about, `${seen} Has logs back to block ${startBlock}.`)
  } catch (error) {
    const advice = 'Use a node that keeps old logs to read history from that block.'
    return warning(about, `${seen} No logs of block ${startBlock}: ${reasonOf(error)}.`, advice)
  }
}
