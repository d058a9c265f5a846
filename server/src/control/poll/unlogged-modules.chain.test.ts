/** Safe 1.0.0 logs nothing that its modules execute: the poll of its state reports what they changed. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { concatHex, type Hex, parseAbi } from 'viem'
import { anvilForTests, anvilMissing } from '../../../../testing/evm/anvil.ts'
import { controlContracts, eoa, FREE, own, wordOf } from '../../../../testing/evm/control.ts'
import { evmOf } from '../../../../testing/evm/evm.ts'
import { oldSafe } from '../../../../testing/evm/safe-transactions.ts'
import { catalog, storedEvents } from '../../../../testing/evm/watching.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { testLog } from '../../../../testing/support/log.ts'
import { systemTiming } from '../../lib/clock.ts'
import { createRpcPool } from '../rpc/pool.ts'
import { createCodeAnalyzer } from './code-analyzer.ts'
import { createPoller } from './poller.ts'

const ENABLE = parseAbi(['function enableModule(address)'])

/** Code that stores its argument in this slot. */
const writerOf = (slot: number): Hex => `0x60043560${slot.toString(16).padStart(2, '0')}5500`

test('what a module of Safe 1.0.0 changes without a log is reported by the poll', {
  skip: anvilMissing,
  timeout: 300_000,
}, async () => {
  const node = await anvilForTests(1, FREE)
  const evm = await evmOf(node)
  const made = controlContracts(node, evm)
  await made.deployMulticall()
  const { database } = await createTestDatabase()
  const pool = createRpcPool(
    { timing: systemTiming, report: () => undefined },
    { chain: 'ethereum', chainId: 1, urls: [node.url, node.url] },
  )
  after(() => pool.close())
  const codes = createCodeAnalyzer()
  after(() => codes.close())
  const poller = createPoller({
    database,
    catalog,
    codes,
    log: testLog,
    poolOf: (chainId) => (chainId === 1 ? pool : undefined),
    confirmationsOf: () => 0,
  })
  for (const [slot, value, field, key] of [
    [4, wordOf(1), 'safeThreshold', 'slot.safe_threshold_changed'],
    [0, wordOf(eoa(66)), 'singleton', 'slot.safe_singleton_changed'],
  ] as const) {
    const safe = await oldSafe(evm, [eoa(1), eoa(2)], 2)
    const ref = { chainId: 1, address: safe.address }
    const writer = eoa(0x900 + slot)
    await made.setCode(writer, writerOf(slot))
    const module = await evm.deploy(own('DecoyModule'), safe.address, writer, concatHex(['0x12345678', value]))
    await made.as(safe.address, { ...safe, abi: ENABLE }, 'enableModule', module.address)
    await poller.poll(ref)
    await evm.sendRaw(module.address, '0x')
    const { silent } = await poller.poll(ref)
    assert.deepEqual(
      silent.map((change) => change.field),
      [field],
    )
    const events = (await storedEvents(database, 1)).filter(({ address }) => address === safe.address)
    assert.ok(
      events.some((event) => event.key === key && event.severity === 'critical'),
      events.map((event) => `${event.key} ${event.severity}`).join(),
    )
  }
})
