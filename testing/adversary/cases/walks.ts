/** Controllers of controllers: signers of signers, votes, managers, modules and circles. */
import {
  concatHex,
  encodeAbiParameters,
  type Hex,
  keccak256,
  pad,
  parseSignature,
  toFunctionSelector,
  toHex,
  zeroAddress,
} from 'viem'
import { openZeppelin4, openZeppelin5 } from '../../evm/compile.ts'
import { signers } from '../../evm/control.ts'
import type { Attack } from '../attack.ts'
import { type Case, WEAK, WITHOUT_DELAY } from '../case.ts'
import { type Built, type Chain, callData, system } from '../chain.ts'
import { deploySafe, execSafe, safeSingleton, safeTransactionHash, setupData, upgradeCall } from '../safes.ts'
import { pass, tokenFor, voted } from './lists.ts'
import { controlledBy, part } from './lying-getters.ts'
import { approvals, contractSignatures } from './modules.ts'
import { replaceable } from './passing-storage.ts'
import { NEW_EVM } from './second-writers.ts'

export type Draft = Omit<Case, 'truth' | 'by'> & Partial<Pick<Case, 'by' | 'truth'>>

const FIVE = signers(5)
const COUNCIL = { owners: FIVE, threshold: 3 } as const

/** A Safe whose two owners must both sign, and which controls the labeled proxy. */
async function ownedByBoth(chain: Chain, owners: readonly [Hex, Hex]): Promise<Built> {
  const safe = await deploySafe(chain, { owners, threshold: 2 })
  return controlledBy(chain, safe, { owner0: owners[0], owner1: owners[1] })
}
/** Executes with signatures of the owners that no key gave. */
const signForOwners = (attack: Attack, built: Built): Promise<void> => {
  const owners = [part(built, 'owner0'), part(built, 'owner1')]
  const data = upgradeCall(built.address, attack.code)
  return execSafe(attack, part(built, 'controller'), part(built, 'admin'), data, contractSignatures(owners, '0x'))
}

const EXEC = 'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)'
/** Safes of one owner each, from the one that the key owns to the one that owns the outer Safe. */
const NESTED = 9
async function nestedSafes(chain: Chain): Promise<readonly Hex[]> {
  const safes: Hex[] = []
  for (let n = 0; n < NESTED; n += 1)
    safes.push(await deploySafe(chain, { owners: [safes.at(-1) ?? chain.hidden().address], threshold: 1 }))
  return safes
}
/** Makes the last Safe of a chain call something, by a call of the key to the first. */
function callThrough(safes: readonly Hex[], key: Hex, to: Hex, data: Hex): Hex {
  let [target, input] = [to, data]
  for (const [at, safe] of [...safes.entries()].toReversed()) {
    const signature = approvals([at === 0 ? key : (safes[at - 1] as Hex)])
    input = callData(EXEC, [target, 0n, input, 0, 0n, 0n, 0n, zeroAddress, zeroAddress, signature])
    target = safe
  }
  return input
}
const chained = (built: Built, name: string): readonly Hex[] =>
  Array.from({ length: NESTED }, (_, n) => part(built, `${name}${n}`))

const vote = pass('vote(bytes32,bool)', [])
export const VOTES = 10n ** 28n
/** Votes after a call that gives the attacker votes. */
export const voteAfter =
  (before: (attack: Attack, token: Hex) => Promise<void>): Case['exploit'] =>
  async (attack, built) => {
    const token = part(built, 'token')
    await before(attack, token)
    // Not every token has delegates.
    await attack.send(token, 'delegate(address)', [attack.account.address]).catch(() => undefined)
    await vote(attack, built)
  }
/** The attacker has most of the votes. */
const majority = tokenFor('CheckpointToken', 6n * 10n ** 23n)
const mint = ({ account }: Attack): Hex => callData('mint(address,uint256)', [account.address, VOTES])
export const mintBy: Case['exploit'] = voteAfter((attack, token) => attack.sendRaw(token, mint(attack)))

/** Calls a function with arguments and a signature of them by the attacker. */
export async function sendSigned(
  { account, send }: Attack,
  token: Hex,
  signature: string,
  args: readonly (readonly [string, unknown])[],
): Promise<void> {
  const values = args.map(([, value]) => value)
  const encoded = encodeAbiParameters(
    args.map(([type]) => ({ type })),
    values,
  )
  const { r, s, v } = parseSignature(await account.sign({ hash: keccak256(encoded) }))
  await send(token, signature, [...values, Number(v), r, s])
}

