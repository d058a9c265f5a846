/** What must hold in the simulation of the watcher: after each step, and at the end. */
import assert from 'node:assert/strict'
import { buildCatalog } from '../../server/src/control/catalog/catalog.ts'
import { catalogRows } from '../../server/src/control/catalog/events/rows.ts'
import type { Job, StoredBlock } from '../../server/src/control/watch/watch-store.ts'
import type { Hex } from '../../server/src/lib/hex.ts'
import { type HeadStep, identityOf, type SimAlert, type SimStore } from './memory-store.ts'
import { type SimBlock, type SimChain, type SimLog, TOPICS } from './sim-chain.ts'
import { INDEXING_MS, type SimNode } from './sim-node.ts'

export const catalog = buildCatalog(catalogRows)
const chainwide = new Set(catalog.topicsFor('chainwide'))

export type Simulated = {
  readonly chain: SimChain
  readonly store: SimStore
  readonly settings: { readonly confirmations: number; readonly discover: boolean }
}

/**
 * Every announced event of a subscribed contract has exactly one alert that holds, in its block or in the one before a
 * reorg. Above the cursor, the transactions with a critical event have one. No other alert is open: each was confirmed, or
 * retracted when its block left the chain.
 */
export async function assertAlerts({ chain, store, settings }: Simulated, seed: number): Promise<void> {
  const alerts = (await store.getAlerts()).filter(({ isRetracted }) => !isRetracted)
  const lineOf = (e: Pick<SimAlert, 'blockNumber' | 'logIndex' | 'txHash' | 'key'>): string =>
    [e.blockNumber, e.logIndex, e.txHash, e.key].join(' ')
  const subscribed = new Set(chain.addresses)
  const announced = (await store.getEvents()).filter(
    ({ announced, isInit, address }) => announced && !isInit && subscribed.has(address),
  )
  const confirmed = alerts.filter(({ isConfirmed }) => isConfirmed)
  assert.deepEqual(
    confirmed.map(lineOf).sort(),
    announced.map(lineOf).sort(),
    `seed ${seed}: alerts are not the events`,
  )
  const first = chain.tip().number - settings.confirmations + 1
  const above = Array.from({ length: settings.confirmations }, (_, at) => chain.at(chain.tip(), first + at) as SimBlock)
  const open = alerts.flatMap((e) => (e.isConfirmed ? [] : [e.blockNumber, e.logIndex, e.txHash].join(' ')))
  const logs = above.flatMap((block) => block.logs.map((log) => ({ block, log })))
  const lineAt = ({ block, log }: (typeof logs)[number]): string => [block.number, log.logIndex, log.txHash].join(' ')
  assert.equal(new Set(open).size, open.length, `seed ${seed}: an alert at head twice`)
  const left = new Set(open).difference(new Set(logs.map(lineAt)))
  assert.deepEqual([...left], [], `seed ${seed}: alerts of blocks that left the chain`)
  const watched = new Set((await store.getWatched()).map((contract) => contract.address))
  const critical = new Set(
    logs.flatMap(({ block, log }) => (isCritical(log) && isWanted(block, log, watched) ? log.txHash : [])),
  )
  const wanted = logs.filter(({ block, log }) => isWanted(block, log, watched) && critical.has(log.txHash))
  const unalerted = new Set(wanted.map(lineAt)).difference(new Set(open))
  assert.deepEqual([...unalerted], [], `seed ${seed}: no alert at head`)
}

const isCritical = ({ topics: [topic] }: SimLog): boolean => topic === TOPICS.upgraded || topic === TOPICS.pausedAll

/** Whether a log is an event of a watched contract, other than setup, that no endpoint can omit unnoticed. */
function isWanted(block: SimBlock, log: SimLog, watched: ReadonlySet<Hex>): boolean {
  if (!watched.has(log.address) || block.contracts.get(log.address) === log.txHash) return false
  // An endpoint can omit one of several logs with a topic unnoticed until the second pass.
  const isAlone = block.logs.every((other) => other === log || other.topics[0] !== log.topics[0])
  return isAlone && catalog.decode(log) !== undefined
}

/** The blocks above the cursor are one branch that starts at the cursor. */
export function unlinkedAtHead(chain: SimChain, { after, blocks }: HeadStep): readonly string[] {
  return blocks.flatMap(({ number, hash }, at) => {
    const parent = at === 0 ? after : blocks[at - 1]
    return chain.byHash(hash)?.parent?.hash === parent?.hash ? [] : `block ${number} at head is on another branch`
  })
}

