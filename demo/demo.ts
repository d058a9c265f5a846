/**
 * Runs the whole service on local chains, without internet or configuration.
 *
 * HTTP answers within seconds. Meanwhile the chains get their history, then the loops that read them start. Chains are
 * created at every start, so chain data of an earlier run is deleted first; accounts and keys stay.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { demoNodesFile } from '../server/src/coins/node/connect-source.ts'
import type { Config, Role } from '../server/src/config/config.ts'
import { ensureSecret } from '../server/src/control/alerts/channels.ts'
import { importRegistry } from '../server/src/control/registry/contracts.ts'
import { parseRegistry } from '../server/src/control/registry/registry.ts'
import type { MissingPart } from '../server/src/http/about.ts'
import { reasonOf } from '../server/src/lib/errors.ts'
import type { Logger } from '../server/src/lib/log.ts'
import { type Running, start } from '../server/src/main.ts'
import { openPlatform } from '../server/src/platform/platform.ts'
import { createLogin } from './account.ts'
import { banner } from './banner.ts'
import { startApiCalls } from './caller.ts'
import { type DemoLitecoin, startDemoLitecoin } from './coins/demo-litecoin.ts'
import { areIndexesReady, type CoinStatuses, type Heights } from './coins/index-ready.ts'
import { litecoinMissing } from './coins/litecoin-node.ts'
import { startRecordedNode } from './coins/recorded-node.ts'
import { type Component, createComponents } from './components.ts'
import { areAllPolled, deleteChainData, lockDemo } from './database.ts'
import { choosePorts, type EvmPorts, type EvmSide, startEvmSide } from './evm/run.ts'
import { findMissingParts, missingSentence } from './missing.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { subscribe } from './subscriptions.ts'

export type DemoDeps = {
  readonly config: Config
  readonly log: Logger
  readonly print: (text: string) => void
  /** Parts that cannot run on this machine. */
  readonly missing?: readonly MissingPart[]
  /** Without it, Litecoin is a recorded chain. */
  readonly hasLitecoind?: boolean
}

/** Short, so that a viewer sees silent changes being found. */
const POLL_SECONDS = 20
const CONFIRMATIONS = 1

export async function startDemo({
  config,
  log,
  print,
  missing: known = findMissingParts(),
  hasLitecoind = litecoinMissing() === false,
}: DemoDeps): Promise<Running> {
  const components = createComponents(log)
  const missing = [...known]
  const isMissing = (part: MissingPart['what']) => missing.some(({ what }) => what === part)
  /** Starts a part. If it fails, the demo continues without it. */
  const attempt = async <T>(what: MissingPart['what'], work: () => Promise<T>): Promise<T | undefined> => {
    if (isMissing(what)) return undefined
    try {
      return await work()
    } catch (error) {
      if (components.isStopping()) return undefined
      log.error({ err: error }, 'a part of the demo failed to start')
      missing.push({ what, reason: reasonOf(error) })
      return undefined
    }
  }
  try {
    const { database, close } = await openPlatform({ config, log })
    components.keep({ stop: close })
    components.keep({ stop: await lockDemo(database) })
    await deleteChainData(database)
    const folder = (name: string) => join(config.dataDir, name)
    for (const name of ['coins', 'chains']) rmSync(folder(name), { recursive: true, force: true })
    const login = await createLogin({ config, database })
    const receiver = components.keep(
      await startReceiver(async () => (await ensureSecret(database, login.accountId)).secret),
    )

    const bitcoin = components.keep(await startRecordedNode())
    const litecoin = await attempt('litecoin', async () =>
      components.keep(await startDemoLitecoin({ folder: folder('chains/litecoin'), log }, { hasLitecoind })),
    )
    const ports = isMissing('contracts') ? undefined : await choosePorts()
    const sources = { bitcoin: bitcoin.url, litecoin, ports, receiver }
    components.keep(publishNodes(config.dataDir, { btc: bitcoin.url, ltc: litecoin?.url }))
    const run = async (...roles: readonly Role[]) =>
      components.keep(await start({ config: configOf(config, roles, sources), log, missing }))
    const { url, forceStop } = await run('serve', 'index', 'deliver')
    components.inBackground(async () => {
      const [evm, past] = await Promise.all([
        attempt('contracts', startEvm),
        attempt('litecoin', async () => litecoin?.past()),
      ])
      await untilIndexed({ btc: 0, ...(past !== undefined && { ltc: past.height }) })
      if (components.isStopping()) return
      litecoin?.live()
      evm?.live()
      const known = evm?.known ?? []
      components.keep(startApiCalls({ url, login, known }))
      print(banner({ url, login, known, ltcAddress: past?.address, missing: missing.map(missingSentence) }))
    })
    return { url, stop: components.stop, forceStop }

    async function untilIndexed(heights: Heights): Promise<void> {
      while (!components.isStopping()) {
        const response = await fetch(`${url}/public/status`)
        if (response.ok && areIndexesReady((await response.json()) as CoinStatuses, heights)) return
        await pause(100)
      }
    }

    async function startEvm(): Promise<EvmSide | undefined> {
      if (ports === undefined) return undefined
      const side = components.keep(await startEvmSide({ log, ports, folder: folder('chains'), keep: components.keep }))
      await importRegistry(database, parseRegistry(side.known).contracts)
      await run('watch', 'poll')
      while (!components.isStopping() && !(await areAllPolled(database, side.chains))) await pause(100)
      await subscribe({ database, receiver }, login.accountId, side.known)
      return side
    }
  } catch (error) {
    await components.stop()
    throw error
  }
}

/** Stores where the coin nodes are, so that `gatewatch verify` finds them while the demo runs. */
function publishNodes(dataDir: string, urls: Readonly<Record<string, string | undefined>>): Component {
  const file = demoNodesFile(dataDir)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(urls), { mode: 0o600 })
  return { stop: () => rmSync(file, { force: true }) }
}

type Sources = {
  readonly bitcoin: string
  readonly litecoin: DemoLitecoin | undefined
  readonly ports: EvmPorts | undefined
  readonly receiver: Receiver
}

function configOf(config: Config, roles: readonly Role[], { bitcoin, litecoin, ports, receiver }: Sources): Config {
  const evmChain = (port: number) => ({
    rpcUrls: [`http://127.0.0.1:${port}`],
    startBlock: 0,
    confirmations: CONFIRMATIONS,
  })
  return {
    ...config,
    roles,
    slotPollSeconds: POLL_SECONDS,
    sourcifyUrl: undefined, // invented contracts have no published source
    alertAllowPrivate: false,
    ownTargets: [receiver.url], // it runs on 127.0.0.1
    evmChains: Object.fromEntries(Object.entries(ports ?? {}).map(([slug, port]) => [slug, evmChain(port)])),
    coinChains: { btc: { rpcUrl: bitcoin }, ...(litecoin !== undefined && { ltc: { rpcUrl: litecoin.url } }) },
  }
}
