/** Incidents of upgrades, signers and modules, built from published contracts. */
import { concatHex, type Hex, keccak256, numberToHex, stringToHex, zeroAddress, zeroHash } from 'viem'
import { dataOf, eoa, own, signers, wordOf } from '../evm/control.ts'
import type { Deployed } from '../evm/evm.ts'
import { batchData, execute, multiSend, type SafeCall } from '../evm/safe-transactions.ts'
import type { Incident, World } from './incident.ts'

export const ATTACKER = eoa(0x666)
const SENTINEL: Hex = '0x0000000000000000000000000000000000000001'
export const MINUTE = 60
export const DAY = 86_400
/** Code that sends the whole balance to the caller. */
const SWEEP: Hex = '0x5f5f5f5f47335af100'

/** Code that an attacker prepared, at an address of its own. */
async function prepared(world: World): Promise<Hex> {
  const address: Hex = `0x${'5a'.repeat(20)}`
  await world.setCode(address, SWEEP)
  return address
}

/** A transaction that several owners approve on the chain. */
async function executeBy(world: World, safe: Deployed, owners: readonly Hex[], call: SafeCall): Promise<Hex> {
  const { to, data = '0x', value = 0n, isDelegated = false, safeTxGas = 0n } = call
  const fields = [to, value, data, isDelegated ? 1 : 0, safeTxGas, 0n, 0n, zeroAddress, zeroAddress] as const
  const nonce = BigInt(await world.evm.read(safe, 'nonce'))
  const hash = await world.evm.read(safe, 'getTransactionHash', [...fields, nonce])
  for (const owner of owners) await world.as(owner, safe, 'approveHash', hash)
  const sorted = owners.toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))
  const signatures = concatHex(sorted.map((owner) => concatHex([wordOf(owner), numberToHex(1, { size: 33 })])))
  return await world.as(owners[0] as Hex, safe, 'execTransaction', ...fields, signatures)
}

export const sweep = (world: World, target: Hex) => async () => {
  await world.fund(ATTACKER)
  await world.evm.sendRaw(target, '0x', ATTACKER)
}

/** Code that stores its first argument in slot 0, where a Safe has its singleton. */
const WRITER: Hex = '0x6004355f5500'

/** The call looks like a transfer of tokens. */
async function singletonWriter(world: World): Promise<{ readonly to: Hex; readonly data: Hex }> {
  const to: Hex = `0x${'5b'.repeat(20)}`
  await world.setCode(to, WRITER)
  return { to, data: concatHex(['0xa9059cbb', wordOf(await prepared(world)), zeroHash]) }
}

async function upgradeByOneKey(world: World): Promise<void> {
  const proxy = await world.transparent4(eoa(7))
  await world.fund(proxy.address)
  await world.watch(proxy.address)
  const code = await prepared(world)
  const admin = { address: proxy.address, abi: ADMIN_ABI }
  await world.act(DAY, () => world.as(eoa(7), admin, 'upgradeTo', code))
  await world.lose(5 * MINUTE, sweep(world, proxy.address))
}

export const ADMIN_ABI = [
  { type: 'function', name: 'upgradeTo', inputs: [{ type: 'address' }], outputs: [], stateMutability: 'nonpayable' },
] as const
export const role = (name: string): Hex => keccak256(stringToHex(name))

