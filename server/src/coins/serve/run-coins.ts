/**
 * The coin chains of this process, as the configuration names them: what `main.ts` starts and stops.
 */
import type { CoinChain, CoinChainConfig, Config } from '../../config/config.ts'
import type { Logger } from '../../lib/log.ts'
import type { WriterEvent } from '../index/index-writer.ts'
import { startIndexWriter } from '../index/start-writer.ts'
import { type ChainService, startChainService } from './chain-service.ts'
import type { ServedChains } from './served-chain.ts'

export type RunningCoins = {
  readonly served: ServedChains
  /** Every chain was looked at once: what can be answered is answered from now on. */
  readonly looked: Promise<unknown>
  readonly stop: () => Promise<void>
}

/** The coin chains: with the role `index` a writer for each, with `serve` a reader that keeps up with it. */
export function runCoins(config: Config, log: Logger): RunningCoins {
  const chains = Object.entries(config.coinChains) as [CoinChain, CoinChainConfig][]
  const stops: (() => Promise<void>)[] = []
  const serving = new Map<CoinChain, ChainService>()
  for (const [chain, { rpcUrl, blocksDir, zmqUrl }] of chains) {
    const options = { chain, rpcUrl, blocksDir, zmqUrl, dataDir: config.dataDir }
    if (config.roles.includes('index')) stops.push(startIndexWriter(options, writerLog(chain, log)).stop)
    if (config.roles.includes('serve')) {
      const onFault = ({ code, reason }: { code: string; reason: string }) =>
        log.warn({ chain, code }, `${chain}: ${reason}`)
      const reader = startChainService({ ...options, readOnly: !config.roles.includes('index') }, { onFault })
      serving.set(chain, reader)
      stops.push(reader.stop)
    }
  }
  return {
    served: { find: (chain: CoinChain) => serving.get(chain)?.find() },
    looked: Promise.all(serving.values().map(({ looked }) => looked)),
    // Readers first: a writer that ends takes nothing from under them.
    stop: async () => {
      for (const stop of stops.toReversed()) await stop()
    },
  }
}

/** One line for what an operator waits for or must act on; the same fault again is no news. */
function writerLog(chain: CoinChain, log: Logger): (event: WriterEvent) => void {
  let lastFault = ''
  return (event) => {
    switch (event.type) {
      case 'connected':
        lastFault = ''
        log.info(
          { chain, network: event.network, tip: event.tip?.height },
          `${chain}: reading ${event.network} from ${event.source}`,
        )
        break
      case 'progress': {
        const { height, target, bytesPerSecond, secondsLeft } = event.progress
        log.info(
          { chain, height, target },
          `${chain}: ${height} of ${target} blocks, ${(bytesPerSecond / 1e6).toFixed(1)} MB/s, ${Math.ceil(secondsLeft)} s left`,
        )
        break
      }
      case 'followed':
        if (event.disconnected.length > 0)
          log.warn(
            { chain, disconnected: event.disconnected.length, tip: event.tip?.height },
            `${chain}: ${event.disconnected.length} blocks left the chain`,
          )
        else log.debug({ chain, tip: event.tip?.height, connected: event.connected }, `${chain}: followed`)
        break
      case 'fault':
        if (event.reason !== lastFault)
          log[event.retryable ? 'warn' : 'error']({ chain, code: event.code }, `${chain}: ${event.reason}`)
        lastFault = event.reason
        break
    }
  }
}