/** A minimal proxy to logic. */
const cloneOf = (chain: Chain, logic: Hex): Promise<Hex> =>
  chain.deployRuntime(concatHex(['0x363d3d373d3d3d363d73', logic, '0x5af43d82803e903d91602b57fd5bf3']))

/** An AccessManager that a timelock administers, in which one key has a role for a function. */
export async function managerWith(
  chain: Chain,
  settingsOf: (manager: Hex) => Promise<{ built: Built; target: Hex; function: string }>,
): Promise<Built> {
  const lock = await chain.timelock()
  const manager = await chain.deployArtifact(openZeppelin5('AccessManager'), lock)
  const { built, target, function: named } = await settingsOf(manager)
  const selector = toFunctionSelector(named)
  await chain.send(manager, 'setTargetFunctionRole(address,bytes4[],uint64)', [target, [selector], 7n], lock)
  await chain.send(manager, 'grantRole(uint64,address,uint32)', [7n, chain.hidden().address, 0], lock)
  return system(built.address, { ...built.parts, manager })
}

/** The allowance module that Safe deployed at this address. */
export const ALLOWANCE_MODULE: Hex = '0xcfbfac74c26f8647cbdb8c5caf80bb5b61e43134'
/** A Safe whose delegates may transfer tokens. */
export async function safeWithAllowances(chain: Chain): Promise<Hex> {
  const code = await chain.node.rpc<Hex>('eth_getCode', await chain.deploy('TransferModule'), 'latest')
  await chain.controllers.setCode(ALLOWANCE_MODULE, code)
  const data = callData('loudModule(address)', [ALLOWANCE_MODULE])
  return deploySafe(chain, { ...COUNCIL, to: await chain.deploy('QuietSetup'), data })
}
/** Sends nothing of a token in the name of the Safe, to the code of the attacker. */
export const transferByDelegate = (attack: Attack, safe: Hex, token: Hex): Promise<void> =>
  attack.send(ALLOWANCE_MODULE, 'executeAllowanceTransfer(address,address,address,uint96)', [
    safe,
    token,
    attack.code,
    0n,
  ])
/** A beacon proxy with roles, and its beacon, which the deployer owns. */
export async function roledBeacon(chain: Chain): Promise<{ address: Hex; beacon: Hex; logic: Hex }> {
  const logic = await chain.deploy('RoledCaller')
  const beacon = await chain.deployArtifact(openZeppelin5('UpgradeableBeacon'), logic, chain.evm.accounts[0])
  const start = callData('initialize(address,address)', [await chain.timelock(), await chain.deploy('Plain')])
  const address = await chain.deployArtifact(openZeppelin4('BeaconProxy'), beacon, start)
  await chain.send(address, 'deposit(uint256)', [1n])
  return { address, beacon, logic }
}

const UPGRADE_TO = toFunctionSelector('upgradeTo(address)')
const upgrade = ({ send, code }: Attack, { address }: Built): Promise<void> =>
  send(address, 'upgradeTo(address)', [code])
const run = (attack: Attack, built: Built): Promise<void> =>
  attack.send(part(built, 'controller'), 'run(address,bytes)', [
    part(built, 'admin'),
    upgradeCall(built.address, attack.code),
  ])
/** Solmate's authority with roles, which a timelock owns. */
async function rolesAuthority(
  chain: Chain,
  settings: readonly (readonly [string, readonly unknown[]])[],
): Promise<Hex> {
  const [deployer = zeroAddress] = chain.evm.accounts
  const authority = await chain.deploy('RolesAuthority', deployer)
  for (const [signature, args] of settings) await chain.send(authority, signature, args)
  return authority
}

