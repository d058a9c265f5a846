/** Powers on a real node: contracts that cannot be upgraded and whose privileged callers can do harm. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type Hex, keccak256, stringToHex, zeroAddress } from 'viem'
import { openZeppelin5 } from '../../../../testing/evm/compile.ts'
import { eoa, own, signers } from '../../../../testing/evm/control.ts'
import { profiledNode } from '../../../../testing/evm/profiles.ts'
import type { Tone } from '../../../../vocabulary/labels.ts'
import type { PowerEffect } from '../../../../vocabulary/powers.ts'
import { reasonTexts } from '../../../../vocabulary/reasons.ts'
import type { Profile } from '../profile/profile.ts'
import type { Need } from '../profile/state.ts'

const DAY = 86_400n
const { options, evm, made, profileOf } = await profiledNode()
let [safe, timelock]: readonly Hex[] = []

before(async () => {
  if (options.skip !== undefined) return
  safe = (await made.safe(3, signers(5))).address
  timelock = (await made.timelock(2n * DAY, [safe])).address
})

const deployed = async (name: string, ...args: readonly unknown[]): Promise<Hex> =>
  (await evm.deploy(own(name), ...args)).address

/** `effect:label` of every power of a class other than information. */
const held = ({ powers }: Profile): readonly string[] =>
  (powers ?? []).filter(({ class: of }) => of !== 'info').map(({ effect, label }) => `${effect}:${label}`)

/** One key holds the power; a Safe holds it; a Safe behind a timelock of two days does. */
async function expectTones(
  name: string,
  effect: PowerEffect,
  tones: readonly [Tone, Tone, Tone],
  ...args: readonly unknown[]
): Promise<void> {
  for (const [at, holder] of [eoa(1), safe, timelock].entries()) {
    const profile = await profileOf(await deployed(name, holder, ...args))
    const power = profile.powers?.find((each) => each.effect === effect)
    const explanation = `${name} ${effect}: ${reasonTexts(profile.reasons).join('\n')}`
    assert.equal(profile.label, 'immutable', explanation)
    assert.equal(power?.label, ['single_key', 'multisig', 'timelocked'][at], explanation)
    assert.deepEqual(
      power?.holders.map(({ address, delaySeconds }) => [address, delaySeconds]),
      [[holder, at === 2 ? Number(2n * DAY) : 0]],
      explanation,
    )
    assert.equal(profile.tone, tones[at], explanation)
  }
}

test('a token whose minter is one key is red, though it is not upgradeable', options, async () => {
  await expectTones('MintableToken', 'mint', ['red', 'amber', 'green'])
  const { reasons } = await profileOf(await deployed('MintableToken', eoa(1)))
  assert.equal(reasonTexts(reasons)[0], `One key (${eoa(1)}) can mint.`)
})

test('every effect is found by what the code does', options, async () => {
  await expectTones('PriceOracle', 'set_price', ['red', 'amber', 'green'])
  await expectTones('Executor', 'execute', ['red', 'amber', 'green'])
  for (const effect of ['mint', 'move_funds'] as const)
    await expectTones('QuietToken', effect, ['red', 'amber', 'green'])
  for (const effect of ['freeze', 'pause'] as const) {
    const { powers } = await profileOf(await deployed('QuietToken', eoa(1)))
    assert.equal(powers?.find((each) => each.effect === effect)?.label, 'single_key')
  }
  const token = await deployed('FixedToken', eoa(1))
  for (const effect of ['set_price', 'move_funds'] as const)
    await expectTones('FeedConsumer', effect, ['red', 'amber', 'green'], token)
})

test('a mint that is hidden in a function for all callers is found', options, async () => {
  await expectTones('TrapToken', 'mint', ['red', 'amber', 'green'])
})

test('contracts without privileged callers have no powers and stay green', options, async () => {
  const token = await deployed('FixedToken', eoa(1))
  for (const address of [token, await deployed('OpenVault', token)]) {
    const profile = await profileOf(address)
    assert.deepEqual(held(profile), [], address)
    assert.equal(profile.tone, 'green', JSON.stringify(profile.powers))
  }
})

test('functions of a library are powers of the accounts that may call them', options, async () => {
  const library = await deployed('Payments')
  const linked = (name: string) => {
    const { abi, bytecode } = own(name)
    return { abi, bytecode: bytecode.replaceAll(/__\$[0-9a-f]{34}\$__/g, library.slice(2)) as Hex }
  }
  const vault = await profileOf((await evm.deploy(linked('LinkedVault'), eoa(1))).address)
  assert.deepEqual(held(vault), ['move_funds:single_key', 'set_dependency:single_key'])
  assert.equal(vault.tone, 'red')
  const token = await profileOf((await evm.deploy(linked('LibraryChecked'), eoa(1))).address)
  assert.deepEqual(held(token), ['mint:unknown'])
  assert.deepEqual([token.powers?.[0]?.unknown, token.tone], ['delegated', 'grey'])
})

