/**
 * Everything a process runs for its coin chains: writers in threads of their own, and chains ready to be asked.
 *
 * The one thing the composition root needs of this product besides the routes.
 */
import type { Logger } from '../../lib/log.ts'
import { type RunningWriter, startWriter } from '../index/start-writer.ts'
import type { WriterEvent } from '../index/writer.ts'
import type { ChainId } from '../networks/network.ts'
import { chainIds } from '../networks/networks.ts'
import { type ServingChain, serveChain } from './serve-chain.ts'
import type { ServedChains } from './served-chain.ts'

export type ChainSource = { readonly rpcUrl?: string | undefined; readonly blocksDir?: string | undefined }

export type CoinsOptions = {
  readonly chains: Readonly<Partial<Record<ChainId, ChainSource>>>
  readonly dataDir: string
  /** Keep the indexes up to date: one process per index. */
  readonly write: boolean
  /** Answer from them. */
  readonly serve: boolean
}

export type RunningCoins = ServedChains & { readonly stop: () => Promise<void> }

export function startCoins(options: CoinsOptions, { log }: { readonly log: Logger }): RunningCoins {
  const writers: RunningWriter[] = []
  const serving = new Map<ChainId, ServingChain>()
  for (const chain of chainIds) {
    const source = options.chains[chain]
    if (source === undefined) continue
    const chainOptions = { chain, dataDir: options.dataDir, rpcUrl: source.rpcUrl, blocksDir: source.blocksDir }
    if (options.write) writers.push(startWriter(chainOptions, (event) => tell(log, chain, event)))
    if (options.serve) {
      const onFault = (fault: { readonly code: string; readonly reason: string }): void =>
        log.warn({ chain, ...fault }, 'the chain cannot be asked at the moment')
      serving.set(chain, serveChain({ ...chainOptions, readOnly: !options.write }, { onFault }))
    }
  }
  return {
    find: (chain) => serving.get(chain)?.find(),
    stop: async () => {
      await Promise.all(Array.from(serving.values(), (chain) => chain.stop()))
      await Promise.all(writers.map((writer) => writer.stop()))
    },
  }
}

function tell(log: Logger, chain: ChainId, event: WriterEvent): void {
  switch (event.type) {
    case 'connected':
      log.info({ chain, network: event.network, source: event.source, height: event.tip?.height }, 'coin index open')
      return
    case 'progress': {
      const { height, target, bytesPerSecond, secondsLeft } = event.progress
      const mbPerSecond = Math.round(bytesPerSecond / 1e5) / 10
      log.info({ chain, height, target, mbPerSecond, secondsLeft: Math.round(secondsLeft) }, 'indexing')
      return
    }
    case 'followed':
      if (event.undone.length > 0) log.warn({ chain, undone: event.undone.length }, 'blocks left the chain')
      log.info({ chain, height: event.tip?.height, applied: event.applied }, 'blocks indexed')
      return
    case 'fault': {
      const { code, reason, retryable } = event
      if (retryable) log.warn({ chain, code, reason }, 'the coin index waits')
      else log.error({ chain, code, reason }, 'the coin index has stopped')
      return
    }
  }
}