const drafts: readonly Draft[] = [
  {
    name: 'two contracts that answer like the old multisig wallet own a Safe',
    cause: 'lying getter',
    build: async (chain) =>
      ownedByBoth(chain, [
        await chain.deploy('YesMultisig', FIVE.slice(0, 3)),
        await chain.deploy('YesMultisig', FIVE.slice(2)),
      ]),
    exploit: signForOwners,
  },
  {
    name: 'nested Safes of one key are deeper than the walk',
    cause: 'module',
    by: 'one key',
    settings: ['optimized'],
    build: async (chain) => {
      const [first, second] = [await nestedSafes(chain), await nestedSafes(chain)]
      const built = await ownedByBoth(chain, [first.at(-1) as Hex, second.at(-1) as Hex])
      const parts = [first, second].flatMap((safes, at) => safes.map((safe, n) => [`${'ab'[at]}${n}`, safe] as const))
      return system(built.address, { ...built.parts, ...Object.fromEntries(parts) })
    },
    exploit: async (attack, built) => {
      const [safe, to] = [part(built, 'controller'), part(built, 'admin')]
      const data = upgradeCall(built.address, attack.code)
      const call = (at: Hex, input: Hex): Promise<Hex> =>
        attack.chain.node.rpc<Hex>('eth_call', { to: at, data: input }, 'latest')
      const hash = await safeTransactionHash(call, safe, to, data)
      for (const safes of [chained(built, 'a'), chained(built, 'b')]) {
        const approve = callData('approveHash(bytes32)', [hash])
        await attack.sendRaw(safes[0] as Hex, callThrough(safes, attack.account.address, safe, approve))
      }
      await execSafe(attack, safe, to, data, approvals([part(built, 'owner0'), part(built, 'owner1')]))
    },
  },
  {
    name: 'the proxies of nested Safes accept every signature',
    cause: 'module',
    build: async (chain) => {
      const owners: Hex[] = []
      for (const group of [FIVE, signers(5, 20)]) {
        const proxy = await chain.deploy('LyingSafeProxy', await safeSingleton(chain))
        await chain.evm.sendRaw(proxy, setupData({ owners: group, threshold: 3 }))
        owners.push(proxy)
      }
      return ownedByBoth(chain, owners as [Hex, Hex])
    },
    exploit: signForOwners,
  },
  {
    name: 'the singleton of the Safe was never set up, and one key deploys other code at its address',
    cause: 'module',
    by: 'one key',
    hardfork: 'shanghai',
    settings: ['optimized'],
    build: async (chain) => {
      const released = await safeSingleton(chain)
      const { factory, at } = await replaceable(chain, async () => released)
      const safe = await deploySafe(chain, COUNCIL, at)
      return system(await chain.deploy('NamedProxy', await chain.deploy('Plain'), safe), {
        safe,
        factory,
        singleton: at,
      })
    },
    exploit: async (attack, built) => {
      const to = await attack.deploy('Destroyer')
      const setup = { owners: [attack.account.address], threshold: 1, to, data: callData('destroy()') }
      await attack.sendRaw(part(built, 'singleton'), setupData(setup))
      await attack.send(part(built, 'factory'), 'make(address)', [await attack.deploy('SelfToken')])
      const data = callData('replaceLogic(address)', [attack.code])
      await attack.send(part(built, 'safe'), 'run(address,bytes)', [built.address, data])
    },
  },
  {
    name: 'the fallback handler of the Safe is a module that obeys it',
    cause: 'module',
    build: async (chain) => {
      const owners = [0, 1, 2].map((n) => chain.hidden(n).address)
      const safe = await deploySafe(chain, { owners, threshold: 2 })
      const module = await chain.deploy('ObeyingModule', safe)
      await chain.send(safe, 'enableModule(address)', [module], safe)
      await chain.send(safe, 'setFallbackHandler(address)', [module], safe)
      return controlledBy(chain, safe)
    },
    exploit: (attack, built) =>
      attack.send(part(built, 'controller'), 'exec(address,bytes)', [
        part(built, 'admin'),
        upgradeCall(built.address, attack.code),
      ]),
  },
  {
    name: 'a delegate of a Safe may transfer a token, and the transfer is an upgrade',
    cause: 'module',
    build: async (chain) => {
      const safe = await safeWithAllowances(chain)
      return system(await chain.deploy('TransferProxy', await chain.deploy('Plain'), safe), { safe })
    },
    exploit: (attack, built) => transferByDelegate(attack, part(built, 'safe'), built.address),
  },
  {
    name: 'a governor acts through a timelock that does not wait',
    cause: 'lying getter',
    by: 'one key',
    truth: WITHOUT_DELAY,
    build: async (chain) => {
      const lock = await chain.deploy('QuickLock')
      const governor = await chain.deploy('LockedBallots', await majority(chain), lock)
      await chain.send(lock, 'start(address)', [governor])
      const built = await controlledBy(chain, lock)
      return system(built.address, { ...built.parts, controller: governor, lock })
    },
    exploit: vote,
  },
  {
    name: 'a governor answers like the controller of payloads of Aave',
    cause: 'lying getter',
    by: 'one key',
    truth: WITHOUT_DELAY,
    build: voted('PayloadBallots', majority),
    exploit: vote,
  },
  {
    name: 'one key mints votes, and the governor looks like the controller of payloads of Aave',
    cause: 'lying getter',
    by: 'one key',
    build: voted('PayloadBallots', async (chain) => {
      const token = await chain.deploy('KeyToken')
      await chain.send(token, 'initialize(address)', [chain.hidden().address])
      return token
    }),
    exploit: mintBy,
  },
  {
    name: 'one key mints votes of a token that is a minimal proxy',
    cause: 'lying getter',
    by: 'one key',
    build: voted('HonestBallots', async (chain) => {
      const token = await cloneOf(chain, await chain.deploy('KeyToken'))
      await chain.send(token, 'initialize(address)', [chain.hidden().address])
      return token
    }),
    exploit: mintBy,
  },
  {
    name: 'one key mints votes of a token behind a proxy',
    cause: 'lying getter',
    by: 'one key',
    build: voted('HonestBallots', async (chain) => {
      const data = callData('initialize(address)', [chain.hidden().address])
      return chain.proxy(await chain.deploy('KeyToken'), data)
    }),
    exploit: mintBy,
  },
  {
    name: 'a token mints votes for itself and calls what anyone names',
    cause: 'lying getter',
    build: voted('HonestBallots', (chain) => chain.deploy('SelfToken')),
    exploit: voteAfter((attack, token) => attack.send(token, 'run(address,bytes)', [token, mint(attack)])),
  },
  {
    name: 'the minter of the votes obeys the token, which calls what anyone names',
    cause: 'lying getter',
    build: async (chain) => {
      const token = await chain.deploy('CircleToken')
      const minter = await chain.deploy('TokenMinter', token)
      await chain.send(token, 'initialize(address)', [minter])
      return controlledBy(chain, await chain.deploy('HonestBallots', token), { token, minter })
    },
    exploit: async (attack, built) => {
      await voteAfter((_, token) => attack.send(token, 'run(address,bytes)', [part(built, 'minter'), mint(attack)]))(
        attack,
        built,
      )
    },
  },
  {
    name: 'one key says how many votes an account has',
    cause: 'lying getter',
    by: 'one key',
    build: voted('HonestBallots', (chain) => chain.deploy('WeightToken', chain.hidden().address)),
    exploit: voteAfter((attack, token) =>
      attack.send(token, 'adjust(address,uint96)', [attack.account.address, VOTES]),
    ),
  },
  {
    name: 'one key mints votes by a signature, in a function named permit',
    cause: 'lying getter',
    by: 'one key',
    build: voted('HonestBallots', (chain) => chain.deploy('PermitToken', chain.hidden().address)),
    exploit: voteAfter((attack, token) =>
      sendSigned(attack, token, 'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)', [
        ['address', attack.account.address],
        ['address', token],
        ['uint256', VOTES],
        ['uint256', 0n],
      ]),
    ),
  },
  {
    name: 'an AccessManager lets one key use an upgrade function with a name of its own',
    cause: 'lying getter',
    by: 'one key',
    settings: NEW_EVM,
    build: (chain) =>
      managerWith(chain, async (manager) => {
        const target = await chain.deploy('NamedProxy', await chain.deploy('Plain'), manager)
        return { built: system(target), target, function: 'replaceLogic(address)' }
      }),
    exploit: (attack, built) =>
      attack.send(part(built, 'manager'), 'execute(address,bytes)', [
        built.address,
        callData('replaceLogic(address)', [attack.code]),
      ]),
  },
  {
    name: 'an AccessManager lets one key upgrade from a later time on',
    cause: 'lying getter',
    by: 'one key',
    settings: ['optimized'],
    build: async (chain) => {
      const built = await managerWith(chain, async (manager) => {
        const target = await chain.deploy('NamedProxy', await chain.deploy('Plain'), manager)
        return { built: system(target), target, function: 'replaceLogic(address)' }
      })
      // As if the role had a delay between a grant and its effect.
      const members = keccak256(encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [7n, 1n]))
      const member = keccak256(concatHex([pad(chain.hidden().address), members]))
      const { timestamp } = await chain.node.rpc<{ timestamp: Hex }>('eth_getBlockByNumber', 'latest', false)
      const since = toHex(BigInt(timestamp) + 3_600n, { size: 32 })
      await chain.node.rpc('anvil_setStorageAt', part(built, 'manager'), member, since)
      return built
    },
    exploit: async (attack, built) => {
      await attack.wait(3_601)
      await attack.send(part(built, 'manager'), 'execute(address,bytes)', [
        built.address,
        callData('replaceLogic(address)', [attack.code]),
      ])
    },
  },
  {
    name: 'an AccessManager lets one key use a controller behind a proxy',
    cause: 'lying getter',
    by: 'one key',
    settings: NEW_EVM,
    build: (chain) =>
      managerWith(chain, async (manager) => {
        const logic = await chain.deploy('OwnedExecutor', manager)
        const target = await cloneOf(chain, logic)
        await chain.node.rpc('anvil_setStorageAt', target, toHex(0, { size: 32 }), pad(manager, { size: 32 }))
        return { built: await controlledBy(chain, target), target, function: 'run(address,bytes)' }
      }),
    exploit: (attack, built) => {
      const args = [part(built, 'admin'), upgradeCall(built.address, attack.code)]
      const data = callData('run(address,bytes)', args)
      return attack.send(part(built, 'manager'), 'execute(address,bytes)', [part(built, 'controller'), data])
    },
  },
  {
    name: 'a contract pays tokens for anyone, and its manager takes a transfer for an order',
    cause: 'second writer',
    build: async (chain) => {
      const holder = await chain.deploy('PayingHolder')
      const built = await controlledBy(chain, holder)
      const args = [holder, await chain.council(), part(built, 'admin'), built.address]
      const manager = await chain.deploy('TransferManager', ...args)
      await chain.send(holder, 'start(address)', [manager])
      return system(built.address, { ...built.parts, manager })
    },
    exploit: (attack, built) =>
      attack.send(part(built, 'controller'), 'pay(address,address,uint256)', [part(built, 'manager'), attack.code, 0n]),
  },
  {
    name: 'a beacon gave out other logic for a time, which added a member without an event',
    cause: 'forwarder',
    by: 'one key',
    build: async (chain) => {
      const { address, beacon, logic } = await roledBeacon(chain)
      await chain.send(beacon, 'upgradeTo(address)', [await chain.deploy('SilentRoles')])
      await chain.send(address, 'grant(address)', [chain.hidden().address])
      await chain.send(beacon, 'upgradeTo(address)', [logic])
      await chain.send(beacon, 'transferOwnership(address)', [await chain.timelock()])
      return system(address)
    },
    exploit: ({ send, code }, { address }) => send(address, 'replace(address)', [code]),
  },
  {
    name: "one key has a role for the upgrade in Solmate's authority",
    cause: 'other guard',
    by: 'one key',
    build: async (chain) => {
      const authority = await rolesAuthority(chain, [])
      const data = callData('initialize(address,address)', [await chain.timelock(), authority])
      const address = await chain.proxy(await chain.deploy('SolmateLogic'), data)
      await chain.send(authority, 'setRoleCapability(uint8,address,bytes4,bool)', [3, address, UPGRADE_TO, true])
      await chain.send(authority, 'setUserRole(address,uint8,bool)', [chain.hidden().address, 3, true])
      await chain.send(authority, 'transferOwnership(address)', [await chain.timelock()])
      return system(address)
    },
    exploit: upgrade,
  },
  {
    name: "the upgrade is public in Solmate's authority, and the owner is renounced",
    cause: 'other guard',
    build: async (chain) => {
      const authority = await rolesAuthority(chain, [])
      const data = callData('initialize(address,address)', [zeroAddress, authority])
      const address = await chain.proxy(await chain.deploy('SolmateLogic'), data)
      await chain.send(authority, 'setPublicCapability(address,bytes4,bool)', [address, UPGRADE_TO, true])
      await chain.send(authority, 'transferOwnership(address)', [zeroAddress])
      return system(address)
    },
    exploit: upgrade,
  },
  {
    name: "one key has a role in Solmate's authority of a controller",
    cause: 'other guard',
    by: 'one key',
    build: async (chain) => {
      const authority = await rolesAuthority(chain, [])
      const controller = await chain.deploy('AuthExecutor', await chain.timelock(), authority)
      const capability = [3, controller, toFunctionSelector('run(address,bytes)'), true]
      await chain.send(authority, 'setRoleCapability(uint8,address,bytes4,bool)', capability)
      await chain.send(authority, 'setUserRole(address,uint8,bool)', [chain.hidden().address, 3, true])
      await chain.send(authority, 'transferOwnership(address)', [await chain.timelock()])
      return controlledBy(chain, controller)
    },
    exploit: run,
  },
]

export const walks: readonly Case[] = drafts.map((draft) => ({ by: 'anyone', truth: WEAK, ...draft }))
