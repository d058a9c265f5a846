/**
 * The environment of the service: the demo's chains, proxies in front of each node and of the alert receiver, a
 * database, an account with a webhook.
 */

import { join } from 'node:path'
import { type Litecoin, startLitecoin } from '../../demo/coins/litecoin.ts'
import { litecoinMissing } from '../../demo/coins/litecoin-node.ts'
import { type RecordedNode, startRecordedNode } from '../../demo/coins/recorded-node.ts'
import type { Components } from '../../demo/components.ts'
import { choosePorts, type EvmSide, startEvmSide } from '../../demo/evm/run.ts'
import { startReceiver } from '../../demo/receiver.ts'
import { ensureSecret } from '../../server/src/control/alerts/channels.ts'
import { importRegistry } from '../../server/src/control/registry/contracts.ts'
import { parseRegistry } from '../../server/src/control/registry/registry.ts'
import type { Logger } from '../../server/src/lib/log.ts'
import { type Database, openDatabase } from '../../server/src/platform/database.ts'
import { migrate } from '../../server/src/platform/migrate.ts'
import { joinEmbeddedPostgres } from '../../server/src/platform/postgres/embedded.ts'
import { sql } from '../../server/src/platform/sql.ts'
import { accountWithWebhook } from '../../testing/support/alerts.ts'
import { testVault } from '../../testing/support/auth-secret.ts'
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'

/** As in the demo; the soak's reorgs are deeper. */
export const CONFIRMATIONS = 1

export type Node = { readonly name: string; readonly endpoints: readonly [FaultProxy, ...FaultProxy[]] }

export type World = {
  readonly components: Components
  readonly database: Database
  readonly databaseUrl: string
  /** Creates a second, migrated database with all contracts registered. */
  readonly openFresh: () => Promise<{ readonly database: Database; readonly url: string }>
  readonly nodes: readonly Node[]
  readonly bitcoin: RecordedNode
  readonly evm: EvmSide
  readonly litecoin: Litecoin | undefined
  readonly ltcAddress: string | undefined
  readonly receiver: { readonly proxy: FaultProxy; readonly accountId: string; readonly arrived: ReadonlySet<string> }
}

type WorldOptions = { readonly folder: string; readonly log: Logger; readonly components: Components }

export async function openWorld({ folder, log, components }: WorldOptions): Promise<World> {
  try {
    const postgres = await joinEmbeddedPostgres({ folder: join(folder, 'database'), log })
    components.keep({ stop: postgres.leave })
    const open = async (name: string) => {
      const database = openDatabase({ url: postgres.urlOf(name), log, vault: testVault })
      components.keep({ stop: () => database.end() })
      await migrate(database, log)
      return database
    }
    const database = await open('postgres')

    const startProxy = async (target: string, onResponse?: Parameters<typeof startFaultProxy>[1]) =>
      components.keep(await startFaultProxy(target, onResponse))
    const bitcoin = components.keep(await startRecordedNode())
    const litecoin =
      litecoinMissing() === false
        ? components.keep(await startLitecoin({ folder: join(folder, 'litecoin'), log }))
        : undefined
    const chains = { log, ports: await choosePorts(), folder: join(folder, 'chains'), keep: components.keep }
    const [evm, past] = await Promise.all([startEvmSide(chains), litecoin?.past()])
    components.keep(evm)
    const { contracts } = parseRegistry(evm.known)
    await importRegistry(database, contracts)

    const nodes: Node[] = [{ name: 'btc', endpoints: [await startProxy(bitcoin.url)] }]
    if (litecoin !== undefined) nodes.push({ name: 'ltc', endpoints: [await startProxy(litecoin.url)] })
    for (const { slug, chain } of evm.chains)
      nodes.push({ name: slug, endpoints: [await startProxy(chain.url), await startProxy(chain.url)] })

    const arrived = new Set<string>()
    let accountId = ''
    const inner = components.keep(await startReceiver(async () => (await ensureSecret(database, accountId)).secret))
    const proxy = await startProxy(inner.url, ({ headers }, status) => {
      if (status === 200) arrived.add(String(headers['webhook-id']))
    })
    accountId = (await accountWithWebhook(database, proxy.url)).id
    return {
      components,
      database,
      databaseUrl: postgres.urlOf('postgres'),
      openFresh: async () => {
        await database.query(sql`create database fresh`)
        const fresh = await open('fresh')
        await importRegistry(fresh, contracts)
        return { database: fresh, url: postgres.urlOf('fresh') }
      },
      nodes,
      bitcoin,
      evm,
      litecoin,
      ltcAddress: past?.address,
      receiver: { proxy, accountId, arrived },
    }
  } catch (error) {
    await components.stop()
    throw error
  }
}