export const UPGRADES_AND_SIGNERS: readonly Incident[] = [
  {
    name: 'Bybit 2025',
    what: 'A Safe transaction delegated to a contract that replaced the singleton of the Safe.',
    expects: ['safe.delegatecall_unknown'],
    play: async (world) => {
      const owners = signers(5)
      const safe = await world.safe(3, owners, '1.3.0', 'L1')
      await world.fund(safe.address)
      await world.watch(safe.address)
      const call = await singletonWriter(world)
      await world.act(DAY, () => executeBy(world, safe, owners.slice(0, 3), { ...call, isDelegated: true }))
      await world.lose(2 * MINUTE, sweep(world, safe.address))
    },
  },
  {
    name: 'WazirX 2024',
    what: 'Signers approved a batch that contained the delegatecall to a contract that replaced the singleton.',
    expects: ['safe.delegatecall_unknown'],
    play: async (world) => {
      const owners = signers(6)
      const safe = await world.safe(4, owners, '1.3.0', 'L1')
      const library = await multiSend(world.evm, '1.3.0')
      await world.fund(safe.address)
      await world.watch(safe.address)
      const data = batchData([{ to: eoa(50) }, { ...(await singletonWriter(world)), isDelegated: true }])
      const call = { to: library.address, data, isDelegated: true }
      await world.act(DAY, () => executeBy(world, safe, owners.slice(0, 4), call))
      await world.lose(MINUTE, sweep(world, safe.address))
    },
  },
  {
    name: 'UXLINK 2025',
    what: 'The owners of a Safe were replaced, and the threshold lowered to one.',
    expects: ['safe.owners_replaced', 'safe.changed_threshold'],
    play: async (world) => {
      const [first, second] = signers(2) as [Hex, Hex]
      const safe = await world.safe(2, [first, second], '1.4.1')
      const library = await multiSend(world.evm, '1.4.1')
      await world.fund(safe.address)
      await world.watch(safe.address)
      const to = safe.address
      const data = batchData([
        { to, data: dataOf(safe, 'addOwnerWithThreshold', [ATTACKER, 1n]) },
        { to, data: dataOf(safe, 'removeOwner', [ATTACKER, first, 1n]) },
        { to, data: dataOf(safe, 'removeOwner', [ATTACKER, second, 1n]) },
      ])
      await world.act(DAY, () =>
        executeBy(world, safe, [first, second], { to: library.address, data, isDelegated: true }),
      )
      await world.lose(10 * MINUTE, () => execute(world, safe, ATTACKER, { to: ATTACKER, value: 10n ** 18n }))
    },
  },
  {
    name: 'Radiant 2024',
    what: 'Three of eleven signers were misled: a failed attempt, six days later the ownership was transferred, then the code replaced.',
    expects: ['ownable.transferred', 'proxy.upgraded'],
    play: async (world) => {
      const owners = signers(11)
      const safe = await world.safe(3, owners, '1.3.0', 'L1')
      const proxy = await world.uups('OwnedUups', safe.address)
      await world.fund(proxy.address)
      await world.watch(safe.address, proxy.address)
      const code = (await world.evm.deploy(own('OwnedUups'))).address
      const early = { to: proxy.address, data: dataOf(proxy, 'transferOwnership', [zeroAddress]), safeTxGas: 100_000n }
      await world.act(DAY, () => executeBy(world, safe, owners.slice(0, 3), early))
      const give = { to: proxy.address, data: dataOf(proxy, 'transferOwnership', [ATTACKER]) }
      await world.act(6 * DAY, () => executeBy(world, safe, owners.slice(0, 3), give))
      await world.act(MINUTE, () => world.as(ATTACKER, proxy, 'upgradeToAndCall', code, '0x'))
      await world.lose(MINUTE, () => world.as(ATTACKER, proxy, 'transferOwnership', eoa(0x667)))
    },
  },
  {
    name: 'Unleash 2025',
    what: 'A multisig was taken over, then it upgraded a contract.',
    expects: ['safe.owners_replaced', 'proxy.upgraded'],
    play: async (world) => {
      const owner = eoa(1)
      const safe = await world.safe(1, [owner], '1.4.1')
      const proxy = await world.uups('OwnedUups', safe.address)
      await world.watch(safe.address, proxy.address)
      const swap = dataOf(safe, 'swapOwner', [SENTINEL, owner, ATTACKER])
      await world.act(DAY, () => execute(world, safe, owner, { to: safe.address, data: swap }))
      const code = (await world.evm.deploy(own('OwnedUups'))).address
      const upgrade = { to: proxy.address, data: dataOf(proxy, 'upgradeToAndCall', [code, '0x']) }
      await world.act(10 * MINUTE, () => execute(world, safe, ATTACKER, upgrade))
      const take = { to: proxy.address, data: dataOf(proxy, 'transferOwnership', [ATTACKER]) }
      await world.lose(5 * MINUTE, () => execute(world, safe, ATTACKER, take))
    },
  },
  {
    name: 'UPCX 2025',
    what: 'One key replaced the code of a proxy.',
    expects: ['proxy.upgraded'],
    play: upgradeByOneKey,
  },
  {
    name: 'Zoth 2025',
    what: 'One key replaced the code of a proxy.',
    expects: ['proxy.upgraded'],
    play: upgradeByOneKey,
  },
  {
    name: 'Wasabi 2026',
    what: 'The admin granted a role, and its holder upgraded the contract.',
    expects: ['access.role_granted', 'proxy.upgraded'],
    play: async (world) => {
      const proxy = await world.uups('RoledUups', eoa(1), zeroAddress)
      await world.watch(proxy.address)
      await world.act(DAY, () => world.as(eoa(1), proxy, 'grantRole', role('UPGRADER_ROLE'), ATTACKER))
      const code = (await world.evm.deploy(own('RoledUups'))).address
      await world.act(MINUTE, () => world.as(ATTACKER, proxy, 'upgradeToAndCall', code, '0x'))
      await world.lose(MINUTE, () => world.as(eoa(1), proxy, 'grantRole', zeroHash, ATTACKER))
    },
  },
  {
    name: 'PlayDapp 2024',
    what: 'The attacker became a minter.',
    expects: ['access.role_granted'],
    play: async (world) => {
      const token = await world.evm.deploy(own('RoleToken'), eoa(1), eoa(2), eoa(3))
      await world.watch(token.address)
      await world.act(DAY, () => world.as(eoa(1), token, 'grantRole', role('MINTER_ROLE'), ATTACKER))
      await world.lose(10 * MINUTE, () => world.as(ATTACKER, token, 'mint', ATTACKER, 10n ** 24n))
    },
  },
  {
    name: 'Squid router module 2026',
    what: 'A Safe enabled a module that any caller can drive.',
    expects: ['safe.enabled_module'],
    play: async (world) => {
      const owners = signers(3)
      const safe = await world.safe(2, owners, '1.4.1', 'L1')
      const module = await world.evm.deploy(own('OpenRouterModule'))
      await world.fund(safe.address)
      await world.watch(safe.address)
      const enable = { to: safe.address, data: dataOf(safe, 'enableModule', [module.address]) }
      await world.act(DAY, () => executeBy(world, safe, owners.slice(0, 2), enable))
      await world.lose(30 * DAY, () =>
        world.as(ATTACKER, module, 'callBridge', safe.address, ATTACKER, 10n ** 18n, '0x'),
      )
    },
  },
  {
    name: 'Ronin 2024',
    what: 'A multisig upgraded a bridge to code that was not initialized, so that any caller could withdraw.',
    expects: ['proxy.upgraded'],
    play: async (world) => {
      const owner = eoa(1)
      const safe = await world.safe(1, [owner], '1.3.0', 'L1')
      const proxy = await world.transparent4(safe.address)
      await world.fund(proxy.address)
      await world.watch(safe.address, proxy.address)
      const data = dataOf({ abi: ADMIN_ABI }, 'upgradeTo', [await prepared(world)])
      await world.act(DAY, () => execute(world, safe, owner, { to: proxy.address, data }))
      await world.lose(90 * MINUTE, sweep(world, proxy.address))
    },
  },
  {
    name: 'Drift 2026',
    what: 'Control moved from a timelock to a multisig without a delay.',
    expects: ['ownable.transferred'],
    play: async (world) => {
      const owner = eoa(1)
      const timelock = await world.timelock(BigInt(2 * DAY), [owner])
      const safe = await world.safe(1, [eoa(2)], '1.4.1')
      const proxy = await world.uups('OwnedUups', timelock.address)
      await world.watch(timelock.address, safe.address, proxy.address)
      const give = dataOf(proxy, 'transferOwnership', [safe.address])
      const operation = [proxy.address, 0n, give, zeroHash, zeroHash] as const
      await world.act(DAY, () => world.as(owner, timelock, 'schedule', ...operation, BigInt(2 * DAY)))
      await world.act(2 * DAY, () => world.as(owner, timelock, 'execute', ...operation))
      const code = (await world.evm.deploy(own('OwnedUups'))).address
      const upgrade = { to: proxy.address, data: dataOf(proxy, 'upgradeToAndCall', [code, '0x']) }
      await world.lose(3 * DAY, () => execute(world, safe, eoa(2), upgrade))
    },
  },
]
