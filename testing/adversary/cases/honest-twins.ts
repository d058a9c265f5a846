/** The structures of the tricks without the trick, with the label that each deserves. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { concatHex, type Hex, keccak256, zeroAddress } from 'viem'
import { openZeppelin4, openZeppelin5 } from '../../evm/compile.ts'
import { eoa, signers } from '../../evm/control.ts'
import { assemble, forwardTo } from '../assemble.ts'
import type { Twin } from '../case.ts'
import { type Built, type Chain, callData, NO_OWNER, system } from '../chain.ts'
import { deploySafe, execSafe, safeTransactionHash } from '../safes.ts'
import { compatibilityHandler } from './hidden-entries.ts'
import { tokenFor, voted } from './lists.ts'
import { controlledBy, governed } from './lying-getters.ts'
import { approvals } from './modules.ts'
import { authorized } from './patterns.ts'
import { NEW_EVM } from './second-writers.ts'
import { roledBeacon, safeWithAllowances } from './walks.ts'

const timelocked =
  (name: string) =>
  async (chain: Chain): Promise<Built> =>
    system(await chain.uups(name, await chain.timelock()))
const renounced =
  (name: string) =>
  async (chain: Chain): Promise<Built> =>
    system(await chain.uups(name, NO_OWNER))
const plain =
  (name: string, ...args: readonly unknown[]) =>
  async (chain: Chain): Promise<Built> =>
    system(await chain.proxy(await chain.deploy(name, ...args), callData('setNumber(uint256)', [0])))
/** A proxy of this folder with honest logic as its first argument. */
const around =
  (name: string) =>
  async (chain: Chain): Promise<Built> =>
    system(await chain.deploy(name, await chain.deploy('Plain')))

/** Codes of the Vyper compiler. */
const vyperCodes = (
  JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'fixtures', 'vyper.json'), 'utf8')) as {
    readonly codes: readonly { readonly version: string; readonly optimize: string; readonly code: Hex }[]
  }
).codes

const COUNCIL = { owners: signers(5), threshold: 3 } as const

