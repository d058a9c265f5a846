/** Incidents of roles, bridges, proposals and initializers, built from published contracts or small equivalents. */
import { concatHex, type Hex } from 'viem'
import { dataOf, eoa, own, signers, wordOf } from '../evm/control.ts'
import type { Deployed } from '../evm/evm.ts'
import type { Incident, World } from './incident.ts'
import { ADMIN_ABI, ATTACKER, DAY, MINUTE, role, sweep } from './upgrades-and-signers.ts'

const TOKENS = 10n ** 24n
/** LayerZero's number of another chain. */
const EID = 30_101

/** A governor of Compound's form whose timelock administers a proxy. */
async function governed(world: World, delay: number) {
  const governor = await world.evm.deploy(own('QueueingBravo'))
  const timelock = await world.evm.deploy(own('QueueingTimelock'), governor.address, BigInt(delay))
  await world.evm.send(governor, 'initialize', [timelock.address])
  const proxy = await world.transparent4(timelock.address)
  return { governor, timelock, proxy }
}

const propose = (world: World, governor: Deployed, target: Hex, data: Hex): Promise<unknown> =>
  world.as(ATTACKER, governor, 'propose', [target], [0n], [''], [data], 'A routine change')

/** The configuration of an application in LayerZero's library, with these verifiers. */
const verifiedBy = (verifiers: readonly Hex[]) => ({
  confirmations: 15n,
  requiredDVNCount: verifiers.length,
  optionalDVNCount: 0,
  optionalDVNThreshold: 0,
  requiredDVNs: verifiers,
  optionalDVNs: [],
})

