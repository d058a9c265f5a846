/** Code that ran before stored a role, which neither the code that is left of it nor its events show. */
import { type Hex, keccak256, numberToHex, stringToHex } from 'viem'
import { openZeppelin4, openZeppelin5 } from '../../evm/compile.ts'
import type { Attack } from '../attack.ts'
import { type Case, type Twin, WEAK } from '../case.ts'
import { BEACON_SLOT, type Built, type Chain, callData, system } from '../chain.ts'
import { upgradeCall } from '../safes.ts'
import { proposal } from './lists.ts'
import { controlledBy, part } from './lying-getters.ts'
import { NEW_EVM } from './second-writers.ts'

type Draft = Pick<Case, 'name' | 'settings' | 'build' | 'exploit'>

const UPGRADER = keccak256(stringToHex('UPGRADER_ROLE'))
const DEFAULT = numberToHex(0, { size: 32 })
/** Its lower 160 bits are those of the default role. */
const LIKE_DEFAULT = numberToHex(1n << 160n, { size: 32 })

const first = ({ evm }: Chain): Hex => evm.accounts[0] as Hex

/** An initializer gives a role to an account, after the proxy was created. */
const initialized =
  (name: string) =>
  async (chain: Chain): Promise<Built> => {
    const address = await chain.proxy(await chain.deploy(name))
    await chain.send(address, 'initialize(address)', [await chain.timelock()])
    await chain.send(address, 'initializeRole(bytes32,address)', [LIKE_DEFAULT, chain.hidden().address])
    return system(address)
  }

/** The first account passes its roles on to the timelock. */
async function passOn(chain: Chain, address: Hex): Promise<void> {
  for (const role of [UPGRADER, DEFAULT])
    await chain.send(address, 'grantRole(bytes32,address)', [role, await chain.timelock()])
  for (const role of [UPGRADER, DEFAULT])
    await chain.send(address, 'renounceRole(bytes32,address)', [role, first(chain)])
}
const initialize = (chain: Chain, address: Hex): Promise<void> =>
  chain.send(address, 'initialize(address)', [first(chain)])

/** A contract behind a beacon of the timelock controls another one. `hide`: what was done before. */
const actingBehind =
  (before: string, hide?: (chain: Chain, address: Hex, moved: (logic: Hex) => Promise<void>) => Promise<void>) =>
  async (chain: Chain): Promise<Built> => {
    const beacon = await chain.deploy('ReportingProxy', await chain.deploy('RoleBeacon', await chain.deploy(before)))
    const moved = (logic: Hex) => chain.send(beacon, 'replaceLogic(address)', [logic])
    const address = await chain.deploy('RoleBeaconProxy', beacon)
    await initialize(chain, address)
    await hide?.(chain, address, moved)
    await moved(await chain.deploy('RoleBeacon', await chain.deploy('ActingRoles')))
    await chain.send(beacon, 'replaceAdmin(address)', [await chain.timelock()])
    await chain.send(address, 'settle(address)', [await chain.timelock()])
    await passOn(chain, address)
    return controlledBy(chain, address)
  }
const actAndUpgrade = (attack: Attack, built: Built): Promise<void> =>
  attack.send(part(built, 'controller'), 'act(address,bytes)', [
    part(built, 'admin'),
    upgradeCall(built.address, attack.code),
  ])

const upgrade = ({ send, code }: Attack, { address }: Built): Promise<void> =>
  send(address, 'upgradeToAndCall(address,bytes)', [code, '0x'])

