/** Proxies under other names, and pointers that are kept in other places. */
import { concatHex, type Hex, pad, stringToHex, toFunctionSelector, toHex } from 'viem'
import { openZeppelin4 } from '../../evm/compile.ts'
import { signers } from '../../evm/control.ts'
import type { Attack } from '../attack.ts'
import { type Case, WEAK } from '../case.ts'
import { type Built, type Chain, callData, creationCodeOf, system } from '../chain.ts'
import { delegateAccount } from '../delegated-accounts.ts'
import { safeSingleton, setupData, upgradeCall } from '../safes.ts'
import { controlledBy, part } from './lying-getters.ts'
import { replaceable } from './passing-storage.ts'
import { NEW_EVM } from './second-writers.ts'

type Draft = Omit<Case, 'cause' | 'truth' | 'by'> & Partial<Pick<Case, 'by'>>

const NODE = stringToHex('vault', { size: 32 })
const TAKEN_SELECTOR = toFunctionSelector('taken()')

/** A proxy with logic and the hidden key as constructor arguments. */
const keyed =
  (name: string) =>
  async (chain: Chain): Promise<Built> =>
    system(await chain.deploy(name, await chain.deploy('Plain'), chain.hidden().address))
const open =
  (name: string) =>
  async (chain: Chain): Promise<Built> =>
    system(await chain.deploy(name, await chain.deploy('Plain')))
/** A proxy that asks a registry of versions, whose publisher is the hidden key. */
async function versions(chain: Chain): Promise<Hex> {
  return chain.deploy('VersionRegistry', await chain.deploy('Plain'), chain.hidden().address)
}
async function named(chain: Chain, holder: Hex, record: Hex): Promise<Hex> {
  const resolver = await chain.deploy('Resolver')
  await chain.send(resolver, 'register(bytes32,address,address)', [NODE, holder, record])
  return resolver
}
const call =
  (signature: string, ...args: readonly unknown[]): Case['exploit'] =>
  ({ send, code }, { address }) =>
    send(address, signature, [...args, code])
/** Calls a function of another part of the system with the new logic as last argument. */
const callPart =
  (name: string, signature: string, ...args: readonly unknown[]): Case['exploit'] =>
  (attack, built) =>
    attack.send(part(built, name), signature, [...args, attack.code])

const seize = ({ code }: Attack): Hex => callData('seize(address)', [code])
const minimalProxy = (target: Hex): Hex =>
  concatHex(['0x363d3d373d3d3d363d73', target, '0x5af43d82803e903d91602b57fd5bf3'])

