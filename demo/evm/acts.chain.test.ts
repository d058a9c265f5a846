import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createCodeAnalyzer } from '../../server/src/control/poll/code-analyzer.ts'
import { probe } from '../../server/src/control/poll/probe.ts'
import { openSession } from '../../server/src/control/poll/session.ts'
import { DEFAULT_POLICY } from '../../server/src/control/rpc/endpoint-health.ts'
import { createRpcPool } from '../../server/src/control/rpc/pool.ts'
import { systemTiming } from '../../server/src/lib/clock.ts'
import { anvilMissing } from '../../testing/evm/anvil.ts'
import { freePort } from '../../testing/support/port.ts'
import { temporaryFolder } from '../../testing/support/temporary-folder.ts'
import type { Label } from '../../vocabulary/labels.ts'
import { reasonTexts } from '../../vocabulary/reasons.ts'
import { CHAINS, type Keep, populate } from './populate.ts'
import { runNextAct } from './run.ts'
import type { KnownContract } from './world.ts'

const keep: Keep = (part) => {
  after(part.stop)
  return part
}
/** Every act runs several times. */
const ROUNDS = 3
const SECONDS_BETWEEN = 12

/** What the construction of each contract deserves, by its name. */
const DESERVED: readonly (readonly [RegExp, Label])[] = [
  [/^Drift Bridge$/, 'single_key'],
  [/^(Harbor|Saltmarsh|Lantern) Timelock$|^Harbor Pool$|^Lantern Treasury$/, 'timelocked'],
  [/^Kestrel (Timelock|Clearing House)$/, 'short_timelock'],
  [/ (Council|Stewards|Board|Crew|Team|Dollar|Vault)$|^Foxglove Pair \w+\//, 'multisig'],
]
const deserved = (name: string): Label => DESERVED.find(([pattern]) => pattern.test(name))?.[1] ?? 'immutable'

const codes = createCodeAnalyzer()
after(() => codes.close())
const policy = { ...DEFAULT_POLICY, rate: { start: 5_000, min: 5_000, max: 5_000 } }

async function checkLabels(
  { slug, chainId }: (typeof CHAINS)[number],
  url: string,
  known: readonly KnownContract[],
): Promise<void> {
  const pool = createRpcPool({ timing: systemTiming, report: () => {} }, { chain: slug, chainId, urls: [url], policy })
  const session = openSession({ poolOf: () => pool, codes, confirmationsOf: () => 0 })
  for (const { name, address } of known) {
    const { profile } = await probe({ session }, { chainId, address })
    assert.equal(profile.label, deserved(name), `${name}: ${reasonTexts(profile.reasons).join(' ')}`)
  }
}

for (const settings of CHAINS) {
  const options = anvilMissing === false ? {} : { skip: anvilMissing }
  test(
    `the acts of ${settings.slug} repeat without a failed transaction, and labels stay as deserved`,
    options,
    async () => {
      const start = Math.floor(Date.now() / 1_000)
      const port = await freePort()
      const { chain, world } = await populate(settings, { port, folder: temporaryFolder(), start }, keep)
      let [turn, now] = [0, start]
      while (turn < ROUNDS * world.acts.length) {
        now += SECONDS_BETWEEN
        turn = await runNextAct(world.acts, turn, now)
        await chain.mine(now) // throws if a transaction failed
        for (const second of [4, 8]) await chain.mine(now + second)
      }
      assert.ok(world.known.length >= 8)
      await checkLabels(settings, `http://127.0.0.1:${port}`, world.known)
    },
  )
}
