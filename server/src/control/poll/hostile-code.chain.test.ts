/** Contracts whose code costs more than the budget delay no other contract and end as unknown: real node, real processes. */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { anvilForTests, anvilMissing } from '../../../../testing/evm/anvil.ts'
import { controlContracts, FREE } from '../../../../testing/evm/control.ts'
import { evmOf } from '../../../../testing/evm/evm.ts'
import { catalog } from '../../../../testing/evm/watching.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { testLog } from '../../../../testing/support/log.ts'
import { reasonTexts } from '../../../../vocabulary/reasons.ts'
import { systemTiming } from '../../lib/clock.ts'
import { type Hex, toBytes } from '../../lib/hex.ts'
import { sql } from '../../platform/sql.ts'
import { saveContract } from '../registry/contracts.ts'
import { createRpcPool } from '../rpc/pool.ts'
import { createCodeAnalyzer } from './code-analyzer.ts'
import { createPoller } from './poller.ts'
import { findProfile } from './profile-store.ts'

/** More states than the analysis follows in a third of a second. */
const hostileCode = (n: number): Hex =>
  `0x5b${'6000'.repeat(500)}${'5b'.repeat(12_000)}60${n.toString(16).padStart(2, '0')}`

test('hostile code does not delay other contracts and counts as unknown', { skip: anvilMissing }, async () => {
  const node = await anvilForTests(1, FREE)
  const evm = await evmOf(node)
  const { database } = await createTestDatabase()
  const pool = createRpcPool(
    { timing: systemTiming, report: () => {} },
    { chain: 'ethereum', chainId: 1, urls: [node.url] },
  )
  const codes = createCodeAnalyzer({ processes: 1, budget: { cpuMs: 300 } })
  after(async () => {
    pool.close()
    await codes.close()
  })
  const poller = createPoller({ database, catalog, codes, log: testLog, poolOf: () => pool, confirmationsOf: () => 0 })
  const hostile = Array.from({ length: 3 }, (_, n): Hex => `0x${'bad0'.repeat(9)}${n.toString(16).padStart(4, '0')}`)
  for (const [n, address] of hostile.entries()) {
    await node.rpc('anvil_setCode', address, hostileCode(n))
    await database.query(sql`insert into contract (chain_id, address, source) values (1, $1, 'discovered')`, [
      toBytes(address),
    ])
  }
  const address = await controlContracts(node, evm).plain()
  await saveContract(database, { chainId: 1, address })

  const profileOf = (of: Hex) => findProfile(database, { chainId: 1, address: of })
  const count = async () =>
    (await Promise.all(hostile.map(profileOf))).filter((profile) => profile !== undefined).length
  await poller.round(1, new Date(), { analysisWaitMs: 0 })
  const pollAgain = async (): Promise<void> => {
    await setTimeout(50)
    await poller.pollRequested(1, { analysisWaitMs: 0 })
  }
  while ((await profileOf(address)) === undefined) await pollAgain()
  assert.ok((await count()) < hostile.length, 'it did not wait for all of them')

  while ((await count()) < hostile.length) await pollAgain()
  for (const of of hostile) {
    const profile = await profileOf(of)
    assert.equal(profile?.label, 'unknown')
    assert.match(reasonTexts(profile.reasons).join(), /too complex: its analysis exceeds the limit of CPU time/)
  }
})