/** The events of watched contracts that were left out when the blocks above the cursor were alerted. */
export function unseenAtHead(chain: SimChain, { blocks, events, startBlock, watched }: HeadStep): readonly string[] {
  const seen = new Set(events.map(({ blockHash, logIndex }) => `${blockHash} ${logIndex}`))
  return blocks.flatMap(({ hash, number }) => {
    const block = number < startBlock ? undefined : chain.byHash(hash)
    const logs = block?.logs.filter((log) => isWanted(block, log, watched)) ?? []
    return logs
      .filter(({ logIndex }) => !seen.has(`${hash} ${logIndex}`))
      .map(() => `an event of ${hash} not seen at head`)
  })
}

/** The blocks of a range whose logs were not read from two endpoints, if there are two, since all of them were indexed. */
export function unverifiedIn(
  chain: SimChain,
  nodes: readonly SimNode[],
  { from, to, window }: { readonly from: number; readonly to: number; readonly window: readonly StoredBlock[] },
): readonly string[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at).flatMap((number) => {
    const block = chain.at(chain.tip(), number)
    const stored = window.find((one) => one.number === number)
    // A reorg that is not noticed yet verifies its blocks again.
    if (block === undefined || (stored !== undefined && stored.hash !== block.hash)) return []
    const readers = nodes.filter(({ readAt }) => readAt(number) >= block.minedAt + INDEXING_MS).length
    return readers < Math.min(2, nodes.length) ? `block ${number} verified by ${readers} endpoints` : []
  })
}

/**
 * The logs of a job that is done which were not read from two endpoints, if there are two, since they were indexed. Only
 * in blocks that the second pass does not read again.
 */
export function unverifiedOf(
  chain: SimChain,
  nodes: readonly SimNode[],
  { scope, addresses, from, to }: Job,
  verifiedTo: number,
  watched: ReadonlySet<Hex>,
): readonly string[] {
  const isRead = ({ address, topics }: SimLog): boolean => {
    const isChainwide = scope !== 'contracts' && chainwide.has(topics[0] as Hex)
    return isChainwide || addresses.includes(address) || (scope === 'gap' && watched.has(address))
  }
  const last = Math.min(to, verifiedTo)
  return Array.from({ length: Math.max(0, last - from + 1) }, (_, at) => from + at).flatMap((number) => {
    const block = chain.at(chain.tip(), number)
    const logs = block?.logs.filter((log) => isRead(log) && catalog.decode(log) !== undefined) ?? []
    return logs.flatMap((log) => {
      const readers = nodes.filter(({ logReadAt }) => logReadAt(log) >= (block?.minedAt ?? 0) + INDEXING_MS).length
      const isVerified = readers >= Math.min(2, nodes.length)
      return isVerified ? [] : `${scope}: log ${log.logIndex} of block ${number} verified by ${readers} endpoints`
    })
  })
}

export async function assertTruth({ chain, store, settings }: Simulated, seed: number): Promise<void> {
  const state = await store.findState()
  const known = new Set((await store.getWatched()).map((contract) => contract.address))
  const expected: string[] = []
  const last = chain.tip().number - settings.confirmations
  for (let number = state?.startBlock ?? 0; number <= last; number += 1) {
    const block = chain.at(chain.tip(), number) as SimBlock
    for (const log of block.logs) {
      const event = catalog.decode(log)
      if (event === undefined || !(known.has(log.address) || chainwide.has(log.topics[0] as Hex))) continue
      const isInit = block.contracts.get(log.address) === log.txHash
      expected.push([number, log.logIndex, log.txHash, log.address, event.key, isInit, block.seconds].join(' '))
    }
  }
  const events = await store.getEvents()
  const stored = events
    .toSorted((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
    .map((e) => [e.blockNumber, e.logIndex, e.txHash, e.address, e.key, e.isInit, e.blockTime / 1_000].join(' '))
  const lost = expected.filter((line) => !stored.includes(line))
  const ghosts = stored.filter((line) => !expected.includes(line))
  assert.deepEqual({ lost, ghosts }, { lost: [], ghosts: [] }, `seed ${seed}: the store is not the chain`)
  assert.deepEqual(stored, expected)
  assert.equal(new Set(events.map(identityOf)).size, events.length, `seed ${seed}: an event twice`)

  // An unregistered contract is watched once the follower, the second pass or a gap job finds it.
  const strangers = events.filter(({ announced, isInit, address }) => announced && !isInit && !known.has(address))
  assert.deepEqual(settings.discover ? strangers : [], [], `seed ${seed}: seen and not discovered`)
}
