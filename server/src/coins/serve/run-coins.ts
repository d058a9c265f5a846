/** Starts and stops the coin chains of this process. */
import type { CoinChain, CoinChainConfig, Config } from '../../config/config.ts'
import type { Logger } from '../../lib/log.ts'
import { faultLog, type LoopFault } from '../../lib/supervise.ts'
import { startIndexWriter, type WriterEvent } from '../index/index-writer.ts'
import { type ChainService, startChainService } from './chain-service.ts'
import type { CoinLoop, ServedChains } from './served-chain.ts'

export type RunningCoins = {
  readonly served: ServedChains
  /** Every loop of this process, and its fault; undefined while it works. */
  readonly loops: () => readonly { readonly chain: CoinChain; readonly loop: CoinLoop; readonly fault: Fault }[]
  /** Resolves after the first attempt to serve each chain. */
  readonly firstAttempts: Promise<unknown>
  readonly stop: () => Promise<void>
}

type Fault = LoopFault | undefined

/** Starts an index writer per chain for the role `index`, and a chain service per chain for the role `serve`. */
export function runCoins(config: Config, log: Logger): RunningCoins {
  const chains = Object.entries(config.coinChains) as [CoinChain, CoinChainConfig][]
  const stops: (() => Promise<void>)[] = []
  const services = new Map<CoinChain, ChainService>()
  const faults = new Map<CoinChain, Map<CoinLoop, Fault>>(chains.map(([chain]) => [chain, new Map()]))
  for (const [chain, settings] of chains) {
    const options = { chain, ...settings, dataDir: config.dataDir }
    const own = faults.get(chain)
    const keeperOf = (loop: CoinLoop): ((fault: Fault) => void) => {
      own?.set(loop, undefined)
      const report = faultLog(log, `${chain} ${loop}`, { chain, loop })
      return (fault) => {
        own?.set(loop, fault)
        report(fault)
      }
    }
    if (config.roles.includes('index')) {
      const keep = { writer: keeperOf('writer'), merge: keeperOf('merge') }
      const report = writerLog(chain, log)
      const onEvent = (event: WriterEvent): void =>
        event.type === 'fault' ? keep[event.loop](event.fault) : report(event)
      stops.push(startIndexWriter(options, onEvent).stop)
    }
    if (config.roles.includes('serve')) {
      const keep = { reader: keeperOf('reader'), mempool: keeperOf('mempool') }
      const readOnly = !config.roles.includes('index')
      const service = startChainService(
        { ...options, readOnly },
        {
          onFault: (loop, fault) => keep[loop](fault),
          // A writer in this process reports the same.
          ...(readOnly && { onNoNotifications: (reason) => logNoNotifications(chain, log, reason) }),
        },
      )
      services.set(chain, service)
      stops.push(service.stop)
    }
  }
  return {
    served: {
      find: (chain: CoinChain) => services.get(chain)?.find(),
      faultsOf: (chain: CoinChain) =>
        Array.from(faults.get(chain) ?? [], ([loop, fault]) => fault && { ...fault, chain, loop }).filter(
          (fault) => fault !== undefined,
        ),
    },
    loops: () =>
      chains.flatMap(([chain]) => Array.from(faults.get(chain) ?? [], ([loop, fault]) => ({ chain, loop, fault }))),
    firstAttempts: Promise.all(services.values().map(({ firstAttempt }) => firstAttempt)),
    // Readers stop before the writer of their index.
    stop: async () => {
      for (const stop of stops.toReversed()) await stop()
    },
  }
}

const logNoNotifications = (chain: CoinChain, log: Logger, reason: string): void =>
  log.warn({ chain, code: 'zmq_unreachable' }, `${chain}: ${reason}`)

/** Logs what an operator waits for or must act on. */
function writerLog(chain: CoinChain, log: Logger): (event: Exclude<WriterEvent, { type: 'fault' }>) => void {
  return (event) => {
    switch (event.type) {
      case 'connected':
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
      case 'no_notifications':
        logNoNotifications(chain, log, event.reason)
        break
    }
  }
}
