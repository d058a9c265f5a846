/** Contracts on a real node whose functions for all callers do what another contract answers. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Hex } from 'viem'
import { eoa, own, signers } from '../../../../testing/evm/control.ts'
import type { Deployed } from '../../../../testing/evm/evm.ts'
import { profiledNode } from '../../../../testing/evm/profiles.ts'
import { reasonTexts } from '../../../../vocabulary/reasons.ts'

const DAY = 86_400n
const { options, evm, made, profileOf } = await profiledNode()
let [safe, timelock, token]: readonly Hex[] = []

before(async () => {
  if (options.skip !== undefined) return
  safe = (await made.safe(3, signers(5))).address
  timelock = (await made.timelock(2n * DAY, [safe])).address
  token = (await deployed('FixedToken', evm.accounts[0])).address
})

const deployed = (name: string, ...args: readonly unknown[]): Promise<Deployed> => evm.deploy(own(name), ...args)

async function toneBy(name: string, source: Deployed, ...args: readonly unknown[]): Promise<string> {
  const { label, tone, reasons } = await profileOf((await deployed(name, source.address, ...args)).address)
  assert.equal(label, 'immutable', reasonTexts(reasons).join('\n'))
  return tone
}

test('what a contract pays has the tone of the accounts that decide how much, or to whom', options, async () => {
  for (const [name, ...args] of [
    ['RatedPayments', token],
    ['NamedPayments', token],
  ] as const) {
    for (const [holder, tone] of [
      [eoa(1), 'red'],
      [safe, 'amber'],
      [timelock, 'green'],
    ] as const)
      assert.equal(await toneBy(name, await deployed('KeyRates', holder), ...args), tone, `${name} ${tone}`)
    assert.equal(await toneBy(name, await deployed('FixedRates', eoa(1)), ...args), 'green', name)
  }
  assert.equal(await toneBy('RatedPayments', await deployed('OpenRates'), token), 'grey', 'every caller sets the rate')
})

test('a contract that passes on or stores the answer of another has the tone of the other', options, async () => {
  for (const name of ['PassedRates', 'StoredRates']) {
    const [weak, fixed] = [await deployed('KeyRates', eoa(1)), await deployed('FixedRates', eoa(1))]
    assert.equal(await toneBy('RatedPayments', await deployed(name, weak.address), token), 'red', name)
    assert.equal(await toneBy('RatedPayments', await deployed(name, fixed.address), token), 'green', name)
  }
})

test('the key of the contract that is asked takes what others have paid in', options, async () => {
  const [key, payer] = evm.accounts as readonly [Hex, Hex]
  const asset = { abi: own('FixedToken').abi, address: token as Hex }
  const rates = await deployed('KeyRates', key)
  const bank = await deployed('RatedPayments', rates.address, token)
  await evm.send(asset, 'transfer', [payer, 1000n])
  await evm.send(asset, 'approve', [bank.address, 1000n], payer)
  await evm.send(bank, 'put', [1000n], payer)
  await evm.send(asset, 'approve', [bank.address, 1n], key)
  await evm.send(bank, 'put', [1n], key)
  const before = BigInt(await evm.read(asset, 'balanceOf', [key]))
  await evm.send(rates, 'aaa', [1001n * 10n ** 18n], key)
  await evm.send(bank, 'aaa', [1n], key)
  assert.equal(BigInt(await evm.read(asset, 'balanceOf', [key])) - before, 1001n)
  assert.equal((await profileOf(bank.address)).tone, 'red')
})

test('the key of a list that transfers ask is not green', options, async () => {
  assert.equal(await toneBy('ListedToken', await deployed('KeyList', eoa(1)), eoa(2)), 'amber')
  assert.equal(await toneBy('ListedToken', await deployed('KeyList', timelock), eoa(2)), 'green')
})

test('code that refuses calls at its own address gives no power there', options, async () => {
  const { tone, powers } = await profileOf((await deployed('RunByOthers')).address)
  assert.deepEqual([tone, powers], ['green', []])
})
