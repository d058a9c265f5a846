/** Logic that an AccessManager controls, and that asks it other questions than it seems to. */
import { concatHex, type Hex, toFunctionSelector } from 'viem'
import { openZeppelin5 } from '../../evm/compile.ts'
import { type Case, type Twin, WEAK, WITHOUT_DELAY } from '../case.ts'
import { type Built, type Chain, callData, system } from '../chain.ts'
import { deploySafe, execSigned } from '../safes.ts'
import { part } from './lying-getters.ts'
import { NEW_EVM } from './second-writers.ts'

const ROLE = 7n
const TWO_DAYS = 172_800

type Member = { readonly account: Hex; readonly delay?: number; readonly may: string }

/** A manager that a timelock administers, with a role for a function of the logic. */
async function managed(chain: Chain, logic: string, member?: Member, ...args: readonly unknown[]): Promise<Built> {
  const lock = await chain.timelock()
  const manager = await chain.deployArtifact(openZeppelin5('AccessManager'), lock)
  const address = await chain.uups(logic, manager, ...args)
  if (member !== undefined) {
    const functions = [toFunctionSelector(member.may)]
    await chain.send(manager, 'setTargetFunctionRole(address,bytes4[],uint64)', [address, functions, ROLE], lock)
    await chain.send(manager, 'grantRole(uint64,address,uint32)', [ROLE, member.account, member.delay ?? 0], lock)
  }
  return system(address, { manager, lock })
}

const pinging = (chain: Chain): Member => ({ account: chain.hidden().address, may: 'ping()' })

const drafts: readonly (Omit<Case, 'cause' | 'truth' | 'settings' | 'by'> & Partial<Pick<Case, 'truth' | 'by'>>)[] = [
  {
    name: 'a caller names the function that its manager must let it call',
    by: 'one key',
    build: (chain) => managed(chain, 'AnyFunctionLogic', pinging(chain)),
    exploit: (attack, { address }) =>
      attack.send(address, 'upgrade(address,bytes4)', [attack.code, toFunctionSelector('ping()')]),
  },
  {
    name: 'a manager is asked about another function',
    by: 'one key',
    build: (chain) => managed(chain, 'OtherFunctionLogic', pinging(chain)),
    exploit: (attack, { address }) => attack.send(address, 'upgrade(address)', [attack.code]),
  },
  {
    name: 'a caller names the contract that its manager must let it call',
    by: 'one key',
    build: async (chain) => {
      const built = await managed(chain, 'AnyTargetLogic')
      const [manager, lock] = [part(built, 'manager'), part(built, 'lock')]
      const functions = [toFunctionSelector('upgrade(address,address)')]
      await chain.send(manager, 'setTargetFunctionRole(address,bytes4[],uint64)', [lock, functions, ROLE], lock)
      await chain.send(manager, 'grantRole(uint64,address,uint32)', [ROLE, chain.hidden().address, 0], lock)
      return built
    },
    exploit: (attack, built) =>
      attack.send(built.address, 'upgrade(address,address)', [attack.code, part(built, 'lock')]),
  },
  {
    name: 'a caller names the account that its manager must let pass',
    build: (chain) => managed(chain, 'AnyCallerLogic'),
    exploit: (attack, built) =>
      attack.send(built.address, 'upgrade(address,address)', [attack.code, part(built, 'lock')]),
  },
  {
    name: 'a caller names the manager',
    build: async (chain) => {
      const built = await managed(chain, 'AnyManagerLogic')
      return system(built.address, { ...built.parts, permissive: await chain.deploy('Permissive') })
    },
    exploit: (attack, built) =>
      attack.send(built.address, 'upgrade(address,address)', [attack.code, part(built, 'permissive')]),
  },
  {
    name: 'a manager of the caller is asked where the own one refuses',
    build: async (chain) => {
      const built = await managed(chain, 'SecondManagerLogic')
      return system(built.address, { ...built.parts, permissive: await chain.deploy('Permissive') })
    },
    exploit: (attack, built) =>
      attack.send(built.address, 'upgrade(address,address)', [attack.code, part(built, 'permissive')]),
  },
  {
    name: 'callers pass whom a manager refuses',
    build: (chain) => managed(chain, 'RefusedLogic'),
    exploit: (attack, { address }) => attack.send(address, 'upgrade(address)', [attack.code]),
  },
  {
    name: 'callers pass where a manager has no gas to answer',
    build: (chain) => managed(chain, 'UnansweredLogic'),
    exploit: (attack, { address }) => attack.send(address, 'upgrade(address)', [attack.code]),
  },
  {
    name: 'a call that a manager wants to be announced is not',
    by: 'the signers',
    truth: WITHOUT_DELAY,
    build: async (chain) => {
      const owners = [chain.hidden(0).address, chain.hidden(1).address]
      const safe = await deploySafe(chain, { owners, threshold: 2 })
      const built = await managed(chain, 'UnannouncedLogic', {
        account: safe,
        delay: TWO_DAYS,
        may: 'upgrade(address)',
      })
      return system(built.address, { ...built.parts, safe })
    },
    exploit: (attack, built) => {
      const data = callData('upgrade(address)', [attack.code])
      return execSigned(attack, part(built, 'safe'), built.address, data, [attack.hidden(0), attack.hidden(1)])
    },
  },
  {
    name: 'one key says whom a manager is asked about',
    by: 'one key',
    build: (chain) => managed(chain, 'RelayedLogic', undefined, chain.hidden().address),
    exploit: (attack, built) =>
      attack.sendRaw(built.address, concatHex([callData('upgrade(address)', [attack.code]), part(built, 'lock')])),
  },
  {
    name: 'those who may call another function replace the manager',
    by: 'one key',
    build: async (chain) => {
      const built = await managed(chain, 'ReplacedManagerLogic', pinging(chain))
      return system(built.address, { ...built.parts, permissive: await chain.deploy('Permissive') })
    },
    exploit: async (attack, built) => {
      await attack.send(built.address, 'setManager(address)', [part(built, 'permissive')])
      await attack.send(built.address, 'upgradeToAndCall(address,bytes)', [attack.code, '0x'])
    },
  },
]

export const managedLogic: readonly Case[] = drafts.map((draft) => ({
  by: 'anyone',
  truth: WEAK,
  ...draft,
  cause: 'lying getter',
  settings: NEW_EVM,
}))

export const managedTwins: readonly Twin[] = [
  {
    name: 'logic that asks an AccessManager of a timelock about its caller',
    cause: 'lying getter',
    twinOf: 'a manager is asked about another function',
    deserves: 'timelocked',
    settings: NEW_EVM,
    build: (chain) => managed(chain, 'PermittedLogic'),
  },
  {
    name: 'an AccessManager that lets a Safe upgrade at once',
    cause: 'lying getter',
    twinOf: 'a call that a manager wants to be announced is not',
    deserves: 'multisig',
    settings: NEW_EVM,
    build: async (chain) =>
      managed(chain, 'ManagedLogic', { account: await chain.council(), may: 'upgradeToAndCall(address,bytes)' }),
  },
]
