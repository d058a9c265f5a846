/** Contracts by which one account takes assets although no getter names it: each is exploited, and none is green. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Hex, keccak256, pad, toHex } from 'viem'
import { eoa, own, signers } from '../../../../testing/evm/control.ts'
import type { Deployed } from '../../../../testing/evm/evm.ts'
import { profiledNode } from '../../../../testing/evm/profiles.ts'
import { reasonTexts } from '../../../../vocabulary/reasons.ts'

const [KEY, VICTIM] = [eoa(1), eoa(2)]
const { options, node, evm, made, profileOf } = await profiledNode()

const balanceOf = async (token: Deployed, account: Hex): Promise<bigint> =>
  BigInt(await evm.read(token, 'balanceOf', [account]))

/** Judges a contract, then lets the key take units of a token by it. */
async function expectTaken(contract: Deployed, token: Deployed, take: () => Promise<unknown>): Promise<void> {
  const { tone, powers } = await profileOf(contract.address)
  const explanation = JSON.stringify(powers?.map(({ effect, label, functions }) => [effect, label, functions]))
  assert.ok(tone === 'red' || tone === 'grey', `${tone}: ${explanation}`)
  const before = await balanceOf(token, KEY)
  await take()
  assert.ok((await balanceOf(token, KEY)) > before, 'the key has taken nothing')
}

test('one account that needs no allowance moves the units of others', options, async () => {
  for (const name of ['SkippedAllowance', 'FreeReceiver']) {
    const token = await evm.deploy(own(name), KEY, VICTIM)
    await expectTaken(token, token, () => made.as(KEY, token, 'transferFrom', VICTIM, KEY, 1000n))
  }
})

test('units of others that every caller may move are not green', options, async () => {
  const token = await evm.deploy(own('UncheckedMove'), VICTIM)
  await expectTaken(token, token, () => made.as(KEY, token, 'aaa', VICTIM, KEY, 1000n))
})

test('one account that may store any word has every balance', options, async () => {
  const token = await evm.deploy(own('AnySlot'), KEY)
  const slot = keccak256(`${pad(KEY, { size: 32 })}${'0'.repeat(64)}`)
  await expectTaken(token, token, () => made.as(KEY, token, 'aaa', slot, toHex(1000n, { size: 32 })))
})

test('one account that calls a function in a slot takes what the contract holds', options, async () => {
  const token = await evm.deploy(own('HonestAllowance'), VICTIM)
  const holder = await evm.deploy(own('StoredFunction'), KEY, token.address)
  await made.as(VICTIM, token, 'transfer', holder.address, 1000n)
  await expectTaken(holder, token, () => made.as(KEY, holder, 'aaa', KEY, 1000n))
})

test('a list that its members can only leave is a list of holders', options, async () => {
  const token = await evm.deploy(own('ListedMinters'), KEY)
  await expectTaken(token, token, () => made.as(KEY, token, 'aaa', 1000n))
})

test('units for nothing are not open to every caller because no account is compared', options, async () => {
  const by = await evm.deploy(own('Switch'), KEY)
  const switched = await evm.deploy(own('SwitchedMint'), by.address)
  await expectTaken(switched, switched, async () => {
    await made.as(KEY, by, 'set', true)
    await made.as(KEY, switched, 'aaa', 1000n)
  })
  const listed = await evm.deploy(own('ListedSecret'), keccak256('0x1234'))
  await expectTaken(listed, listed, () => made.as(KEY, listed, 'aaa', '0x1234', 1000n))
  const puzzle = await evm.deploy(own('Puzzle'), 125n)
  await expectTaken(puzzle, puzzle, () => made.as(KEY, puzzle, 'aaa', 5n, 1000n))
  const keeper = await evm.deploy(own('ItemKeeper'), KEY)
  await expectTaken(keeper, keeper, () => made.as(KEY, keeper, 'aaa', 7n, 1000n))
  const majority = await evm.deploy(own('MajorityMint'), KEY)
  await expectTaken(majority, majority, () => made.as(KEY, majority, 'aaa', 1000n))
})

test('units for nothing in one case of a transfer are not green', options, async () => {
  const token = await evm.deploy(own('MagicAmount'), VICTIM)
  await expectTaken(token, token, () => made.as(KEY, token, 'transferFrom', VICTIM, KEY, 0x5deece66dn))
})

test('units for the key in a call that names no function are not green', options, async () => {
  const token = await evm.deploy(own('ShortInput'), KEY, VICTIM)
  await expectTaken(token, token, async () => {
    await node.rpc('anvil_setBalance', KEY, '0xde0b6b3a7640000')
    await evm.sendRaw(token.address, '0x123456', KEY)
  })
})