const drafts: readonly Draft[] = [
  {
    name: 'an initializer stored the default role and reported another',
    build: initialized('CutRoles'),
    exploit: upgrade,
  },
  {
    name: 'another beacon named logic that gave a role without an event',
    build: actingBehind('ActingBeaconRoles', async (chain, address) => {
      const own = await chain.storage(address, BEACON_SLOT)
      const other = await chain.deploy('RoleBeacon', await chain.deploy('QuietRoles'))
      await chain.send(address, 'setBeacon(address)', [other])
      await chain.send(address, 'hide(address)', [chain.hidden().address])
      await chain.send(address, 'setBeacon(address)', [`0x${own.slice(-40)}`])
    }),
    exploit: actAndUpgrade,
  },
  {
    name: 'a beacon answered in its fallback function with logic that gave a role without an event',
    build: actingBehind('ActingRoles', async (chain, address, moved) => {
      await moved(await chain.deploy('FallbackRoleBeacon', await chain.deploy('QuietRoles')))
      await chain.send(address, 'hide(address)', [chain.hidden().address])
    }),
    exploit: actAndUpgrade,
  },
  {
    name: 'logic that destroyed itself in the transaction which created it gave a role without an event',
    settings: NEW_EVM,
    build: async (chain) => {
      const runner = await chain.deploy('PassingRun')
      const factory = await chain.deploy('MetamorphicFactory', runner)
      const logic = await chain.deploy('HonestRoles')
      const address = await chain.proxy(logic)
      await initialize(chain, address)
      await chain.send(address, 'grantRole(bytes32,address)', [UPGRADER, runner])
      const quiet = await chain.deploy('QuietRoles')
      const hidden = chain.hidden().address
      await chain.send(runner, 'run(address,address,address,address,address)', [factory, quiet, address, logic, hidden])
      await chain.send(address, 'revokeRole(bytes32,address)', [UPGRADER, runner])
      await chain.send(factory, 'make(address)', [logic], runner)
      await passOn(chain, address)
      return system(address)
    },
    exploit: upgrade,
  },
]

const EXECUTE = 'execute(address,bytes)'

/** A vote by a token behind a beacon of a council. `isOther`: other logic answered how many votes an account has. */
const votedBehindBeacon =
  (isOther: boolean) =>
  async (chain: Chain): Promise<Built> => {
    const logic = await chain.deploy('KeyToken')
    const beacon = await chain.deployArtifact(openZeppelin5('UpgradeableBeacon'), logic, first(chain))
    const council = await chain.council()
    const data = callData('initialize(address)', [council])
    const token = await chain.deployArtifact(openZeppelin4('BeaconProxy'), beacon, data)
    const parts = { token, code: await chain.deploy('Taken') }
    const built = await controlledBy(chain, await chain.deploy('HonestBallots', token), parts)
    if (isOther) {
      const [admin, key] = [part(built, 'admin'), chain.hidden().address]
      const upgraded = upgradeCall(built.address, part(built, 'code'))
      await chain.send(beacon, 'upgradeTo(address)', [await chain.deploy('Whale')])
      await chain.send(part(built, 'controller'), 'propose(address,bytes)', [admin, upgraded], key)
      await chain.evm.mine(3)
      await chain.send(part(built, 'controller'), 'vote(bytes32,bool)', [proposal(admin, upgraded), true], key)
      await chain.send(beacon, 'upgradeTo(address)', [logic])
    }
    await chain.send(beacon, 'transferOwnership(address)', [council])
    return built
  }

/** A vote passed by what was answered before. */
const votes: Case = {
  name: 'a beacon named logic of a token that gave one key the votes for a proposal',
  cause: 'lying getter',
  by: 'one key',
  truth: WEAK,
  build: votedBehindBeacon(true),
  exploit: async (attack, built) => {
    await attack.wait(700_000)
    const data = upgradeCall(built.address, part(built, 'code'))
    await attack.send(part(built, 'controller'), EXECUTE, [part(built, 'admin'), data])
  },
}

export const earlierCode: readonly Case[] = [
  ...drafts.map((draft): Case => ({ cause: 'second writer', by: 'one key', truth: WEAK, ...draft })),
  votes,
]

/** The same without the trick. */
export const earlierCodeTwins: readonly Twin[] = [
  {
    name: 'an initializer stored the role that it reported',
    cause: 'second writer',
    twinOf: 'an initializer stored the default role and reported another',
    deserves: 'timelocked',
    build: initialized('WholeRoles'),
  },
  {
    name: 'one beacon named the logic at all times',
    cause: 'second writer',
    twinOf: 'another beacon named logic that gave a role without an event',
    deserves: 'timelocked',
    build: actingBehind('ActingRoles'),
  },
  {
    name: 'a vote by a token behind a beacon of a council',
    cause: 'lying getter',
    twinOf: votes.name,
    deserves: 'multisig',
    build: votedBehindBeacon(false),
  },
]
