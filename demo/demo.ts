/**
 * The whole service on local chains, for somebody who wants to see it: no internet, nothing to configure.
 *
 * Owns the order of things. HTTP answers within seconds; the chains get their past meanwhile, and the loops that read
 * them begin when they have it. Chains are made anew at every start, so what an earlier run knew of them is forgotten
 * first; accounts and keys stay.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Config, Role } from '../server/src/config/config.ts'
import { importRegistry } from '../server/src/control/registry/contracts.ts'
import { parseRegistry } from '../server/src/control/registry/registry.ts'
import type { Missing } from '../server/src/http/about.ts'
import { reasonOf } from '../server/src/lib/errors.ts'
import type { Logger } from '../server/src/lib/log.ts'
import { type Running, start } from '../server/src/main.ts'
import { openGround } from '../server/src/platform/ground.ts'
import { makeLogin } from './account.ts'
import { banner } from './banner.ts'
import { startCaller } from './caller.ts'
import { areIndexed, type CoinsSeen, type Heights } from './coins/indexed.ts'
import { type Litecoin, startLitecoin } from './coins/litecoin.ts'
import { startRecordedNode } from './coins/recorded-node.ts'
import { forgetChains, hasLookedAtAll, occupy } from './database.ts'
import { choosePorts, type EvmPorts, type EvmSide, startEvmSide } from './evm/run.ts'
import { findMissing, sentenceOf } from './missing.ts'
import { keepParts } from './parts.ts'
import { subscribe } from './subscriptions.ts'

export type DemoDeps = {
  readonly config: Config
  readonly log: Logger
  readonly print: (text: string) => void
  /** What need not be tried, because it cannot run here. */
  readonly missing?: readonly Missing[]
}

/** Often enough that a silent change is found while one watches. */
const POLL_SECONDS = 20
const CONFIRMATIONS = 1

export async function startDemo({ config, log, print, missing: known = findMissing() }: DemoDeps): Promise<Running> {
  const parts = keepParts(log)
  const missing = [...known]
  const isMissing = (part: Missing['what']) => missing.some(({ what }) => what === part)
  /** A part that fails is missing, and the rest is shown without it. */
  const attempt = async <T>(what: Missing['what'], work: () => Promise<T>): Promise<T | undefined> => {
    if (isMissing(what)) return undefined
    try {
      return await work()
    } catch (error) {
      if (parts.isStopping()) return undefined
      log.error({ err: error }, 'a part of the demo cannot be shown')
      missing.push({ what, reason: reasonOf(error) })
      return undefined
    }
  }
  try {
    const { database, authSecret, close } = await openGround({ config, log })
    parts.keep({ stop: close })
    parts.keep({ stop: await occupy(database) })
    await forgetChains(database)
    const folder = (name: string) => join(config.dataDir, name)
    for (const name of ['coins', 'chains']) rmSync(folder(name), { recursive: true, force: true })
    const login = await makeLogin({ config, database, authSecret, log })

    const bitcoin = parts.keep(await startRecordedNode())
    const litecoin = await attempt('litecoin', async () =>
      parts.keep(await startLitecoin({ folder: folder('chains/litecoin'), log })),
    )
    const ports = isMissing('contracts') ? undefined : await choosePorts()
    const sources = { bitcoin: bitcoin.url, litecoin, ports }
    const run = async (...roles: readonly Role[]) =>
      parts.keep(await start({ config: configOf(config, roles, sources), log, missing }))
    const { url, forceStop } = await run('serve', 'index', 'deliver')
    parts.inBackground(async () => {
      const [evm, past] = await Promise.all([
        attempt('contracts', startEvm),
        attempt('litecoin', async () => litecoin?.past()),
      ])
      await untilIndexed({ btc: 0, ...(past !== undefined && { ltc: past.height }) })
      if (parts.isStopping()) return
      litecoin?.live()
      evm?.live()
      const known = evm?.known ?? []
      parts.keep(startCaller({ url, login, known }))
      print(banner({ url, login, known, ltcAddress: past?.address, missing: missing.map(sentenceOf) }))
    })
    return { url, stop: parts.stop, forceStop }

    async function untilIndexed(heights: Heights): Promise<void> {
      while (!parts.isStopping()) {
        const answer = await fetch(`${url}/public/status`)
        if (answer.ok && areIndexed((await answer.json()) as CoinsSeen, heights)) return
        await pause(100)
      }
    }

    async function startEvm(): Promise<EvmSide | undefined> {
      if (ports === undefined) return undefined
      const side = parts.keep(await startEvmSide({ log, ports, folder: folder('chains'), keep: parts.keep }))
      await importRegistry(database, parseRegistry(side.known).contracts)
      await run('watch', 'poll')
      while (!parts.isStopping() && !(await hasLookedAtAll(database, side.chains))) await pause(100)
      await subscribe({ database, keep: parts.keep }, login.accountId, side.known)
      return side
    }
  } catch (error) {
    await parts.stop()
    throw error
  }
}

type Sources = {
  readonly bitcoin: string
  readonly litecoin: Litecoin | undefined
  readonly ports: EvmPorts | undefined
}

function configOf(config: Config, roles: readonly Role[], { bitcoin, litecoin, ports }: Sources): Config {
  const evmChain = (port: number) => ({
    rpcUrls: [`http://127.0.0.1:${port}`],
    startBlock: 0,
    confirmations: CONFIRMATIONS,
  })
  return {
    ...config,
    roles,
    slotPollSeconds: POLL_SECONDS,
    sourcifyUrl: undefined, // its contracts are nobody else's business
    alertAllowPrivate: true, // the receiver of its alerts is the demo itself
    evmChains: Object.fromEntries(Object.entries(ports ?? {}).map(([slug, port]) => [slug, evmChain(port)])),
    coinChains: { btc: { rpcUrl: bitcoin }, ...(litecoin !== undefined && { ltc: { rpcUrl: litecoin.url } }) },
  }
}