export const honestTwins: readonly Twin[] = [
  {
    name: 'UUPS logic that a timelock owns',
    cause: 'second writer',
    twinOf: 'an open function writes the implementation slot of a timelocked proxy',
    deserves: 'timelocked',
    build: timelocked('OwnedLogic'),
  },
  {
    name: 'UUPS logic of OpenZeppelin 5 that a timelock owns',
    cause: 'second writer',
    twinOf: 'any caller may initialize a later version again (OpenZeppelin 5)',
    deserves: 'timelocked',
    settings: NEW_EVM,
    build: timelocked('OwnedLogic5'),
  },
  {
    name: 'logic without an upgrade function',
    cause: 'second writer',
    twinOf: 'an open function writes the implementation slot of logic without an upgrade function',
    deserves: 'immutable',
    build: plain('Plain'),
  },
  {
    name: 'UUPS logic whose owner is renounced',
    cause: 'second writer',
    twinOf: 'an open function replaces the owner',
    deserves: 'immutable',
    build: renounced('OwnedLogic'),
  },
  {
    name: 'UUPS logic that a Safe owns',
    cause: 'second writer',
    twinOf: 'a proxy was never initialized and looks renounced',
    deserves: 'multisig',
    build: async (chain) => system(await chain.uups('OwnedLogic', await chain.council())),
  },
  {
    name: 'a fixed extension that writes nothing',
    cause: 'second writer',
    twinOf: 'a fixed extension of the logic writes the pointer',
    deserves: 'immutable',
    build: async (chain) => {
      const logic = await chain.deploy('ExtendedLogic', await chain.deploy('QuietExtension'))
      return system(await chain.proxy(logic, callData('initialize(address)', [NO_OWNER])))
    },
  },
  {
    name: 'arrays and mappings with bounds',
    cause: 'second writer',
    twinOf: 'an array is written without a check of its bounds',
    deserves: 'immutable',
    build: plain('HonestList'),
  },
  {
    name: 'texts, lists and loops over arrays of the caller',
    cause: 'second writer',
    twinOf: 'a loop over an array begins at an index of the caller',
    deserves: 'immutable',
    build: plain('HonestLoops'),
  },
  {
    name: "Solmate's guard without an authority",
    cause: 'other guard',
    twinOf: 'an authority next to the owner lets every account pass',
    deserves: 'timelocked',
    build: authorized(),
  },
  {
    name: 'an owner in the storage of a diamond',
    cause: 'second writer',
    twinOf: 'the slot of the owner looks like a name and is an element of a mapping',
    deserves: 'timelocked',
    build: timelocked('DiamondOwner'),
  },
  {
    name: 'an owner in named storage of SolidState',
    cause: 'second writer',
    twinOf: 'the slot of the owner looks like a name and is an element of a mapping',
    deserves: 'timelocked',
    build: timelocked('SolidStateOwner'),
  },
  ...vyperCodes.map(
    ({ version, optimize, code }): Twin => ({
      name: `a token of Vyper ${version}, optimized for ${optimize}`,
      cause: 'second writer',
      twinOf: 'an entry of a table of jumps leads to the write',
      deserves: 'immutable',
      settings: ['optimized'],
      build: async (chain) => system(await chain.proxy(await chain.deployRuntime(code))),
    }),
  ),
  {
    name: 'multicall without a flag',
    cause: 'second writer',
    twinOf: 'a flag of multicall replaces the check of the owner',
    deserves: 'timelocked',
    build: timelocked('HonestMulticall'),
  },
  {
    name: 'logic that reads gas price, time and balances for other purposes',
    cause: 'trial detector',
    twinOf: 'the guard checks only at a gas price of zero',
    deserves: 'timelocked',
    build: timelocked('ObservantLogic'),
  },
  {
    name: 'an ordinary guard that is tried with other logic',
    cause: 'trial detector',
    twinOf: 'the guard checks only an upgrade to the current logic, owner renounced',
    deserves: 'immutable',
    build: renounced('ObservantLogic'),
  },
  {
    name: 'signatures, proofs and passwords that move balances only',
    cause: 'other guard',
    twinOf: 'a password with SHA-256 opens a function of logic without an upgrade function',
    deserves: 'immutable',
    build: plain('HonestClaims', keccak256('0x')),
  },
  {
    name: 'a time after which balances open and the guard does not',
    cause: 'trial detector',
    twinOf: 'the guard opens after 30 days',
    deserves: 'timelocked',
    build: async (chain) => system(await chain.uups('HonestVesting', await chain.timelock(), 30n * 86_400n)),
  },
  {
    name: 'words in memory that overlap and make a slot without a meaning',
    cause: 'second writer',
    twinOf: 'two words in memory overlap and make the slot',
    deserves: 'immutable',
    build: plain('HonestMemory'),
  },
  {
    name: 'wards that events name',
    cause: 'other guard',
    twinOf: 'a ward was added without an event',
    deserves: 'timelocked',
    build: async (chain) => {
      const data = callData('initialize(address,address)', [await chain.timelock(), NO_OWNER])
      return system(await chain.proxy(await chain.deploy('LoudWards'), data))
    },
  },
  {
    name: 'roles that events name',
    cause: 'other guard',
    twinOf: 'the initializer gave a role without an event',
    deserves: 'timelocked',
    settings: NEW_EVM,
    build: timelocked('RoledLogic'),
  },
  {
    name: 'roles whose members are listed in sets',
    cause: 'other guard',
    twinOf: 'the initializer gave a role without an event, next to sets of members',
    deserves: 'timelocked',
    settings: NEW_EVM,
    build: timelocked('RoledSetLogic'),
  },
  {
    name: 'an AccessManager whose administrator is a timelock',
    cause: 'lying getter',
    twinOf: 'an AccessManager lets one key pass at once',
    deserves: 'timelocked',
    settings: NEW_EVM,
    build: async (chain) => {
      const manager = await chain.deployArtifact(openZeppelin5('AccessManager'), await chain.timelock())
      return system(await chain.uups('ManagedLogic', manager))
    },
  },
  {
    name: 'a transparent proxy that a timelock controls',
    cause: 'lying getter',
    twinOf: "OpenZeppelin's timelock with a function for one key",
    deserves: 'timelocked',
    settings: ['optimized'],
    build: async (chain) => controlledBy(chain, await chain.timelock()),
  },
  {
    name: 'a timelock with open execution',
    cause: 'lying getter',
    twinOf: "OpenZeppelin's timelock executes operations with a secret salt at once",
    deserves: 'timelocked',
    settings: ['optimized'],
    build: async (chain) => {
      const lock = await chain.controllers.timelock(172_800n, [await chain.council()], [zeroAddress])
      return controlledBy(chain, lock.address)
    },
  },
  {
    name: 'a timelock of one hour',
    cause: 'lying getter',
    deserves: 'short_timelock',
    settings: ['optimized'],
    build: async (chain) => {
      const lock = await chain.controllers.timelock(3_600n, [await chain.council()])
      return controlledBy(chain, lock.address)
    },
  },
  {
    name: "Compound's timelock with a Safe as administrator",
    cause: 'lying getter',
    twinOf: "Compound's timelock with a function for one key",
    deserves: 'timelocked',
    build: async (chain) =>
      controlledBy(chain, await chain.deploy('CompoundTimelock', await chain.council(), 172_800n)),
  },
  {
    name: 'a transparent proxy that one key controls',
    cause: 'lying getter',
    deserves: 'single_key',
    settings: ['optimized'],
    build: (chain) => controlledBy(chain, eoa(77)),
  },
  {
    name: 'a proxy whose admin slot is the only one that counts',
    cause: 'lying getter',
    twinOf: 'the admin slot names a timelock and another slot counts too',
    deserves: 'timelocked',
    build: async (chain) =>
      system(await chain.deploy('PlainAdminProxy', await chain.deploy('Plain'), await chain.timelock())),
  },
  {
    name: 'a Safe without modules',
    cause: 'module',
    twinOf: 'the setup enabled one key as a module without an event',
    deserves: 'multisig',
    settings: ['optimized'],
    build: async (chain) => controlledBy(chain, await deploySafe(chain, COUNCIL)),
  },
  {
    name: 'a Safe with a module that its own signers approved: another Safe',
    cause: 'module',
    twinOf: 'the module is a Safe of one key',
    deserves: 'multisig',
    settings: ['optimized'],
    build: async (chain) => {
      const inner = await deploySafe(chain, { owners: signers(3, 20), threshold: 2 })
      const to = await chain.deploy('QuietSetup')
      const data = callData('loudModule(address)', [inner])
      return controlledBy(chain, await deploySafe(chain, { ...COUNCIL, to, data }), { inner })
    },
  },
  {
    name: 'two Safes with the released fallback handler own a Safe',
    cause: 'module',
    twinOf: 'the fallback handlers of nested Safes accept every signature',
    deserves: 'multisig',
    settings: ['optimized'],
    build: async (chain) => {
      const fallbackHandler = await compatibilityHandler(chain)
      const owner0 = await deploySafe(chain, { ...COUNCIL, fallbackHandler })
      const owner1 = await deploySafe(chain, { ...COUNCIL, owners: signers(5, 20), fallbackHandler })
      const safe = await deploySafe(chain, { owners: [owner0, owner1], threshold: 2 })
      return controlledBy(chain, safe, { owner0, owner1 })
    },
  },
  {
    name: 'a beacon with fixed logic',
    cause: 'forwarder',
    deserves: 'immutable',
    build: async (chain) => {
      const beacon = await chain.deploy('HonestBeacon', await chain.deploy('Plain'))
      return system(await chain.deployArtifact(openZeppelin4('BeaconProxy'), beacon, '0x'))
    },
  },
  {
    name: 'a beacon that a timelock owns',
    cause: 'forwarder',
    deserves: 'timelocked',
    settings: ['optimized'],
    build: async (chain) => {
      const args = [await chain.deploy('Plain'), await chain.timelock()]
      const beacon = await chain.deployArtifact(openZeppelin5('UpgradeableBeacon'), ...args)
      return system(await chain.deployArtifact(openZeppelin4('BeaconProxy'), beacon, '0x'))
    },
  },
  {
    name: 'a minimal proxy to fixed logic',
    cause: 'forwarder',
    twinOf: 'code that looks like a minimal proxy continues after it',
    deserves: 'immutable',
    build: async (chain) => {
      const code: readonly Hex[] = ['0x363d3d373d3d3d363d73', await chain.deploy('Plain')]
      return system(await chain.deployRuntime(concatHex([...code, '0x5af43d82803e903d91602b57fd5bf3'])))
    },
  },
  {
    name: 'a call proxy with a fixed target',
    cause: 'forwarder',
    twinOf: 'a call proxy with setLogic for one key',
    deserves: 'immutable',
    build: around('FixedCaller'),
  },
  {
    name: 'a forwarder with fixed logic',
    cause: 'forwarder',
    twinOf: 'the pointer shares its word with a counter',
    deserves: 'immutable',
    build: around('FixedForwarder'),
  },
  {
    name: 'a table by selector that only the constructor writes',
    cause: 'forwarder',
    twinOf: 'anyone may add a selector to the table of a proxy',
    deserves: 'immutable',
    build: around('FixedTableProxy'),
  },
  {
    name: 'a diamond that lists all facets and cannot change them',
    cause: 'forwarder',
    twinOf: 'a diamond does not list the facet that writes its table',
    deserves: 'immutable',
    build: around('HonestDiamond'),
  },
  {
    name: 'a hand-written forwarder with fixed logic',
    cause: 'forwarder',
    twinOf: 'a forwarder with CALLCODE, whose target anyone may set with 20 bytes',
    deserves: 'immutable',
    settings: ['optimized'],
    build: async (chain) => system(await chain.deployRuntime(assemble(forwardTo(await chain.deploy('Plain'))))),
  },
  {
    name: 'a Safe that executed a transaction which its owners approved on chain',
    cause: 'module',
    twinOf:
      'the setup of the Safe approved its first transaction for all owners that it needs but one, with the events',
    deserves: 'multisig',
    settings: ['optimized'],
    build: async (chain) => {
      const safe = await deploySafe(chain, COUNCIL)
      const call = (to: Hex, data: Hex): Promise<Hex> => chain.node.rpc<Hex>('eth_call', { to, data }, 'latest')
      const hash = await safeTransactionHash(call, safe, safe, '0x')
      const signing = COUNCIL.owners.slice(0, 3)
      for (const owner of signing) await chain.send(safe, 'approveHash(bytes32)', [hash], owner)
      await execSafe(chain, safe, safe, '0x', approvals(signing))
      // A transaction that waits for its last signer.
      for (const owner of signing.slice(1)) await chain.send(safe, 'approveHash(bytes32)', [keccak256('0x02')], owner)
      return controlledBy(chain, safe)
    },
  },
  {
    name: 'a role that another role grants',
    cause: 'other guard',
    twinOf: 'any caller may join the role that grants the role that upgrades',
    deserves: 'timelocked',
    build: async (chain) => {
      const data = callData('initialize(address,address)', [await chain.timelock(), NO_OWNER])
      return system(await chain.proxy(await chain.deploy('LadderRoles'), data))
    },
  },
  {
    name: 'a governor whose votes its timelock mints',
    cause: 'lying getter',
    twinOf: 'one key mints the votes of a governor',
    deserves: 'timelocked',
    settings: NEW_EVM,
    build: (chain) => governed(chain, (lock) => lock),
  },
  {
    name: 'a vote by a token with checkpoints, permits and delegation by signature',
    cause: 'lying getter',
    twinOf: 'one key sets votes by its signature, in a function named delegateBySig',
    deserves: 'multisig',
    build: async (chain) => {
      const token = await chain.deploy('CheckpointToken', await chain.council())
      return controlledBy(chain, await chain.deploy('HonestBallots', token), { token })
    },
  },
  {
    name: "a vote by OpenZeppelin 4's token with votes",
    cause: 'lying getter',
    twinOf: 'every account sets its votes by its signature',
    deserves: 'multisig',
    settings: ['optimized', 'unoptimized'],
    build: async (chain) => {
      const token = await chain.deploy('HonestVotes', await chain.council())
      return controlledBy(chain, await chain.deploy('HonestBallots', token), { token })
    },
  },
  {
    name: "a vote by OpenZeppelin 4's token with votes, which a council mints",
    cause: 'lying getter',
    twinOf: 'every caller can become the account that mints votes',
    deserves: 'multisig',
    settings: ['optimized', 'unoptimized'],
    build: async (chain) => {
      const token = await chain.deploy('OwnedVotes', await chain.council())
      return controlledBy(chain, await chain.deploy('HonestBallots', token), { token })
    },
  },
  {
    name: 'a vote that is recorded in a receipt after it is counted',
    cause: 'lying getter',
    twinOf: 'the caller says how often its vote counts',
    deserves: 'multisig',
    build: voted('HonestReceipts', tokenFor()),
  },
  {
    name: 'a list, and an owner who may store any word',
    cause: 'second writer',
    twinOf: 'an earlier owner stored the length of a list',
    deserves: 'timelocked',
    build: timelocked('AnyWord'),
  },
  {
    name: 'a queue whose keys cover call and time',
    cause: 'lying getter',
    twinOf: 'the time of a queued operation is not part of its key',
    deserves: 'timelocked',
    build: async (chain) =>
      controlledBy(chain, await chain.deploy('BoundQueue', await chain.council()), { safe: await chain.council() }),
  },
  {
    name: 'a Safe whose delegates may transfer tokens',
    cause: 'module',
    deserves: 'multisig',
    settings: ['optimized'],
    build: async (chain) => controlledBy(chain, await safeWithAllowances(chain)),
  },
  {
    name: 'a vote by a token behind a proxy, which a Safe mints',
    cause: 'lying getter',
    twinOf: 'one key mints votes of a token behind a proxy',
    deserves: 'multisig',
    build: async (chain) => {
      const data = callData('initialize(address)', [await chain.council()])
      const token = await chain.proxy(await chain.deploy('KeyToken'), data)
      return controlledBy(chain, await chain.deploy('HonestBallots', token), { token })
    },
  },
  {
    name: 'an AccessManager of a timelock is the admin of a proxy',
    cause: 'lying getter',
    deserves: 'timelocked',
    settings: NEW_EVM,
    build: async (chain) => {
      const manager = await chain.deployArtifact(openZeppelin5('AccessManager'), await chain.timelock())
      return system(await chain.deploy('NamedProxy', await chain.deploy('Plain'), manager), { manager })
    },
  },
  {
    name: 'a beacon proxy with roles that events name',
    cause: 'forwarder',
    deserves: 'timelocked',
    build: async (chain) => {
      const { address, beacon } = await roledBeacon(chain)
      await chain.send(beacon, 'transferOwnership(address)', [await chain.timelock()])
      return system(address)
    },
  },
]
