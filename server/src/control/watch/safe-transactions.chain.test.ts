/** What Safes of several releases execute, read from calldata and logs: real node, real contracts, real watcher. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Hex, zeroAddress } from 'viem'
import { anvilForTests, anvilMissing } from '../../../../testing/evm/anvil.ts'
import { safeContract } from '../../../../testing/evm/compile.ts'
import { controlContracts, dataOf, eoa, FREE, own } from '../../../../testing/evm/control.ts'
import { type Deployed, evmOf } from '../../../../testing/evm/evm.ts'
import { batchData, execData, execute, multiSend, oldSafe } from '../../../../testing/evm/safe-transactions.ts'
import { caughtUp, startWatching, storedEvents } from '../../../../testing/evm/watching.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { eventText } from '../../../../vocabulary/event-sentence.ts'
import { saveContract } from '../registry/contracts.ts'

const SENTINEL: Hex = '0x0000000000000000000000000000000000000001'
const [OWNER, OTHER, ATTACKER] = [eoa(1), eoa(2), eoa(66)]

test('what Safes execute is reported, whatever they log', { skip: anvilMissing, timeout: 300_000 }, async () => {
  const node = await anvilForTests(1, FREE)
  const evm = await evmOf(node)
  const made = controlContracts(node, evm)
  const { database } = await createTestDatabase()
  const silent = await made.safe(1, [OWNER], '1.3.0', 'L1')
  const verbose = await made.safe(1, [OWNER], '1.4.1')
  const old = await oldSafe(evm, [OWNER], 1)
  const outer = await made.safe(1, [OWNER], '1.5.0', 'L1')
  const nested = await made.safe(1, [outer.address], '1.4.1', 'L1')
  const token = await evm.deploy(own('OwnedToken'), silent.address)
  const foreign = await evm.deploy(own('OwnedToken'), eoa(9))
  const library = await multiSend(evm, '1.4.1')
  const unknown = await evm.deploy(own('Plain'))
  const watched = [silent, verbose, old, nested, token, foreign]
  for (const { address } of watched) await saveContract(database, { chainId: 1, address })
  const watching = startWatching(database, [node])
  after(() => watching.stop())
  await caughtUp(database, node)

  const set = dataOf(unknown, 'set', [1n])
  const give = (owner: Hex): Hex => dataOf(token, 'transferOwnership', [owner])
  /** The findings of a transaction: key, severity, contract, and what was called. */
  const findings = async (hash: Hex) => {
    await caughtUp(database, node)
    const events = (await storedEvents(database, 1)).filter(
      ({ txHash, logIndex }) => txHash === hash && logIndex >= 1e9,
    )
    return events
      .map(({ key, severity, address, args }) => [key, severity, nameOf(address), nameOf(args.to), args.function])
      .toSorted((a, b) => String(a).localeCompare(String(b)))
  }
  const names: readonly (readonly [Deployed, string])[] = [
    [silent, 'silent'],
    [verbose, 'verbose'],
    [old, 'old'],
    [nested, 'nested'],
    [token, 'token'],
    [foreign, 'foreign'],
    [unknown, 'unknown'],
  ]
  const nameOf = (address: unknown): unknown => names.find(([one]) => one.address === address)?.[1] ?? address

  const delegated = { to: unknown.address, data: set, isDelegated: true }
  for (const [safe, name] of [
    [silent, 'silent'],
    [verbose, 'verbose'],
    [old, 'old'],
  ] as const)
    assert.deepEqual(
      await findings(await execute(made, safe, OWNER, delegated)),
      [['safe.delegatecall_unknown', 'critical', name, 'unknown', '0x60fe47b1']],
      `a delegatecall of ${name} to code that Safe did not release`,
    )
  const inner = execData(nested, outer.address, delegated)
  assert.deepEqual(await findings(await execute(made, outer, OWNER, { to: nested.address, data: inner })), [
    ['safe.delegatecall_unknown', 'critical', 'nested', 'unknown', '0x60fe47b1'],
  ])

  const batch = batchData([{ to: eoa(5), value: 0n }, { to: token.address, data: give(OTHER) }, delegated])
  const batched = await execute(made, silent, OWNER, { to: library.address, data: batch, isDelegated: true })
  assert.deepEqual(await findings(batched), [
    ['safe.control_call', 'high', 'silent', 'token', 'transferOwnership(address)'],
    ['safe.delegatecall_unknown', 'critical', 'silent', 'unknown', '0x60fe47b1'],
  ])
  const logged = (await storedEvents(database, 1)).find(
    ({ txHash, key }) => txHash === batched && key === 'safe.exec_ok',
  )
  assert.deepEqual(logged?.args.calls, [
    { to: eoa(5) },
    { to: token.address, function: 'transferOwnership(address)', arguments: [OTHER] },
    { to: unknown.address, function: '0x60fe47b1', operation: 'delegatecall' },
  ])

  // Signed by the owners, and failed inside: the Safe logs the failure and not what it was.
  const failing = { to: foreign.address, data: give(ATTACKER), safeTxGas: 100_000n }
  assert.deepEqual(await findings(await execute(made, silent, OWNER, failing)), [
    ['attempt.failed', 'high', 'silent', 'foreign', 'transferOwnership(address)'],
  ])
  assert.deepEqual(await findings(await execute(made, old, OWNER, failing)), [
    ['attempt.failed', 'high', 'old', 'foreign', 'transferOwnership(address)'],
  ])
  const direct = await node.rpc<Hex>('eth_sendTransaction', {
    from: ATTACKER,
    to: foreign.address,
    data: give(ATTACKER),
    gas: '0x30000',
    gasPrice: '0x0',
  })
  await evm.mine()
  assert.deepEqual(await findings(direct), [
    ['attempt.failed', 'info', 'foreign', 'foreign', 'transferOwnership(address)'],
  ])

  await execute(made, silent, OWNER, { to: silent.address, data: dataOf(silent, 'enableModule', [OTHER]) })
  assert.deepEqual(
    await findings(await made.as(OTHER, silent, 'execTransactionFromModule', unknown.address, 0n, set, 1)),
    [['safe.delegatecall_unknown', 'critical', 'silent', 'unknown', '0x60fe47b1']],
  )

  const add = (owner: Hex) => ({ to: verbose.address, data: dataOf(verbose, 'addOwnerWithThreshold', [owner, 1n]) })
  const more = batchData([add(eoa(11)), add(eoa(12))])
  assert.deepEqual(
    await findings(await execute(made, verbose, OWNER, { to: library.address, data: more, isDelegated: true })),
    [['safe.threshold_below_half', 'critical', 'verbose', undefined, undefined]],
  )
  const swap = (from: Hex, before: Hex, to: Hex) => ({
    to: silent.address,
    data: dataOf(silent, 'swapOwner', [before, from, to]),
  })
  assert.deepEqual(await findings(await execute(made, silent, OWNER, swap(OWNER, SENTINEL, ATTACKER))), [
    ['safe.owners_replaced', 'critical', 'silent', undefined, undefined],
  ])

  const handler = await evm.deploy(safeContract('1.4.1', 'handler/CompatibilityFallbackHandler'))
  for (const address of [handler.address, token.address, zeroAddress] as const)
    await execute(made, verbose, OWNER, { to: verbose.address, data: dataOf(verbose, 'setFallbackHandler', [address]) })
  await caughtUp(database, node)
  const handlers = (await storedEvents(database, 1)).filter(({ key }) => key === 'safe.changed_fallback_handler')
  assert.deepEqual(
    handlers.map(({ severity }) => severity),
    ['high', 'critical', 'high'],
  )
})

