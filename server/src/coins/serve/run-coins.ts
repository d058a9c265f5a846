/** Starts and stops the coin chains of this process. */
import type { CoinChain, CoinChainConfig, Config } from '../../config/config.ts'
import type { Logger } from '../../lib/log.ts'
import { startIndexWriter, type WriterEvent } from '../index/index-writer.ts'
import { type ChainService, startChainService } from './chain-service.ts'
import type { ServedChains } from './served-chain.ts'

export type RunningCoins = {
  readonly served: ServedChains
  /** Resolves after the first attempt to serve each chain. */
  readonly firstAttempts: Promise<unknown>
  readonly stop: () => Promise<void>
}

/** Starts an index writer per chain for the role `index`, and a chain service per chain for the role `serve`. */
export function runCoins(config: Config, log: Logger): RunningCoins {
  const chains = Object.entries(config.coinChains) as [CoinChain, CoinChainConfig][]
  const stops: (() => Promise<void>)[] = []
  const services = new Map<CoinChain, ChainService>()
  for (const [chain, { rpcUrl, blocksDir, zmqUrl }] of chains) {
    const options = { chain, rpcUrl, blocksDir, zmqUrl, dataDir: config.dataDir }
    if (config.roles.includes('index')) stops.push(startIndexWriter(options, writerLog(chain, log)).stop)
    if (config.roles.includes('serve')) {
      const onError = ({ code, reason }: { code: string; reason: string }) =>
        log.warn({ chain, code }, `${chain}: ${reason}`)
      const service = startChainService({ ...options, readOnly: !config.roles.includes('index') }, { onError })
      services.set(chain, service)
      stops.push(service.stop)
    }
  }
  return {
    served: {
      find: (chain: CoinChain) => services.get(chain)?.find(),
      isNodeSilent: (chain: CoinChain) => services.get(chain)?.isNodeSilent() === true,
    },
    firstAttempts: Promise.all(services.values().map(({ firstAttempt }) => firstAttempt)),
    // Readers stop before the writer of their index.
    stop: async () => {
      for (const stop of stops.toReversed()) await stop()
    },
  }
}

/** Logs what an operator waits for or must act on. A repeated error is logged once. */
function writerLog(chain: CoinChain, log: Logger): (event: WriterEvent) => void {
  let lastError = ''
  return (event) => {
    switch (event.type) {
      case 'connected':
        lastError = ''
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
            `${chain}: reorg of depth ${event.disconnected.length}`,
          )
        else log.debug({ chain, tip: event.tip?.height, connected: event.connected }, `${chain}: tip followed`)
        break
      case 'error':
        if (event.reason !== lastError)
          log[event.retryable ? 'warn' : 'error']({ chain, code: event.code }, `${chain}: ${event.reason}`)
        lastError = event.reason
        break
    }
  }
}
