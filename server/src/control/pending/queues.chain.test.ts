/** Every family of queues on a real node: what is listed, when it can happen, and how it ends. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Hex, keccak256, stringToHex, zeroAddress, zeroHash } from 'viem'
import { anvilMissing } from '../../../../testing/evm/anvil.ts'
import { openZeppelin5 } from '../../../../testing/evm/compile.ts'
import { dataOf, eoa, own } from '../../../../testing/evm/control.ts'
import { queueWorld, secondsOf } from '../../../../testing/evm/queue-world.ts'

const DAY = 86_400

const sorted = <T>(rows: readonly T[]): readonly T[] => rows.toSorted((a, b) => String(a).localeCompare(String(b)))

test('a proposal and the operations it queues in a timelock are one change', {
  skip: anvilMissing,
  timeout: 600_000,
}, async () => {
  const { evm, register, of, now } = await queueWorld()
  const bravo = await evm.deploy(own('QueueingBravo'))
  const timelock = await evm.deploy(own('QueueingTimelock'), bravo.address, BigInt(2 * DAY))
  await evm.send(bravo, 'initialize', [timelock.address])
  const token = await evm.deploy(own('OwnedToken'), timelock.address)
  await register(bravo.address, 'Bravo')
  await register(timelock.address, 'Timelock')
  await register(token.address, 'Token')

  const give = dataOf(token, 'transferOwnership', [eoa(5)])
  const actions = [
    [token.address, token.address],
    [0n, 0n],
    ['transferOwnership(address)', ''],
    [`0x${give.slice(10)}`, give],
  ]
  await evm.send(bravo, 'propose', [...actions, 'Give the token away'])
  const [proposal] = (await of(bravo.address)).open
  assert.deepEqual([proposal?.state, proposal?.callCount, proposal?.queuedIn], ['proposed', 2, []])
  await evm.send(bravo, 'queue', [1n])
  const queuedAt = await now()
  for (const address of [bravo.address, timelock.address, token.address, undefined]) {
    const { open } = await of(address)
    assert.deepEqual(
      open.map(({ family, operation, state }) => [family, operation, state]),
      [['governor', '1', 'queued']],
    )
    assert.equal(secondsOf(open[0]?.earliestAt), queuedAt + 2 * DAY)
    assert.deepEqual(
      open[0]?.queuedIn.map(({ address: at, name, family }) => [at, name, family]),
      [1, 2].map(() => [timelock.address, 'Timelock', 'compound_timelock']),
    )
    assert.equal(open[0]?.summary, `Transfer the ownership of ${token.address} to ${eoa(5)}, and 1 more call`)
  }

  // Another call that is queued in the same transaction is a change of its own. Later, because equal calls of the same
  // second are one operation of the timelock.
  await evm.pass(60)
  await evm.send(bravo, 'propose', [...actions, 'Again'])
  await evm.send(bravo, 'queueWith', [2n, token.address, dataOf(token, 'transferOwnership', [eoa(66)])])
  const { open } = await of()
  assert.deepEqual(sorted(open.map(({ family, summary }) => [family, summary])), [
    ['compound_timelock', `Transfer the ownership of ${token.address} to ${eoa(66)}`],
    ['governor', `Transfer the ownership of ${token.address} to ${eoa(5)}, and 1 more call`],
    ['governor', `Transfer the ownership of ${token.address} to ${eoa(5)}, and 1 more call`],
  ])
  const alone = open.find(({ family }) => family === 'compound_timelock')
  assert.equal(secondsOf(alone?.expiresAt), secondsOf(alone?.earliestAt) + 14 * DAY)

  // Both end together: canceled, executed. A defeat has no event.
  await evm.send(bravo, 'cancel', [2n])
  await evm.send(bravo, 'propose', [...actions, 'In vain'])
  await evm.send(bravo, 'defeat', [3n])
  await evm.pass(2 * DAY)
  await evm.send(bravo, 'propose', [[eoa(9)], [0n], [''], ['0x'], 'Nothing'])
  await evm.send(bravo, 'queue', [4n])
  const ends = (await of()).closed.map(({ family, operation, state }) => [family, operation, state])
  assert.deepEqual(sorted(ends), [
    ['governor', '2', 'canceled'],
    ['governor', '3', 'defeated'],
  ])
  await evm.pass(2 * DAY)
  await evm.send(bravo, 'execute', [4n])
  const { closed } = await of(timelock.address)
  assert.deepEqual(
    closed.map(({ operation, state }) => [operation, state]),
    [
      ['4', 'executed'],
      ['2', 'canceled'],
    ],
  )
})

test('an OpenZeppelin governor is listed by its proposal, through the vote, the timelock and the execution', {
  skip: anvilMissing,
  timeout: 600_000,
}, async () => {
  const { evm, register, of, now } = await queueWorld()
  const [me] = evm.accounts as readonly [Hex]
  const timelock = await evm.deploy(openZeppelin5('TimelockController'), BigInt(DAY), [], [zeroAddress], me)
  const shares = await evm.deploy(own('Shares'))
  const governor = await evm.deploy(own('Parliament'), shares.address, timelock.address)
  await evm.send(timelock, 'grantRole', [keccak256(stringToHex('PROPOSER_ROLE')), governor.address])
  const token = await evm.deploy(own('OwnedToken'), timelock.address)
  await register(governor.address, 'Parliament')
  await register(token.address, 'Token')
  await register(timelock.address, 'Timelock')
  await evm.send(shares, 'delegate', [me])
  await evm.mine()
  const description = 'Give the token away'
  const calls = [[token.address], [0n], [dataOf(token, 'transferOwnership', [eoa(5)])]] as const
  await evm.send(governor, 'propose', [...calls, description])
  const [proposal] = (await of()).open
  assert.equal(proposal?.state, 'proposed')
  assert.equal(proposal.queuedBy, me.toLowerCase())
  await evm.mine()
  await evm.send(governor, 'castVote', [BigInt(proposal.operation), 1])
  await evm.mine(5)
  await evm.send(governor, 'queue', [...calls, keccak256(stringToHex(description))])
  const queuedAt = await now()
  const { open } = await of(timelock.address)
  assert.deepEqual(
    open.map(({ family, state, operation }) => [family, state, operation]),
    [['governor', 'queued', proposal.operation]],
  )
  assert.equal(secondsOf(open[0]?.earliestAt), queuedAt + DAY)
  assert.deepEqual(
    open[0]?.queuedIn.map(({ family, address }) => [family, address]),
    [['oz_timelock', timelock.address]],
  )
  await evm.pass(DAY)
  // Executed at the timelock, past the governor, which reports it by its state only.
  const salt = `0x${(BigInt(governor.address) << 96n).toString(16).padStart(64, '0')}`
  const hash = BigInt(keccak256(stringToHex(description))) ^ BigInt(salt)
  await evm.send(timelock, 'executeBatch', [...calls, zeroHash, `0x${hash.toString(16).padStart(64, '0')}`])
  const { open: left, closed } = await of()
  assert.deepEqual([left.length, closed.map(({ family, state }) => [family, state])], [0, [['governor', 'executed']]])
})

test('a Zodiac delay module and an Aave payloads controller', { skip: anvilMissing, timeout: 600_000 }, async () => {
  const { evm, made, register, of, now } = await queueWorld()
  const safe = await made.safe(1, [eoa(1)], '1.4.1', 'L1')
  const delay = await evm.deploy(own('QueueingDelay'), safe.address, BigInt(DAY), BigInt(2 * DAY))
  await made.as(safe.address, safe, 'enableModule', delay.address)
  const token = await evm.deploy(own('OwnedToken'), safe.address)
  for (const [address, name] of [
    [safe.address, 'Safe'],
    [delay.address, 'Delay'],
    [token.address, 'Token'],
  ] as const)
    await register(address, name)
  const give = (to: number) => [token.address, 0n, dataOf(token, 'transferOwnership', [eoa(to)]), 0] as const
  await evm.send(delay, 'execTransactionFromModule', give(5))
  const addedAt = await now()
  await evm.send(delay, 'execTransactionFromModule', give(6))
  const { open } = await of(delay.address)
  assert.deepEqual(
    open.map(({ operation, state, summary }) => [operation, state, summary]),
    [5, 6].map((to, at) => [String(at), 'queued', `Transfer the ownership of ${token.address} to ${eoa(to)}`]),
  )
  assert.deepEqual([secondsOf(open[0]?.earliestAt), secondsOf(open[0]?.expiresAt)], [addedAt + DAY, addedAt + 3 * DAY])
  await evm.send(delay, 'setTxNonce', [1n])
  await evm.pass(DAY)
  const { closed } = await of(delay.address)
  assert.deepEqual(
    closed.map(({ operation, state }) => [operation, state]),
    [['0', 'canceled']],
  )
  await evm.send(delay, 'executeNextTx', give(6))
  assert.deepEqual(sorted((await of(delay.address)).closed.map(({ operation, state }) => [operation, state])), [
    ['0', 'canceled'],
    ['1', 'executed'],
  ])

  const payloads = await evm.deploy(own('QueueingPayloads'))
  const owned = await evm.deploy(own('OwnedToken'), payloads.address)
  await register(payloads.address, 'Payloads')
  await register(owned.address, 'Owned')
  const action = [owned.address, false, 1, 0n, 'transferOwnership(address)', `0x${eoa(7).slice(2).padStart(64, '0')}`]
  const names = ['target', 'withDelegateCall', 'accessLevel', 'value', 'signature', 'callData']
  await evm.send(payloads, 'createPayload', [[Object.fromEntries(names.map((name, at) => [name, action[at]]))]])
  assert.deepEqual(
    (await of(payloads.address)).open.map(({ state, summary }) => [state, summary]),
    [['proposed', `Transfer the ownership of ${owned.address} to ${eoa(7)}`]],
  )
  await evm.send(payloads, 'queue', [0])
  const queuedAt = await now()
  const [payload] = (await of(payloads.address)).open
  assert.deepEqual(
    [payload?.state, secondsOf(payload?.earliestAt), secondsOf(payload?.expiresAt)],
    ['queued', queuedAt + DAY, queuedAt + 8 * DAY],
  )
  await evm.pass(DAY + 1)
  await evm.send(payloads, 'executePayload', [0])
  assert.deepEqual(
    (await of(payloads.address)).closed.map(({ state }) => state),
    ['executed'],
  )
})