test('owners that are replaced over months are replaced as a whole', {
  skip: anvilMissing,
  timeout: 300_000,
}, async () => {
  const node = await anvilForTests(1, FREE)
  const evm = await evmOf(node)
  const made = controlContracts(node, evm)
  const { database } = await createTestDatabase()
  const safe = await made.safe(2, [eoa(1), eoa(2), eoa(3)], '1.4.1', 'L1')
  await saveContract(database, { chainId: 1, address: safe.address })
  const watching = startWatching(database, [node])
  after(() => watching.stop())
  /** What is reported while these accounts take the places of the owners, one in a month. */
  const replacing = async (owners: readonly Hex[], next: readonly Hex[]) => {
    const found: unknown[] = []
    for (const [at, owner] of owners.entries()) {
      await evm.pass(30 * 86_400)
      const hash = await made.as(safe.address, safe, 'swapOwner', next[at - 1] ?? SENTINEL, owner, next[at])
      await caughtUp(database, node)
      const events = (await storedEvents(database, 1)).filter(
        ({ txHash, key }) => txHash === hash && key === 'safe.owners_replaced',
      )
      found.push(events.map(({ severity, args }) => [severity, [...(args.previous as Hex[])].toSorted()]))
    }
    return found
  }
  const [first, second, third] = [1, 4, 7].map((n) => [eoa(n), eoa(n + 1), eoa(n + 2)]) as [Hex[], Hex[], Hex[]]
  assert.deepEqual(await replacing(first, second), [[], [], [['critical', first]]])
  assert.deepEqual(await replacing(second, third), [[], [], [['critical', second]]], 'from then on, those count')
})

