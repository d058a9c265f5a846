/** Transient storage that decides who may upgrade or what runs, and code that is replaced at its address. */
import { getContractAddress, type Hex } from 'viem'
import { openZeppelin4 } from '../../evm/compile.ts'
import type { Attack } from '../attack.ts'
import { type Case, WEAK } from '../case.ts'
import { type Built, type Chain, callData, system } from '../chain.ts'
import { part } from './lying-getters.ts'
import { NEW_EVM } from './second-writers.ts'

type Draft = Omit<Case, 'truth' | 'by'> & Partial<Pick<Case, 'by'>>

const timelocked =
  (name: string) =>
  async (chain: Chain): Promise<Built> =>
    system(await chain.uups(name, await chain.timelock()))
/** The constructor of a contract of the attacker makes the calls of one transaction. */
const inOneTransaction =
  (name: string) =>
  async ({ deploy, code }: Attack, { address }: Built): Promise<void> => {
    await deploy(name, address, code)
  }
const answerOf = async ({ node }: Pick<Chain, 'node'>, from: Hex, to: Hex, data: Hex): Promise<Hex> =>
  `0x${(await node.rpc<Hex>('eth_call', { from, to, data }, 'latest')).slice(-40)}`
/** Deploys a copy of code at an address at which its key can deploy again once it is destroyed. */
export async function replaceable(
  chain: Chain,
  codeFor: (at: Hex) => Promise<Hex>,
): Promise<{ readonly factory: Hex; readonly at: Hex }> {
  const key = chain.hidden().address
  const factory = await chain.deploy('MetamorphicFactory', key)
  // The address does not depend on the code.
  const at = await answerOf(chain, key, factory, callData('make(address)', [factory]))
  await chain.send(factory, 'make(address)', [await codeFor(at)], key)
  return { factory, at }
}
/** Logic behind a proxy whose code runs before the Cancun hard fork, with an owner. */
async function initialized(chain: Chain, logic: Hex, owner: Hex): Promise<Hex> {
  const proxy = await chain.proxy(logic)
  await chain.send(proxy, 'initialize(address)', [owner])
  return proxy
}
const BEFORE_CANCUN = { hardfork: 'shanghai', settings: ['optimized'], by: 'one key' } as const

const drafts: readonly Draft[] = [
  {
    name: 'the owner of one transaction is any account that asks for it',
    cause: 'other guard',
    build: timelocked('PassingOwner'),
    exploit: inOneTransaction('PassingOwnerUser'),
  },
  {
    name: 'the initialization is recorded for one transaction only',
    cause: 'second writer',
    build: timelocked('PassingInitializer'),
    exploit: async ({ send, account, code }, { address }) => {
      await send(address, 'initialize(address)', [account.address])
      await send(address, 'upgradeTo(address)', [code])
    },
  },
  {
    name: 'code for one transaction comes before the implementation slot',
    cause: 'forwarder',
    build: async (chain) => system(await chain.deploy('PassingPointerProxy', await chain.deploy('PreviewLogic'))),
    exploit: inOneTransaction('PreviewUser'),
  },
  {
    name: 'a beacon answers other logic for one transaction',
    cause: 'forwarder',
    build: async (chain) => {
      const beacon = await chain.deploy('PassingBeacon', await chain.deploy('Plain'))
      return system(await chain.deployArtifact(openZeppelin4('BeaconProxy'), beacon, '0x'), { beacon })
    },
    exploit: async ({ deploy, code }, built) => {
      await deploy('PassingBeaconUser', part(built, 'beacon'), built.address, code)
    },
  },
  {
    name: 'the slot of the next write is kept for one transaction',
    cause: 'second writer',
    build: timelocked('PassingSlot'),
    exploit: inOneTransaction('PassingSlotUser'),
  },
  {
    name: 'three nested calls open the write',
    cause: 'second writer',
    build: timelocked('PassingDepth'),
    exploit: async ({ sendRaw, code }, { address }) => {
      let data = callData('settle(address)', [code])
      for (let depth = 0; depth < 3; depth += 1) data = callData('enter(bytes)', [data])
      await sendRaw(address, data)
    },
  },
  {
    name: 'a lock against reentry makes its holder the owner',
    cause: 'other guard',
    build: timelocked('PassingLock'),
    exploit: async ({ deploy, send, code }, { address }) =>
      send(await deploy('PassingLockUser'), 'start(address,address)', [address, code]),
  },
  {
    ...BEFORE_CANCUN,
    name: 'one key destroys the beacon and deploys other code at its address',
    cause: 'forwarder',
    build: async (chain) => {
      const logic = await chain.deploy('Plain')
      const { factory, at } = await replaceable(chain, () =>
        chain.deploy('KillableBeacon', logic, chain.hidden().address),
      )
      return system(await chain.deployArtifact(openZeppelin4('BeaconProxy'), at, '0x'), { factory, beacon: at })
    },
    exploit: async ({ send, code }, built) => {
      await send(part(built, 'beacon'), 'close()')
      await send(part(built, 'factory'), 'make(address)', [code])
    },
  },
  {
    ...BEFORE_CANCUN,
    name: 'one key destroys the owner and deploys other code at its address',
    cause: 'lying getter',
    build: async (chain) => {
      const council = await chain.council()
      const { factory, at } = await replaceable(chain, () =>
        chain.deploy('KillableActor', council, chain.hidden().address),
      )
      return system(await initialized(chain, await chain.deploy('OwnedLogic'), at), { factory, controller: at })
    },
    exploit: async ({ deploy, send, code }, built) => {
      await send(part(built, 'controller'), 'close()')
      await send(part(built, 'factory'), 'make(address)', [await deploy('OpenActor')])
      const data = callData('upgradeTo(address)', [code])
      await send(part(built, 'controller'), 'act(address,bytes)', [built.address, data])
    },
  },
  {
    ...BEFORE_CANCUN,
    name: 'one key destroys a library and deploys other code at its address',
    cause: 'second writer',
    build: async (chain) => {
      const { factory, at } = await replaceable(chain, (self) =>
        chain.deploy('KillableHelper', self, chain.hidden().address),
      )
      const logic = await chain.deploy('LinkedLogic', at)
      return system(await initialized(chain, logic, await chain.council()), { factory, helper: at })
    },
    exploit: async ({ send, code }, built) => {
      await send(part(built, 'helper'), 'close()')
      await send(part(built, 'factory'), 'make(address)', [code])
      await send(built.address, 'assist(bytes)', [callData('seize(address)', [code])])
    },
  },
  {
    ...BEFORE_CANCUN,
    name: 'one key destroys the logic and the contract that created it, and creates both again',
    cause: 'forwarder',
    build: async (chain) => {
      const key = chain.hidden().address
      const source = await chain.deploy('Nest', key)
      const { factory, at: nest } = await replaceable(chain, async () => source)
      const logic = getContractAddress({ from: nest, nonce: 1n })
      await chain.send(nest, 'spawn(address)', [await chain.deploy('KillableLogic', key)], key)
      return system(await chain.proxy(logic), { factory, nest, logic, source })
    },
    exploit: async ({ send, code }, built) => {
      await send(part(built, 'logic'), 'close()')
      await send(part(built, 'nest'), 'close()')
      await send(part(built, 'factory'), 'make(address)', [part(built, 'source')])
      await send(part(built, 'nest'), 'spawn(address)', [code])
    },
  },
]

export const passingStorage: readonly Case[] = drafts.map((draft) => ({
  by: 'anyone',
  settings: NEW_EVM,
  ...draft,
  truth: WEAK,
}))