test('one account lists signatures by which it takes what the contract has approved', options, async () => {
  const token = await evm.deploy(own('HonestAllowance'), VICTIM)
  const spender = await evm.deploy(own('SignedSpender'))
  const holder = await evm.deploy(own('ListedSignatures'), KEY, token.address, spender.address)
  await made.as(VICTIM, token, 'transfer', holder.address, 1000n)
  const hash = keccak256('0x1234')
  await expectTaken(holder, token, async () => {
    await made.as(KEY, holder, 'aaa', hash)
    await made.as(KEY, spender, 'take', token.address, holder.address, 1000n, hash, '0x')
  })
})

test('every caller takes what open functions give away', options, async () => {
  const token = await evm.deploy(own('HonestAllowance'), VICTIM)
  const vault = await evm.deploy(own('OpenShares'), token.address)
  const units = await evm.deploy(own('OpenToken'), VICTIM)
  await made.as(VICTIM, token, 'transfer', vault.address, 1000n)
  await expectTaken(vault, token, () => made.as(KEY, vault, 'aaa', 1000n))
  await expectTaken(units, units, () => made.as(KEY, units, 'aaa', KEY, 1000n))
  for (const contract of [vault, units, await evm.deploy(own('OpenEther')), await evm.deploy(own('OpenCalls'))]) {
    const { tone, powers, reasons } = await profileOf(contract.address)
    assert.equal(tone, 'red', JSON.stringify(powers))
    assert.match(reasonTexts(reasons)[0] ?? '', /^Every caller can /)
  }
  const honest = await evm.deploy(own('HonestFunds'), token.address)
  assert.equal((await profileOf(honest.address)).tone, 'green')
})

test('every caller takes what is paid if it chooses a contract that the payment calls', options, async () => {
  const ledger = await evm.deploy(own('AnyLedger'))
  for (const [name, steps] of [
    [
      'OpenLedger',
      [
        ['aaa', ledger.address],
        ['bbb', 1000n],
      ],
    ],
    ['OpenNextLedger', [['aaa', ledger.address], ['bbb'], ['ccc']]],
  ] as const) {
    const vault = await evm.deploy(own(name), eoa(3))
    await node.rpc('anvil_setBalance', vault.address, '0x3e8')
    const { tone, powers } = await profileOf(vault.address)
    assert.equal(tone, 'red', name)
    assert.equal(powers?.find(({ effect }) => effect === 'set_dependency')?.isOpen, true, name)
    for (const [step, ...args] of steps) await made.as(KEY, vault, step, ...args)
    assert.equal(await node.rpc('eth_getBalance', vault.address, 'latest'), '0x0', name)
  }
  for (const name of ['OpenAsset', 'OpenAssetOnce']) {
    const token = await evm.deploy(own('HonestAllowance'), VICTIM)
    const worthless = await evm.deploy(own('HonestAllowance'), KEY)
    const vault = await evm.deploy(own(name), token.address)
    await made.as(VICTIM, token, 'approve', vault.address, 1000n)
    await made.as(VICTIM, vault, 'put', 1000n)
    await expectTaken(vault, token, async () => {
      await made.as(KEY, worthless, 'approve', vault.address, 1000n)
      await made.as(KEY, vault, 'aaa', worthless.address)
      await made.as(KEY, vault, 'put', 1000n)
      await made.as(KEY, vault, 'aaa', token.address)
      await made.as(KEY, vault, 'out', 1000n)
    })
  }
})

test('contracts that a payment calls and that not every caller can choose leave it green', options, async () => {
  const ledger = await evm.deploy(own('AnyLedger'))
  const owner = await made.timelock(172_800n, [(await made.safe(3, signers(5))).address])
  const vault = await evm.deploy(own('HonestLedger'), owner.address, ledger.address)
  await made.as(KEY, vault, 'start', ledger.address)
  const { tone, powers } = await profileOf(vault.address)
  assert.equal(tone, 'green', JSON.stringify(powers))
})

test('tokens whose units move by allowances or are paid for stay green', options, async () => {
  const token = await evm.deploy(own('HonestAllowance'), VICTIM)
  const deposits = await evm.deploy(own('HonestDeposits'), token.address)
  const cases = await evm.deploy(own('HonestCases'), VICTIM)
  const signatures = await evm.deploy(own('HonestSignatures'), token.address, KEY)
  for (const { address } of [token, deposits, cases, signatures]) {
    const { tone, powers } = await profileOf(address)
    assert.equal(tone, 'green', JSON.stringify(powers))
  }
})