const drafts: readonly Draft[] = [
  {
    name: 'a call proxy with setLogic for one key',
    build: keyed('SetLogicCaller'),
    exploit: call('setLogic(address)'),
  },
  {
    name: 'a call proxy with changeImpl for a silent table',
    build: keyed('TableSetterCaller'),
    exploit: call('changeImpl(address)'),
  },
  {
    name: 'a call proxy that its fallback function configures',
    build: keyed('FallbackConfigured'),
    exploit: ({ sendRaw, code }, { address }) => sendRaw(address, concatHex(['0x01', code])),
  },
  {
    name: 'a call proxy whose target anyone may replace when it was unused',
    by: 'anyone',
    build: open('OpenTargetCaller'),
    exploit: async (attack, built) => {
      await attack.wait(3_700)
      await attack.send(built.address, 'revive(address)', [attack.code])
    },
  },
  {
    name: 'the logic is the address of a name',
    build: async (chain) => {
      const resolver = await named(chain, chain.hidden().address, await chain.deploy('Plain'))
      return system(await chain.deploy('NamedLogicProxy', resolver, NODE), { resolver })
    },
    exploit: callPart('resolver', 'setAddr(bytes32,address)', NODE),
  },
  {
    name: 'the resolver of a name is itself the address of a name',
    build: async (chain) => {
      const resolver = await named(chain, await chain.timelock(), await chain.deploy('Plain'))
      const registry = await named(chain, chain.hidden().address, resolver)
      return system(await chain.deploy('TwoStepNamedProxy', registry, NODE), { registry })
    },
    exploit: async (attack, built) => {
      const resolver = await attack.deploy('Resolver')
      await attack.send(resolver, 'register(bytes32,address,address)', [NODE, attack.account.address, attack.code])
      await attack.send(part(built, 'registry'), 'setAddr(bytes32,address)', [NODE, resolver])
    },
  },
  {
    name: 'a call proxy whose target is the address of a name',
    build: async (chain) => {
      const resolver = await named(chain, chain.hidden().address, await chain.deploy('Plain'))
      return system(await chain.deploy('NamedTargetCaller', resolver, NODE), { resolver })
    },
    exploit: callPart('resolver', 'setAddr(bytes32,address)', NODE),
  },
  {
    name: 'the logic is the latest version of a registry',
    build: async (chain) => {
      const registry = await versions(chain)
      return system(await chain.deploy('LatestVersionProxy', registry), { registry })
    },
    exploit: callPart('registry', 'publish(address)'),
  },
  {
    name: 'anyone may add a selector to the table of a proxy',
    by: 'anyone',
    build: open('SelectorTableProxy'),
    exploit: call('extend(bytes4,address)', TAKEN_SELECTOR),
  },
  {
    name: 'every caller may choose a beacon, and all share the storage',
    by: 'anyone',
    build: open('CallerBeaconProxy'),
    exploit: async (attack, built) => {
      await attack.send(built.address, 'chooseBeacon(address)', [attack.code])
      await attack.sendRaw(built.address, seize(attack))
    },
  },
  {
    name: 'the beacon asks another beacon that one key may change',
    build: async (chain) => {
      const inner = await chain.deploy('MutableBeacon', await chain.deploy('Plain'), chain.hidden().address)
      const outer = await chain.deploy('BeaconOfBeacon', inner)
      return system(await chain.deployArtifact(openZeppelin4('BeaconProxy'), outer, '0x'), { inner })
    },
    exploit: callPart('inner', 'change(address)'),
  },
  {
    name: 'the beacon asks a beacon that asks a beacon',
    build: async (chain) => {
      const inner = await chain.deploy('MutableBeacon', await chain.deploy('Plain'), chain.hidden().address)
      const outer = await chain.deploy('BeaconOfBeacon', await chain.deploy('BeaconOfBeacon', inner))
      return system(await chain.deployArtifact(openZeppelin4('BeaconProxy'), outer, '0x'), { inner })
    },
    exploit: callPart('inner', 'change(address)'),
  },
  {
    name: 'the beacon adds two numbers to get its logic',
    build: async (chain) => {
      const beacon = await chain.deploy('ComputedBeacon', await chain.deploy('Plain'), chain.hidden().address)
      return system(await chain.deployArtifact(openZeppelin4('BeaconProxy'), beacon, '0x'), { beacon })
    },
    exploit: (attack, built) =>
      attack.send(part(built, 'beacon'), 'settle(uint256,uint256)', [1n, BigInt(attack.code) - 1n]),
  },
  {
    name: 'a diamond does not list the facet that writes its table',
    by: 'anyone',
    build: async (chain) =>
      system(await chain.deploy('HiddenFacetDiamond', await chain.deploy('Plain'), await chain.deploy('FacetWriter'))),
    exploit: call('adjust(bytes4,address)', TAKEN_SELECTOR),
  },
  {
    name: 'a diamond asks a second table first',
    build: async (chain) => {
      const args = [await chain.deploy('Plain'), await chain.timelock(), chain.hidden().address]
      return system(await chain.deploy('TwoTableDiamond', ...args))
    },
    exploit: call('cache(bytes4,address)', TAKEN_SELECTOR),
  },
  {
    name: 'a minimal proxy points to fixed code that asks a registry',
    build: async (chain) => {
      const registry = await versions(chain)
      const target = await chain.deploy('IndirectTarget', registry)
      return system(await chain.deployRuntime(minimalProxy(target)), { registry })
    },
    exploit: callPart('registry', 'publish(address)'),
  },
  {
    name: 'an ERC-1967 proxy points to fixed code that asks a registry',
    build: async (chain) => {
      const registry = await versions(chain)
      const target = await chain.deploy('IndirectTarget', registry)
      return system(await chain.proxy(target), { registry })
    },
    exploit: callPart('registry', 'publish(address)'),
  },
  {
    name: 'anyone may switch to a fixed second version of the attacker',
    by: 'anyone',
    build: async (chain) =>
      system(await chain.deploy('SwitchProxy', await chain.deploy('Plain'), await chain.deploy('TakenProgram'))),
    exploit: (attack, built) => attack.send(built.address, 'toggle()'),
  },
  {
    name: 'anyone may append a version and choose it',
    by: 'anyone',
    build: open('VersionedProxy'),
    exploit: async (attack, built) => {
      await attack.send(built.address, 'propose(address)', [attack.code])
      await attack.send(built.address, 'choose(uint256)', [1n])
    },
  },
  {
    name: 'the origin of a transaction may preview other logic in the same storage',
    by: 'anyone',
    build: async (chain) =>
      system(await chain.deploy('OriginProxy', await chain.deploy('StoredTargetLogic', await chain.deploy('Plain')))),
    exploit: async (attack, built) => {
      await attack.send(built.address, 'setPreview(address)', [attack.code])
      // The fixed logic delegates to an address in storage, which the previewed code writes.
      const slot = toHex(0x5107, { size: 32 })
      await attack.send(built.address, 'store(bytes32,bytes32)', [slot, pad(attack.code, { size: 32 })])
    },
  },
  {
    name: 'the pointer is the code of another contract',
    build: async (chain) => {
      const pointer = await chain.deployRuntime(concatHex(['0x00', await chain.deploy('Plain')]))
      return system(await chain.deploy('CodePointerProxy', pointer, chain.hidden().address))
    },
    exploit: async ({ send, deployRuntime, code }, { address }) =>
      send(address, 'refresh(address)', [await deployRuntime(concatHex(['0x00', code]))]),
  },
  {
    name: 'a library chooses the logic and may change the choice',
    by: 'anyone',
    build: async (chain) =>
      system(await chain.deploy('LibraryChosenProxy', await chain.deploy('StateChooser'), await chain.deploy('Plain'))),
    exploit: ({ sendRaw, code }, { address }) =>
      sendRaw(address, concatHex([toHex(0, { size: 32 }), pad(code, { size: 32 })])),
  },
  {
    name: 'the pointer shares its word with a counter',
    build: keyed('PackedPointerProxy'),
    exploit: ({ sendRaw, code }, { address }) => sendRaw(address, code),
  },
  {
    name: 'the logic is an account with a key that runs the code of a contract',
    settings: NEW_EVM,
    build: async (chain) => {
      const account = chain.hidden()
      await delegateAccount(chain.node, account, chain.hidden(1), await chain.deploy('Plain'))
      return system(await chain.deploy('AccountLogicProxy', account.address))
    },
    exploit: ({ account, hidden, chain, code }) => delegateAccount(chain.node, account, hidden(1), code),
  },
  {
    name: 'the implementation slot names an account with a key that runs the code of a contract',
    settings: ['optimized'],
    build: async (chain) => {
      const account = chain.hidden()
      await delegateAccount(chain.node, account, chain.hidden(1), await chain.deploy('Plain'))
      return system(await chain.proxy(account.address))
    },
    exploit: ({ account, hidden, chain, code }) => delegateAccount(chain.node, account, hidden(1), code),
  },
  {
    name: 'the beacon is an account with a key that runs the code of a contract',
    settings: ['optimized'],
    build: async (chain) => {
      const account = chain.hidden()
      const beacon = await chain.deploy('HonestBeacon', await chain.deploy('Plain'))
      await delegateAccount(chain.node, account, chain.hidden(1), beacon)
      return system(await chain.deployArtifact(openZeppelin4('BeaconProxy'), account.address, '0x'))
    },
    exploit: ({ account, hidden, chain, code }) => delegateAccount(chain.node, account, hidden(1), code),
  },
  {
    name: 'the owner is an account with a key that answers like a Safe',
    settings: ['optimized'],
    build: async (chain) => {
      const account = chain.hidden()
      await delegateAccount(chain.node, account, chain.hidden(1), await chain.deploy('AccountSafe', signers(5)))
      return controlledBy(chain, account.address)
    },
    exploit: (attack, built) => attack.sendRaw(part(built, 'admin'), upgradeCall(built.address, attack.code)),
  },
  {
    name: 'the owner is an account with a key that runs the code of a real Safe',
    settings: ['optimized'],
    build: async (chain) => {
      const account = chain.hidden()
      const singleton = await safeSingleton(chain)
      const proxy = await chain.deploy('FixedSafe', singleton)
      await delegateAccount(chain.node, account, chain.hidden(1), proxy)
      await chain.evm.sendRaw(account.address, setupData({ owners: signers(5), threshold: 3 }))
      return controlledBy(chain, account.address)
    },
    exploit: (attack, built) => attack.sendRaw(part(built, 'admin'), upgradeCall(built.address, attack.code)),
  },
  {
    name: 'the owner is an address without code at which anyone may deploy',
    by: 'anyone',
    settings: NEW_EVM,
    build: async (chain) => {
      const factory = await chain.deploy('OpenFactory')
      const salt = toHex(1, { size: 32 })
      const at = await chain.evm.read({ ...chain.own('OpenFactory'), address: factory }, 'addressOf', [salt])
      return controlledBy(chain, `0x${at.slice(-40)}`, { factory })
    },
    exploit: async (attack, built) => {
      const creation = creationCodeOf(
        attack.chain.own('CallOnce'),
        part(built, 'admin'),
        upgradeCall(built.address, attack.code),
      )
      await attack.send(part(built, 'factory'), 'deploy(bytes32,bytes)', [toHex(1, { size: 32 }), creation])
    },
  },
  {
    name: 'a contract delegates to a helper that destroys it',
    by: 'anyone',
    hardfork: 'shanghai',
    settings: ['old EVM'],
    build: async (chain) => system(await chain.deploy('DestructibleLogic', await chain.deploy('Destroyer'))),
    exploit: (attack, built) => attack.send(built.address, 'clean()'),
  },
  {
    name: 'anyone may destroy the contract through an open delegatecall',
    by: 'anyone',
    hardfork: 'shanghai',
    settings: ['old EVM'],
    build: async (chain) => system(await chain.deploy('OpenCleaner')),
    exploit: async (attack, built) =>
      attack.send(built.address, 'clean(address,bytes)', [await attack.deploy('Destroyer'), callData('destroy()')]),
  },
  {
    name: 'a proxy is destroyed through its logic',
    by: 'anyone',
    hardfork: 'shanghai',
    settings: ['old EVM'],
    build: async (chain) => {
      const logic = await chain.deploy('DestructibleLogic', await chain.deploy('Destroyer'))
      return system(await chain.proxy(logic))
    },
    exploit: (attack, built) => attack.send(built.address, 'clean()'),
  },
  {
    name: 'one key destroys the logic and deploys other code at its address',
    hardfork: 'shanghai',
    settings: ['optimized'],
    build: async (chain) => {
      const { factory, at } = await replaceable(chain, () => chain.deploy('KillableLogic', chain.hidden().address))
      return system(await chain.proxy(at), { factory, logic: at })
    },
    exploit: async (attack, built) => {
      await attack.send(part(built, 'logic'), 'close()')
      await attack.send(part(built, 'factory'), 'make(address)', [attack.code])
    },
  },
  {
    name: 'logic runs any code, by CALLCODE, at its own address alone, and is destroyed',
    hardfork: 'shanghai',
    settings: ['optimized', 'unoptimized'],
    build: async (chain) => {
      const { factory, at } = await replaceable(chain, (self) => chain.deploy('OwnAddressLogic', self))
      return system(await chain.deploy('PlainAdminProxy', at, await chain.timelock()), { factory, logic: at })
    },
    exploit: async (attack, built) => {
      await attack.send(part(built, 'logic'), 'clean(address)', [await attack.deploy('Destroyer')])
      await attack.send(part(built, 'factory'), 'make(address)', [attack.code])
    },
  },
  {
    name: 'one key destroys the contract itself and deploys other code at its address',
    hardfork: 'shanghai',
    settings: ['optimized'],
    build: async (chain) => {
      const { factory, at } = await replaceable(chain, () => chain.deploy('KillableLogic', chain.hidden().address))
      return system(at, { factory })
    },
    exploit: async (attack, built) => {
      await attack.send(built.address, 'close()')
      await attack.send(part(built, 'factory'), 'make(address)', [attack.code])
    },
  },
]

export const forwarders: readonly Case[] = drafts.map((draft) => ({
  by: 'one key',
  ...draft,
  cause: 'forwarder',
  truth: WEAK,
}))