test('a renounced owner has no power', options, async () => {
  const token = await evm.deploy(own('MintableToken'), evm.accounts[0])
  assert.equal((await profileOf(token.address)).tone, 'red')
  await evm.send(token, 'renounceOwnership')
  const profile = await profileOf(token.address)
  assert.deepEqual([profile.tone, profile.powers?.[0]?.label], ['green', 'immutable'])
})

test('members of roles hold the powers of the functions that the role opens', options, async () => {
  const profile = await profileOf(await deployed('RoleToken', timelock, eoa(2), safe))
  assert.deepEqual(held(profile), ['mint:single_key', 'grant:timelocked', 'pause:multisig'])
  assert.equal(profile.tone, 'red')
  assert.deepEqual(profile.powers?.[0]?.holders[0]?.role, 'MINTER_ROLE member')
  assert.deepEqual(
    Object.fromEntries((profile.roles ?? []).map((role) => [role.role, role.class])),
    {
      [`0x${'0'.repeat(64)}`]: 'critical',
      [keccak256(stringToHex('MINTER_ROLE'))]: 'critical',
      [keccak256(stringToHex('PAUSER_ROLE'))]: 'high',
    },
    'a role weighs as much as the functions that it opens',
  )
  const safeMinter = await profileOf(await deployed('RoleToken', timelock, timelock, eoa(3)))
  assert.equal(safeMinter.tone, 'amber', 'one key can pause')
})

test('accounts that may grant a role in another contract hold what the role opens', options, async () => {
  const tokenWith = async (admin: Hex | undefined): Promise<Profile> =>
    profileOf(await deployed('BookToken', await deployed('RoleBook', admin, timelock)))
  const [byKey, bySafe, byTimelock] = [await tokenWith(eoa(1)), await tokenWith(safe), await tokenWith(timelock)]
  assert.deepEqual([byKey.tone, bySafe.tone, byTimelock.tone], ['red', 'amber', 'green'])
})

test('a member of a role that the constructor stored without an event is not known', options, async () => {
  const honest = await profileOf(await deployed('HiddenMember', timelock, zeroAddress))
  assert.deepEqual([honest.tone, held(honest)], ['green', ['mint:timelocked', 'grant:timelocked']])
  const hiding = await profileOf(await deployed('HiddenMember', timelock, eoa(1)))
  assert.deepEqual([hiding.tone, held(hiding)], ['grey', ['mint:unknown', 'grant:unknown']])
  assert.deepEqual(
    hiding.powers?.[0]?.holders.map(({ address }) => address),
    [timelock],
    'those that events name stay',
  )
  const silent = await profileOf(await deployed('SilentGrants', timelock))
  assert.equal(silent.powers?.find(({ effect }) => effect === 'mint')?.label, 'unknown')
})

test('a contract that keeps roles must answer from the table that its events report', options, async () => {
  for (const name of ['LyingBook', 'ShiftedBook']) {
    const book = await deployed(name, timelock, ...(name === 'LyingBook' ? [eoa(1)] : []))
    const { tone, powers } = await profileOf(await deployed('BookToken', book))
    assert.deepEqual([tone, powers?.[0]?.unknown], ['grey', 'answer'], name)
  }
  const hiding = await profileOf(await deployed('BookToken', await deployed('HiddenMember', timelock, eoa(1))))
  assert.deepEqual([hiding.tone, hiding.powers?.[0]?.unknown], ['grey', 'table'])
})

test('what a multisig answers about the caller may be true for one signer', options, async () => {
  const { tone, powers } = await profileOf(await deployed('SignerToken', safe))
  assert.deepEqual([tone, powers?.[0]?.effect, powers?.[0]?.label], ['red', 'mint', 'single_key'])
})

test('accounts that no getter names and that decide who may call are holders', options, async () => {
  for (const [token, book] of [
    ['BookToken', 'AppointedBook'],
    ['OwnedElsewhere', 'NamedOwner'],
  ] as const) {
    const byKey = await profileOf(await deployed(token, await deployed(book, timelock, eoa(1))))
    assert.deepEqual([byKey.tone, byKey.powers?.[0]?.effect], ['red', 'mint'], book)
    const byTimelock = await profileOf(await deployed(token, await deployed(book, timelock, timelock)))
    assert.equal(byTimelock.tone, 'green', book)
  }
  const denying = await profileOf(await deployed('DenyingToken', timelock, eoa(1)))
  assert.equal(denying.tone, 'red', 'its getter denies a member')
})

test('a token with the getters of a timelock has the powers of its code', options, async () => {
  const profile = await profileOf(await deployed('TimelockToken', safe, eoa(1)))
  assert.deepEqual([profile.tone, profile.powers?.at(-1)?.effect], ['red', 'mint'])
})

test('every owner that another contract names to some callers is a holder', options, async () => {
  const book = await deployed('TwoFaces', timelock, eoa(1))
  assert.equal((await profileOf(await deployed('OwnedElsewhere', book))).tone, 'red')
})

