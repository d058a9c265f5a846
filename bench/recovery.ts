/**
 * `npm run bench -- recovery`: how soon a chain is served again after its node returns.
 *
 * Stops and starts a real Litecoin node several times. The time counts from its first response to the moment when the
 * chain is served and no loop reports a fault. With long outages, the pauses between attempts have grown.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runIndexWriter } from '../server/src/coins/index/index-writer.ts'
import { startChainService } from '../server/src/coins/serve/chain-service.ts'
import { isSynced } from '../server/src/coins/serve/served-chain.ts'
import { systemTiming } from '../server/src/lib/clock.ts'
import type { LoopFault } from '../server/src/lib/supervise.ts'
import { startLitecoind } from '../testing/coins/litecoind.ts'
import { report } from '../testing/report/result.ts'

const OUTAGES_MS = [1_000, 3_000, 8_000, 20_000, 35_000]
const POLL_MS = 5

const dataDir = mkdtempSync(join(tmpdir(), 'gatewatch-bench-'))
const daemon = await startLitecoind()
const source = { chain: 'ltc', rpcUrl: daemon.url, dataDir } as const
const stopping = new AbortController()
let writerFault: LoopFault | undefined
const writing = runIndexWriter(source, {
  timing: systemTiming,
  signal: stopping.signal,
  onEvent: (event) => {
    if (event.type === 'fault' && event.loop === 'writer') writerFault = event.fault
  },
})
const service = startChainService({ readOnly: true, ...source })

const isServed = (): boolean => {
  const chain = service.find()
  const faults = [writerFault, service.findFault('reader'), service.findFault('mempool')]
  return chain !== undefined && isSynced(chain) && faults.every((fault) => fault === undefined)
}
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(POLL_MS)
}

try {
  await daemon.call('createwallet', 'a')
  const miner = await daemon.wallet('a')<string>('getnewaddress')
  await daemon.call('generatetoaddress', 101, miner)
  await until(isServed)
  const times: number[] = []
  for (const outage of OUTAGES_MS) {
    await daemon.stop()
    await until(() => service.findFault('reader') !== undefined && writerFault !== undefined)
    await sleep(outage)
    await daemon.start()
    const returned = performance.now()
    await until(isServed)
    times.push((performance.now() - returned) / 1_000)
    console.log(`away for ${outage / 1_000} s and its start: served ${times.at(-1)?.toFixed(2)} s after its return`)
  }
  report({
    name: 'from the return of a node to its chain being served, longest',
    value: Math.max(...times),
    unit: 's',
    atMost: 2,
    peer: `${OUTAGES_MS.length} outages of ${(OUTAGES_MS[0] ?? 0) / 1_000} to ${(OUTAGES_MS.at(-1) ?? 0) / 1_000} s`,
  })
} finally {
  await daemon.remove()
  await service.stop()
  stopping.abort()
  await writing
  rmSync(dataDir, { recursive: true, force: true })
}