test('what weakens a Safe is critical and named', { skip: anvilMissing, timeout: 300_000 }, async () => {
  const node = await anvilForTests(1, FREE)
  const evm = await evmOf(node)
  const made = controlContracts(node, evm)
  const { database } = await createTestDatabase()
  const owners = [eoa(1), eoa(2), eoa(3), eoa(4)]
  const safe = await made.safe(3, owners, '1.5.0', 'L1')
  const token = await evm.deploy(own('RoleToken'), safe.address, eoa(5), eoa(6))
  // The Safe lets others move its tokens, so that a call that its handler forwards may be worth something.
  await made.as(safe.address, token, 'approve', eoa(9), 10n ** 18n)
  await saveContract(database, { chainId: 1, address: safe.address })
  const watching = startWatching(database, [node])
  after(() => watching.stop())
  await caughtUp(database, node)

  /** The critical events of a call that the Safe makes to itself. */
  const critical = async (name: string, ...args: readonly unknown[]): Promise<readonly string[]> => {
    const hash = await made.as(safe.address, safe, name, ...args)
    await caughtUp(database, node)
    return (await storedEvents(database, 1))
      .filter(({ txHash, severity }) => txHash === hash && severity === 'critical')
      .map(({ key, args: found }) => eventText({ eventKey: key, args: found }))
      .toSorted()
  }
  assert.deepEqual(await critical('setGuard', zeroAddress), ['Guard removed: transactions are no longer checked'])
  assert.deepEqual(await critical('setModuleGuard', zeroAddress), [
    'Module guard removed: transactions of modules are no longer checked',
  ])
  assert.deepEqual(await critical('setFallbackHandler', token.address), [`Fallback handler set to ${token.address}`])
  assert.deepEqual(await critical('changeThreshold', 2n), ['Threshold changed from 3 to 2'])
  assert.deepEqual(await critical('changeThreshold', 1n), [
    'Fewer than half of the signers can act: 1 of 4',
    'Threshold changed from 2 to 1',
  ])
  assert.deepEqual(await critical('changeThreshold', 4n), [], 'a higher threshold is not critical')

  // One after the other: only the last replacement leaves none of the owners.
  let before: Hex = SENTINEL
  for (const [at, owner] of owners.entries()) {
    const texts = await critical('swapOwner', before, owner, eoa(20 + at))
    before = eoa(20 + at)
    const isLast = at === owners.length - 1
    assert.deepEqual(
      texts.map((text) => text.slice(0, 31)),
      isLast ? ['All signers of the Safe replaced'.slice(0, 31)] : [],
      `owner ${at}`,
    )
  }
})