export const ROLES_AND_QUEUES: readonly Incident[] = [
  {
    name: 'Resolv 2026',
    what: 'One account held the minting role of a token whose upgrades were timelocked, and its key was stolen.',
    expects: [],
    play: async (world) => {
      const timelock = await world.timelock(BigInt(2 * DAY), [eoa(1)])
      const token = await world.evm.deploy(own('RoleToken'), timelock.address, eoa(2), eoa(3))
      await world.watch(token.address)
      await world.lose(30 * DAY, () => world.as(eoa(2), token, 'mint', ATTACKER, TOKENS))
    },
  },
  {
    name: 'Infini 2025',
    what: 'A former developer had kept a role that may withdraw.',
    expects: [],
    play: async (world) => {
      const safe = await world.safe(3, signers(5, 10), '1.4.1')
      const vault = await world.evm.deploy(own('RoleVault'), safe.address, eoa(7))
      await world.fund(vault.address)
      await world.watch(vault.address)
      await world.lose(100 * DAY, () => world.as(eoa(7), vault, 'redeem', ATTACKER, 10n ** 18n))
    },
  },
  {
    name: 'USPD 2025',
    what: 'The attacker initialized a proxy before its deployer did, and stayed its owner behind the audited logic.',
    expects: [],
    play: async (world) => {
      const proxy = await world.uups('OwnedUups', ATTACKER)
      await world.fund(proxy.address)
      await world.watch(proxy.address)
      const code = (await world.evm.deploy(own('OwnedUups'))).address
      await world.lose(80 * DAY, () => world.as(ATTACKER, proxy, 'upgradeToAndCall', code, '0x'))
    },
  },
  {
    name: 'CrediX 2025',
    what: 'A role with a harmless name, which may mint, was granted six days before the mint.',
    expects: ['access.role_granted'],
    play: async (world) => {
      const token = await world.evm.deploy(own('BridgeRoleToken'), eoa(1))
      await world.watch(token.address)
      await world.act(DAY, () => world.as(eoa(1), token, 'grantRole', role('BRIDGE_ROLE'), ATTACKER))
      await world.lose(6 * DAY, () => world.as(ATTACKER, token, 'bridgeIn', ATTACKER, TOKENS))
    },
  },
  {
    name: 'KelpDAO 2026',
    what: 'One verifier sufficed for the messages of a bridge. In the replay two were required before.',
    expects: ['oft.uln_config'],
    play: async (world) => {
      const [endpoint, peer] = [eoa(50), wordOf(eoa(51))]
      const token = await world.evm.deploy(own('PeerToken'), eoa(1), endpoint)
      const library = await world.evm.deploy(own('VerifierLibrary'))
      const configure = (verifiers: readonly Hex[]) =>
        world.as(eoa(1), library, 'setConfig', token.address, EID, verifiedBy(verifiers))
      await world.as(eoa(1), token, 'setPeer', EID, peer)
      await configure([eoa(52), eoa(53)])
      await world.watch(token.address, library.address)
      await world.act(DAY, () => configure([eoa(52)]))
      await world.lose(30 * DAY, () => world.as(endpoint, token, 'lzReceive', EID, peer, ATTACKER, TOKENS))
    },
  },
  {
    name: 'GAIN 2025',
    what: 'The token of a bridge got a false peer, whose messages mint.',
    expects: ['oft.peer_set'],
    play: async (world) => {
      const [endpoint, forged] = [eoa(50), wordOf(ATTACKER)]
      const token = await world.evm.deploy(own('PeerToken'), eoa(1), endpoint)
      await world.watch(token.address)
      await world.act(DAY, () => world.as(eoa(1), token, 'setPeer', EID, forged))
      await world.lose(20 * MINUTE, () => world.as(endpoint, token, 'lzReceive', EID, forged, ATTACKER, TOKENS))
    },
  },
  {
    name: 'Tornado Cash governance 2023',
    what: 'The contract of a proposal was destroyed and created again with other code before its execution. The replay replaces the code directly.',
    expects: ['pending.target_changed'],
    play: async (world) => {
      const { governor, timelock, proxy } = await governed(world, 2 * DAY)
      const proposal = (await world.evm.deploy(own('Plain'))).address
      await world.watch(governor.address, timelock.address, proxy.address)
      const data = dataOf(own('Plain'), 'set', [1n])
      await world.act(DAY, () => propose(world, governor, proposal, data))
      await world.act(DAY, () => world.evm.send(governor, 'queue', [1n]))
      await world.act(DAY, () => world.setCode(proposal, '0x00'))
      await world.lose(DAY, () => world.evm.send(governor, 'execute', [1n]))
    },
  },
  {
    name: 'Beanstalk 2022',
    what: 'A proposal without a delay waited a day, and borrowed votes passed and executed it in one transaction.',
    expects: ['governor.proposal_created'],
    play: async (world) => {
      const { governor, timelock, proxy } = await governed(world, 0)
      await world.fund(proxy.address)
      await world.watch(governor.address, timelock.address, proxy.address)
      const code: Hex = `0x${'5c'.repeat(20)}`
      await world.setCode(code, '0x5f5f5f5f47335af100')
      const upgrade = dataOf({ abi: ADMIN_ABI }, 'upgradeTo', [code])
      await world.act(DAY, () => propose(world, governor, proxy.address, upgrade))
      await world.lose(DAY, async () => {
        await world.evm.send(governor, 'queue', [1n])
        await world.evm.send(governor, 'execute', [1n])
        await sweep(world, proxy.address)()
      })
    },
  },
  {
    name: 'Audius 2022',
    what: 'The flags of an initializer shared a slot with the admin of the proxy: any caller could initialize the governance again.',
    expects: ['slot.upgrade_reported'],
    play: async (world) => {
      const logic = await world.plain()
      const proxy = await world.evm.deploy(own('FirstSlotProxy'), logic, eoa(1))
      const governance = await world.evm.deploy(own('CollidingGovernance'))
      await world.fund(proxy.address)
      await world.watch(proxy.address)
      await world.act(DAY, () => world.as(eoa(1), proxy, 'upgradeTo', governance.address))
      const taken = { ...governance, address: proxy.address }
      await world.lose(600 * DAY, async () => {
        await world.as(ATTACKER, taken, 'initialize', ATTACKER)
        await world.as(ATTACKER, taken, 'guardianExecute', ATTACKER, 10n ** 18n, '0x')
      })
    },
  },
  {
    name: 'EIP-7702 sweeper delegations 2025',
    what: 'The key that owns a contract delegated its account to code of the attacker.',
    expects: ['slot.delegate_changed'],
    play: async (world) => {
      const proxy = await world.uups('OwnedUups', eoa(1))
      const sweeper = (await world.evm.deploy(own('OpenRouterModule'))).address
      await world.watch(proxy.address)
      await world.act(DAY, () => world.setCode(eoa(1), concatHex(['0xef0100', sweeper])))
      await world.lose(10 * MINUTE, () => world.as(eoa(1), proxy, 'transferOwnership', ATTACKER))
    },
  },
]
