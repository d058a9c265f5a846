/**
 * `npm run bench -- electrs [megabytes]`: the initial sync of the same chain by electrs and by our index, in turns.
 *
 * A `bitcoind` holds a chain that is shaped like Bitcoin mainnet (default 200 MB). electrs reads it over the peer-to-peer
 * protocol, as it always does, and we read the node's block files. Each sync has its own process and an empty index; medians
 * of three count. Needs `electrs` and `bitcoind` on the PATH.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCoinIndex } from '../server/src/coins/index/coin-index.ts'
import { syncIndex } from '../server/src/coins/index/initial-sync.ts'
import { openLmdbKv } from '../server/src/coins/index/kv-lmdb.ts'
import { bitcoinRegtest } from '../server/src/coins/networks/bitcoin.ts'
import { openBlockFiles } from '../server/src/coins/node/block-files.ts'
import { systemClock } from '../server/src/lib/clock.ts'
import { type CoreDaemon, startCoreDaemon } from '../testing/coins/core-daemon.ts'
import { report, reportUnmeasured, reportVersions } from '../testing/report/result.ts'
import { packageVersions } from '../testing/report/versions.ts'
import { freePort } from '../testing/support/port.ts'
import { type MadeChain, makeChain } from './make-chain.ts'
import { medianOf } from './median.ts'
import { usedBytes } from './used-bytes.ts'

const ROUNDS = 3
const NAME = 'initial sync next to electrs'

type Sync = {
  readonly seconds: number
  readonly cpuSeconds: number
  readonly megabytes: number
  readonly indexBytes: number
}

const versionOf = (program: string): string | undefined => {
  const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  return status === 0 ? /v[\d.]+[\w.]*/.exec(stdout)?.[0] : undefined
}

/** The largest memory and the CPU time of a process until it exits: `/proc` keeps neither afterwards. */
async function measured(child: ChildProcess): Promise<Omit<Sync, 'indexBytes'>> {
  const started = performance.now()
  let [megabytes, cpuSeconds] = [0, 0]
  const sample = (): void => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      megabytes = Math.max(megabytes, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_000)
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
      cpuSeconds = Math.max(cpuSeconds, (Number(fields[11]) + Number(fields[12])) / 100)
    } catch {
      // It has exited.
    }
  }
  const sampling = setInterval(sample, 20)
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('exit', resolve))
  const seconds = (performance.now() - started) / 1_000
  clearInterval(sampling)
  if (code !== 0) throw new Error(`${child.spawnfile} exited with code ${code}`)
  return { seconds, cpuSeconds, megabytes }
}

const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)

async function syncElectrs(node: CoreDaemon, peer: number, folder: string): Promise<Sync> {
  mkdirSync(folder)
  const conf = join(folder, 'electrs.toml')
  writeFileSync(conf, 'auth = "user:p@ss"\n')
  const [electrum, monitoring] = [await freePort(), await freePort()]
  const database = join(folder, 'db')
  const options = {
    conf,
    network: 'regtest',
    'daemon-rpc-addr': `127.0.0.1:${new URL(node.url).port}`,
    'daemon-p2p-addr': `127.0.0.1:${peer}`,
    'electrum-rpc-addr': `127.0.0.1:${electrum}`,
    'monitoring-addr': `127.0.0.1:${monitoring}`,
    'db-dir': database,
    'log-filters': 'WARN',
  }
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
  const child = spawn('electrs', ['--skip-default-conf-files', '--sync-once', ...args], { stdio: 'inherit' })
  return { ...(await measured(child)), indexBytes: bytesIn(database) }
}

async function syncOurs(node: CoreDaemon, folder: string): Promise<Sync> {
  const self = import.meta.filename
  const child = spawn(process.execPath, [self, '--sync', node.blocksFolder, folder], { stdio: 'inherit' })
  const outcome = await measured(child)
  return { ...outcome, indexBytes: [...(await usedBytes(folder)).values()].reduce((sum, bytes) => sum + bytes, 0) }
}

