/** Replays an incident on a local node with the watcher running, and collects what was reported before the loss. */
import type { Hex } from 'viem'
import { collectSteps } from '../../server/src/control/pending/collect.ts'
import { inspectOperations } from '../../server/src/control/pending/inspect.ts'
import { createCodeAnalyzer } from '../../server/src/control/poll/code-analyzer.ts'
import { createPoller } from '../../server/src/control/poll/poller.ts'
import { getProfiles } from '../../server/src/control/poll/profile-store.ts'
import { saveContract } from '../../server/src/control/registry/contracts.ts'
import { createRpcPool } from '../../server/src/control/rpc/pool.ts'
import { systemTiming } from '../../server/src/lib/clock.ts'
import { sql } from '../../server/src/platform/sql.ts'
import { eventText } from '../../vocabulary/event-sentence.ts'
import { LABEL_TEXTS, LABEL_TONES } from '../../vocabulary/labels.ts'
import { powerText, powerTone } from '../../vocabulary/powers.ts'
import type { Severity } from '../../vocabulary/severities.ts'
import { anvilForTests } from '../evm/anvil.ts'
import { type ControlContracts, controlContracts, FREE } from '../evm/control.ts'
import { type Evm, evmOf } from '../evm/evm.ts'
import { catalog, caughtUp, startWatching, storedEvents } from '../evm/watching.ts'
import { createTestDatabase } from '../support/database.ts'
import { testLog } from '../support/log.ts'

export type Incident = {
  readonly name: string
  /** What happened, in terms of control. */
  readonly what: string
  /** The keys of critical events that have to be reported before the loss. Empty if control did not change before it. */
  readonly expects: readonly string[]
  readonly play: (world: World) => Promise<void>
}

export type World = ControlContracts & {
  readonly evm: Evm
  /** Starts watching these contracts. Everything after it is what Gatewatch sees happen. */
  readonly watch: (...addresses: readonly Hex[]) => Promise<void>
  /** Lets time pass, acts, and waits until the block is read. */
  readonly act: (seconds: number, work: () => Promise<unknown>) => Promise<void>
  /** The loss. What is reported in its block or later comes too late. */
  readonly lose: (seconds: number, work: () => Promise<unknown>) => Promise<void>
  readonly fund: (address: Hex) => Promise<void>
}

export type Report = {
  readonly key: string
  readonly severity: Severity
  readonly text: string
  /** Seconds before the loss; not positive if it came with the loss or later. */
  readonly before: number
}

export type Outcome = {
  readonly incident: Incident
  readonly reports: readonly Report[]
  /** What the profiles of the contracts showed as red before anything happened. */
  readonly standing: readonly string[]
}

/** Plays an incident. With polls, contracts are also read after each step, as the service does after events. */
export async function replay(incident: Incident, { polls }: { readonly polls: boolean }): Promise<Outcome> {
  const node = await anvilForTests(1, FREE)
  const evm = await evmOf(node)
  const made = controlContracts(node, evm)
  const { database } = await createTestDatabase()
  const pool = createRpcPool(
    { timing: systemTiming, report: () => {} },
    { chain: 'ethereum', chainId: 1, urls: [node.url] },
  )
  const codes = createCodeAnalyzer()
  const poller = createPoller({
    database,
    catalog,
    codes,
    log: testLog,
    poolOf: (chainId) => (chainId === 1 ? pool : undefined),
    confirmationsOf: () => 0,
  })
  const watched: Hex[] = []
  let watching: ReturnType<typeof startWatching> | undefined
  let seenFrom = 0
  let standing: readonly string[] = []
  let lostAt: { readonly block: number; readonly time: number } | undefined
  const settle = async (): Promise<void> => {
    await caughtUp(database, node)
    if (!polls) return
    for (const address of watched) await poller.poll({ chainId: 1, address })
    while (await collectSteps(database)) {}
    await database.query(sql`update pending_operation set read_at = null`) // a minute has passed on the chain
    await inspectOperations({ database, pool, confirmations: 0 }, 1)
  }
  const act: World['act'] = async (seconds, work) => {
    await evm.pass(seconds)
    await work()
    await settle()
  }
  try {
    if (polls) await made.deployMulticall()
    await incident.play({
      ...made,
      evm,
      act,
      fund: async (address) => {
        await node.rpc('anvil_setBalance', address, '0x3635c9adc5dea00000')
      },
      watch: async (...addresses) => {
        for (const address of addresses) await saveContract(database, { chainId: 1, address })
        watched.push(...addresses)
        watching ??= startWatching(database, [node])
        await settle()
        seenFrom = await evm.blockNumber()
        standing = redIn(await getProfiles(database, 1, watched))
      },
      lose: async (seconds, work) => {
        const block = (await evm.blockNumber()) + 1
        await act(seconds, work)
        const { timestamp } = await node.rpc<{ timestamp: Hex }>(
          'eth_getBlockByNumber',
          `0x${block.toString(16)}`,
          false,
        )
        lostAt = { block, time: Number(timestamp) * 1_000 }
      },
    })
    const { block, time } = lostAt ?? { block: Number.POSITIVE_INFINITY, time: 0 }
    const reports = (await storedEvents(database, 1))
      .filter(({ isInit, blockNumber }) => !isInit && blockNumber > seenFrom)
      .map(
        ({ key, severity, args, blockNumber, blockTime }): Report => ({
          key,
          severity,
          text: eventText({ eventKey: key, args }),
          before: blockNumber < block ? Math.max(1, (time - blockTime) / 1_000) : 0,
        }),
      )
    return { incident, reports, standing }
  } finally {
    await watching?.stop()
    pool.close()
    await codes.close()
  }
}

/** Labels and powers that make a contract red. */
const redIn = (profiles: Awaited<ReturnType<typeof getProfiles>>): readonly string[] =>
  [...profiles.values()].flatMap(({ label, powers }) => [
    ...(LABEL_TONES[label] === 'red' ? [LABEL_TEXTS[label]] : []),
    ...(powers ?? []).filter((power) => powerTone(power) === 'red').map(powerText),
  ])

/** The first critical report before the loss of what the attacker did. Other reports may be coincidental, and do not count. */
export const warningOf = ({ incident, reports }: Outcome): Report | undefined =>
  reports
    .filter(({ key, severity, before }) => severity === 'critical' && before > 0 && incident.expects.includes(key))
    .toSorted((a, b) => b.before - a.before)[0]
