/** Controllers of a contract that stands between them and the profiled one: a beacon, or a Safe that obeys a module. */
import { type Hex, toFunctionSelector } from 'viem'
import { openZeppelin4, openZeppelin5 } from '../../evm/compile.ts'
import type { Attack } from '../attack.ts'
import { type Case, type Twin, WEAK } from '../case.ts'
import { ADMIN_SLOT, type Built, type Chain, callData, system } from '../chain.ts'
import { upgradeCall } from '../safes.ts'
import { controlledBy, part } from './lying-getters.ts'
import { safeWith } from './modules.ts'
import { NEW_EVM } from './second-writers.ts'
import { safeWithAllowances, transferByDelegate } from './walks.ts'

const PUBLIC_ROLE = (1n << 64n) - 1n
const MODULE_FUNCTION = 'execTransactionFromModule(address,uint256,bytes,uint8)'

const beaconProxy = (chain: Chain, beacon: Hex): Promise<Hex> =>
  chain.deployArtifact(openZeppelin4('BeaconProxy'), beacon, '0x')

const ROLE = 7n

/**
 * An AccessManager of a timelock, in which every account may call a function of another contract: as a member of the public role, or
 * of a role that the public role grants.
 */
async function openManager(
  chain: Chain,
  named: string,
  build: (manager: Hex) => Promise<{ readonly built: Built; readonly target: Hex }>,
  role = PUBLIC_ROLE,
): Promise<Built> {
  const lock = await chain.timelock()
  const manager = await chain.deployArtifact(openZeppelin5('AccessManager'), lock)
  const { built, target } = await build(manager)
  const functions = [toFunctionSelector(named)]
  await chain.send(manager, 'setTargetFunctionRole(address,bytes4[],uint64)', [target, functions, role], lock)
  if (role !== PUBLIC_ROLE) await chain.send(manager, 'setRoleAdmin(uint64,uint64)', [role, PUBLIC_ROLE], lock)
  return system(built.address, { ...built.parts, manager, target })
}

/** The attacker takes the role, and calls the function as a member of it. */
async function asSelfGranted(attack: Attack, built: Built, data: Hex): Promise<void> {
  const manager = part(built, 'manager')
  await attack.send(manager, 'grantRole(uint64,address,uint32)', [ROLE, attack.account.address, 0])
  await attack.send(manager, 'execute(address,bytes)', [part(built, 'target'), data])
}

/** Any account makes the owner of a beacon, which a timelock controls, send tokens. */
const sending =
  (contract: string) =>
  async (chain: Chain): Promise<Built> => {
    const sender = await chain.deploy('OpenSender', await chain.timelock())
    const beacon = await chain.deploy(contract, await chain.deploy('Plain'), sender)
    return system(await beaconProxy(chain, beacon), { sender, beacon })
  }

const drafts: readonly Omit<Case, 'cause' | 'truth' | 'by'>[] = [
  {
    name: 'an AccessManager lets every account use the beacon that it owns',
    settings: NEW_EVM,
    build: (chain) =>
      openManager(chain, 'upgradeTo(address)', async (manager) => {
        const logic = await chain.deploy('Plain')
        const target = await chain.deployArtifact(openZeppelin5('UpgradeableBeacon'), logic, manager)
        return { built: system(await beaconProxy(chain, target)), target }
      }),
    exploit: (attack, built) =>
      attack.send(part(built, 'manager'), 'execute(address,bytes)', [
        part(built, 'target'),
        callData('upgradeTo(address)', [attack.code]),
      ]),
  },
  {
    name: 'an AccessManager lets every account use the Safe that it is a module of',
    settings: NEW_EVM,
    build: (chain) =>
      openManager(chain, MODULE_FUNCTION, async (manager) => {
        const target = await safeWith(chain, 'loudModule(address)', manager)
        return { built: await controlledBy(chain, target), target }
      }),
    exploit: async (attack, built) => {
      const upgrade = upgradeCall(built.address, attack.code)
      const data = callData(MODULE_FUNCTION, [part(built, 'admin'), 0n, upgrade, 0])
      await attack.send(part(built, 'manager'), 'execute(address,bytes)', [part(built, 'target'), data])
    },
  },
  {
    name: 'every account may grant itself the role with which it upgrades through a ProxyAdmin',
    settings: NEW_EVM,
    build: (chain) =>
      openManager(
        chain,
        'upgradeAndCall(address,address,bytes)',
        async (manager) => {
          const address = await chain.transparent(manager)
          const target: Hex = `0x${(await chain.storage(address, ADMIN_SLOT)).slice(-40)}`
          return { built: system(address), target }
        },
        ROLE,
      ),
    exploit: (attack, built) => asSelfGranted(attack, built, upgradeCall(built.address, attack.code)),
  },
  {
    name: 'every account may grant itself the role with which it uses a Safe as a module',
    settings: NEW_EVM,
    build: (chain) =>
      openManager(
        chain,
        MODULE_FUNCTION,
        async (manager) => {
          const target = await safeWith(chain, 'loudModule(address)', manager)
          return { built: await controlledBy(chain, target), target }
        },
        ROLE,
      ),
    exploit: (attack, built) => {
      const upgrade = upgradeCall(built.address, attack.code)
      return asSelfGranted(attack, built, callData(MODULE_FUNCTION, [part(built, 'admin'), 0n, upgrade, 0]))
    },
  },
  {
    name: 'a beacon takes a transfer of tokens for an upgrade',
    build: sending('TransferBeacon'),
    exploit: (attack, built) =>
      attack.send(part(built, 'sender'), 'send(address,address,uint256)', [part(built, 'beacon'), attack.code, 0n]),
  },
  {
    name: 'a beacon takes a transfer by a delegate of its Safe for an upgrade',
    build: async (chain) => {
      const safe = await safeWithAllowances(chain)
      const beacon = await chain.deploy('TransferBeacon', await chain.deploy('Plain'), safe)
      return system(await beaconProxy(chain, beacon), { safe, beacon })
    },
    exploit: (attack, built) => transferByDelegate(attack, part(built, 'safe'), part(built, 'beacon')),
  },
]

export const betweenContracts: readonly Case[] = drafts.map((draft) => ({
  ...draft,
  cause: 'lying getter',
  by: 'anyone',
  truth: WEAK,
}))

export const betweenContractTwins: readonly Twin[] = [
  {
    name: 'the owner of a beacon sends tokens for every account',
    cause: 'lying getter',
    twinOf: 'a beacon takes a transfer of tokens for an upgrade',
    deserves: 'timelocked',
    build: sending('OwnedBeacon'),
  },
]