/** In a process of its own. */
async function sync(blocks: string, path: string): Promise<void> {
  const files = await openBlockFiles(bitcoinRegtest, blocks)
  const kv = openLmdbKv({ path })
  await syncIndex({ index: openCoinIndex(kv, bitcoinRegtest, path), source: files, clock: systemClock })
  await kv.close()
  await files.close()
}

async function startNode(chain: MadeChain, blocks: string, peer: number): Promise<CoreDaemon> {
  const node = await startCoreDaemon('bitcoind', [
    `-assumevalid=${Buffer.from(chain.tip.toReversed()).toString('hex')}`,
    ...readdirSync(blocks).map((name) => `-loadblock=${join(blocks, name)}`),
    // electrs waits for a node whose last block is recent.
    '-maxtipage=2000000000',
    '-listen=1',
    `-bind=127.0.0.1:${peer}`,
    '-disablewallet=1',
  ])
  for (let height = 0; height < chain.blocks - 1; ) {
    await new Promise((resolve) => setTimeout(resolve, 200))
    height = await node.call<number>('getblockcount')
  }
  return node
}

const middle = (rounds: readonly Sync[], field: keyof Sync): number => medianOf(rounds.map((round) => round[field]))

function reportSyncs(chain: MadeChain, ours: readonly Sync[], electrs: readonly Sync[]): void {
  const { transactions } = chain
  const both = (field: keyof Sync): readonly [number, number] => [middle(ours, field), middle(electrs, field)]
  const [seconds, otherSeconds] = both('seconds')
  report({
    name: NAME,
    value: otherSeconds / seconds,
    unit: 'times as fast, by the clock',
    peer: `${seconds.toFixed(1)} s and ${otherSeconds.toFixed(1)} s for ${transactions} transactions; medians of ${ROUNDS} in turns`,
  })
  const [cpu, otherCpu] = both('cpuSeconds')
  report({ name: 'CPU time of an initial sync', value: cpu, unit: 's', peer: `electrs ${otherCpu.toFixed(1)} s` })
  const [bytes, otherBytes] = both('indexBytes')
  report({
    name: 'index after an initial sync',
    value: bytes / transactions,
    unit: 'bytes per transaction',
    peer: `electrs ${(otherBytes / transactions).toFixed(1)}, without amounts, totals and coins`,
  })
  const [memory, otherMemory] = both('megabytes')
  report({
    name: 'memory of an initial sync',
    value: memory,
    unit: 'MB, with the pages of the index that are in memory',
    peer: `electrs ${otherMemory.toFixed(0)} MB`,
  })
}

async function main(megabytes: number): Promise<void> {
  const [electrs, bitcoind] = [versionOf('electrs'), versionOf('bitcoind')]
  if (electrs === undefined || bitcoind === undefined) {
    const missing = [...(electrs === undefined ? ['electrs'] : []), ...(bitcoind === undefined ? ['bitcoind'] : [])]
    reportUnmeasured({ name: NAME, reason: `${missing.join(' and ')} not on the PATH` })
    return
  }
  reportVersions({ electrs, bitcoind, ...packageVersions(['lmdb']) })
  const folder = mkdtempSync(join(tmpdir(), 'gatewatch-bench-'))
  try {
    const blocks = join(folder, 'blocks')
    const chain = makeChain(bitcoinRegtest, blocks, { megabytes, blockBytes: 900_000, forNode: true })
    console.log(`${(chain.bytes / 1e6).toFixed(0)} MB, ${chain.blocks} blocks, ${chain.transactions} transactions`)
    const peer = await freePort()
    const node = await startNode(chain, blocks, peer)
    try {
      const [ours, others]: [Sync[], Sync[]] = [[], []]
      for (let round = 0; round < ROUNDS; round++) {
        others.push(await syncElectrs(node, peer, join(folder, `electrs-${round}`)))
        ours.push(await syncOurs(node, join(folder, `ours-${round}`)))
        console.log(`round ${round + 1}: electrs ${JSON.stringify(others.at(-1))}, ours ${JSON.stringify(ours.at(-1))}`)
      }
      reportSyncs(chain, ours, others)
    } finally {
      await node.remove()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const [first, blocks = '', path = ''] = process.argv.slice(2)
if (first === '--sync') await sync(blocks, path)
else await main(Number(first ?? 200))