test('wards are holders; a list that no event tells is not known', options, async () => {
  const profile = await profileOf(await deployed('WardedToken', safe))
  assert.deepEqual(held(profile), ['mint:unknown', 'grant:unknown'])
  assert.equal(profile.tone, 'grey')
})

test('a guard that a new account passes in a simulation is called open', options, async () => {
  for (const kind of [1n, 2n, 3n]) {
    const profile = await profileOf(await deployed('GatedToken', await deployed('Gate', kind)))
    const [mint] = profile.powers ?? []
    assert.deepEqual(
      [profile.tone, mint?.effect, mint?.label, mint?.isOpen, mint?.functions[0]?.evidence],
      ['red', 'mint', 'single_key', true, 'trial'],
      `kind ${kind}`,
    )
    assert.match(reasonTexts(profile.reasons)[0] ?? '', /^Every caller can mint/)
  }
  const closed = await profileOf(await deployed('GatedToken', await deployed('Gate', 0n)))
  assert.deepEqual([closed.tone, closed.powers?.[0]?.isOpen], ['grey', undefined], 'a refusal proves nothing')
})

test(
  'an account that passes a guard that is not known, where a new account does not, is a holder',
  options,
  async () => {
    const profile = await profileOf(await deployed('ForwardedToken', eoa(1), eoa(5)))
    const [mint] = profile.powers ?? []
    // The forwarder may name any account; who passes otherwise, a trial shows.
    assert.deepEqual([profile.tone, mint?.holders.map(({ address }) => address).sort()], ['red', [eoa(1), eoa(5)]])
  },
)

test('trials are not repeated for the same code and accounts', options, async () => {
  const address = await deployed('GatedToken', await deployed('Gate', 1n))
  const first = await profileOf(address)
  const asked: Need[] = []
  const again = await profileOf(address, first, (need) => asked.push(need))
  assert.deepEqual([again.powers, again.trials], [first.powers, first.trials])
  assert.equal(asked.filter(({ what }) => what === 'trial').length, 0)
})

test('signatures and forwarders leave the guard unknown, and the tone not green', options, async () => {
  for (const address of [await deployed('SignedToken', eoa(1)), await deployed('ForwardedToken', timelock, eoa(5))]) {
    const profile = await profileOf(address)
    assert.equal(profile.powers?.[0]?.effect, 'mint')
    assert.notEqual(profile.tone, 'green')
  }
})

test('a timelock has the power to execute, held by its proposers', options, async () => {
  const profile = await profileOf(timelock as Hex)
  assert.deepEqual([profile.label, profile.tone, held(profile)], ['timelocked', 'green', ['execute:timelocked']])
})

test('a multisig shows what its signatures are worth', options, async () => {
  const plain = await made.plain()
  const weak = (await made.safe(2, [evm.accounts[0] as Hex, eoa(91), eoa(92), eoa(93), plain])).address
  const { tree, powers } = await profileOf(weak)
  assert.deepEqual(
    reasonTexts(tree.notes).filter((text) => /signer/.test(text)),
    [
      '2 of 5 signers suffice, less than half.',
      `1 of its signers is a contract: ${plain}.`,
      `3 of its signers have never sent a transaction on this chain: ${eoa(91)}, ${eoa(92)}, ${eoa(93)}.`,
      'Some of its signers are contracts, or accounts that delegate to one (EIP-7702), and how they sign is not proven: fewer than two keys may be enough.',
    ],
  )
  assert.deepEqual([powers?.[0]?.holders[0]?.threshold, powers?.[0]?.holders[0]?.owners], [2, 5])
  const sound = await profileOf((await made.safe(3, evm.accounts.slice(0, 4))).address)
  assert.ok(!sound.tree.notes.some(({ code }) => code === 'below_half' || code === 'signing_contracts'))
  assert.equal(sound.tree.signersNeeded, 3)
})

test('holders of powers are walked to the last key for the drawing', options, async () => {
  const { powerPaths } = await profileOf(await deployed('RoleToken', timelock, eoa(2), safe))
  assert.deepEqual(
    powerPaths?.map(({ node, effects }) => [effects, node.address, node.paths.map(({ address }) => address)]),
    [
      [['mint'], eoa(2), []],
      [['grant'], timelock, [safe]],
      [['pause'], safe, []],
    ],
  )
})

test('a proxy has the powers of its logic, and the power to upgrade of its label', options, async () => {
  const admin = await evm.deploy(openZeppelin5('ProxyAdmin'), timelock)
  const logic = await deployed('MintableToken', eoa(1))
  const proxy = await evm.deploy(openZeppelin5('TransparentUpgradeableProxy'), logic, admin.address, '0x06fdde03')
  const profile = await profileOf(proxy.address)
  // The storage of the proxy has no owner.
  assert.deepEqual(held(profile).slice(1), ['mint:immutable', 'grant:immutable'])
  assert.notEqual(profile.tone, 'red', zeroAddress)
  const { functions = {} } = profile.running ?? {}
  assert.equal(functions['0x40c10f19'], 'the account in slot 5')
  assert.equal(functions['0xa9059cbb'], 'every caller')
})
