/** Proxies that change the input, managers of what is behind another contract, and logic with an owner of its own. */
import { openZeppelin4, openZeppelin5 } from '../../evm/compile.ts'
import { signers } from '../../evm/control.ts'
import { type Case, type Twin, WEAK } from '../case.ts'
import { callData, system } from '../chain.ts'
import { safeSingleton, setupData, upgradeCall } from '../safes.ts'
import { voted } from './lists.ts'
import { controlledBy, part } from './lying-getters.ts'
import { replaceable } from './passing-storage.ts'
import { ALLOWANCE_MODULE, managerWith, safeWithAllowances, transferByDelegate, VOTES, voteAfter } from './walks.ts'

type Draft = Pick<Case, 'name' | 'by' | 'build' | 'exploit' | 'hardfork'>

const RUN = 'execute(address,bytes)'
const SWAP = 'swap(address)'

const drafts: readonly Draft[] = [
  {
    name: 'the proxy of a Safe makes each call of a module a delegatecall',
    by: 'anyone',
    build: async (chain) => {
      await safeWithAllowances(chain)
      const safe = await chain.deploy('DelegatingSafeProxy', await safeSingleton(chain))
      const data = callData('loudModule(address)', [ALLOWANCE_MODULE])
      const setup = { owners: signers(5), threshold: 3, to: await chain.deploy('QuietSetup'), data }
      await chain.evm.sendRaw(safe, setupData(setup))
      return controlledBy(chain, safe)
    },
    exploit: async (attack, built) => {
      const token = await attack.deploy('UpgradingToken', part(built, 'admin'), built.address)
      await transferByDelegate(attack, part(built, 'controller'), token)
    },
  },
  {
    name: 'an AccessManager lets one key replace what a call proxy calls',
    by: 'one key',
    build: (chain) =>
      managerWith(chain, async (manager) => {
        const target = await chain.deploy('ManagedTarget', await chain.deploy('Plain'), manager)
        return { built: system(await chain.deploy('FixedTarget', target), { target }), target, function: SWAP }
      }),
    exploit: ({ send, code }, built) =>
      send(part(built, 'manager'), RUN, [part(built, 'target'), callData(SWAP, [code])]),
  },
  {
    name: 'an AccessManager owns a contract and its beacon, which one key may use',
    by: 'one key',
    build: (chain) =>
      managerWith(chain, async (manager) => {
        const logic = await chain.deploy('StoredForwarder')
        const target = await chain.deployArtifact(openZeppelin5('UpgradeableBeacon'), logic, manager)
        const start = callData('initialize(address)', [manager])
        const owner = await chain.deployArtifact(openZeppelin4('BeaconProxy'), target, start)
        return { built: await controlledBy(chain, owner, { target }), target, function: 'upgradeTo(address)' }
      }),
    exploit: async ({ send, deploy, code }, built) => {
      const upgrade = callData('upgradeTo(address)', [await deploy('OpenForwarder')])
      await send(part(built, 'manager'), RUN, [part(built, 'target'), upgrade])
      const call = [part(built, 'admin'), upgradeCall(built.address, code)]
      await send(part(built, 'controller'), 'forward(address,bytes)', call)
    },
  },
  {
    name: 'the owner of the logic itself destroys it by a library',
    by: 'one key',
    hardfork: 'shanghai',
    build: async (chain) => {
      const lib = await chain.deploy('EndingLibrary')
      const { factory, at } = await replaceable(chain, () => chain.deploy('LibraryLogic', lib))
      await chain.send(at, 'initialize(address)', [chain.hidden().address])
      const proxy = await chain.deploy('PlainAdminProxy', at, await chain.timelock())
      await chain.send(proxy, 'initialize(address)', [await chain.timelock()])
      return system(proxy, { factory, logic: at })
    },
    exploit: async ({ send, code }, built) => {
      await send(part(built, 'logic'), 'end()')
      await send(part(built, 'factory'), 'make(address)', [code])
    },
  },
  {
    name: 'the proxy of a token answers another count than that of votes',
    by: 'anyone',
    build: voted('HonestBallots', async (chain) => chain.deploy('ClaimingProxy', await chain.deploy('ClaimedVotes'))),
    exploit: voteAfter((attack, token) => attack.send(token, 'claim(uint256)', [VOTES])),
  },
]

export const changedInput: readonly Case[] = drafts.map((draft) => ({
  settings: ['optimized'],
  ...draft,
  cause: 'forwarder',
  truth: WEAK,
}))

export const changedInputTwins: readonly Twin[] = [
  {
    name: 'a Safe behind a proxy that passes every call on as it is',
    cause: 'forwarder',
    twinOf: 'the proxy of a Safe makes each call of a module a delegatecall',
    deserves: 'multisig',
    settings: ['optimized'],
    build: async (chain) => {
      const safe = await chain.deploy('PlainSafeProxy', await safeSingleton(chain))
      await chain.evm.sendRaw(safe, setupData({ owners: signers(5), threshold: 3 }))
      return controlledBy(chain, safe)
    },
  },
]
