/** Controllers and proxies whose getters and slots show more than the code enforces. */
import { concatHex, encodeAbiParameters, type Hex, keccak256, stringToHex, toHex, zeroAddress } from 'viem'
import { openZeppelin4 } from '../../evm/compile.ts'
import { signers } from '../../evm/control.ts'
import type { Attack } from '../attack.ts'
import { type Case, WEAK, WITHOUT_DELAY } from '../case.ts'
import { ADMIN_SLOT, type Built, type Chain, callData, LOGIC_SLOT, NO_OWNER, system } from '../chain.ts'
import { deploySafe, execSigned, safeSingleton, setupData, upgradeCall } from '../safes.ts'
import { NEW_EVM } from './second-writers.ts'

type Draft = Omit<Case, 'cause' | 'truth' | 'by'> & Partial<Pick<Case, 'by' | 'truth'>>

const FIVE = signers(5)

/** A transparent proxy of OpenZeppelin whose ProxyAdmin belongs to a controller. */
export async function controlledBy(chain: Chain, controller: Hex, parts: Built['parts'] = {}): Promise<Built> {
  const proxy = await chain.transparent(controller)
  const admin: Hex = `0x${(await chain.storage(proxy, ADMIN_SLOT)).slice(-40)}`
  return system(proxy, { controller, admin, ...parts })
}
const controlled =
  (name: string, argsOf: (chain: Chain, key: Hex) => readonly unknown[] | Promise<readonly unknown[]>) =>
  async (chain: Chain): Promise<Built> =>
    controlledBy(chain, await chain.deploy(name, ...(await argsOf(chain, chain.hidden().address))))

export const part = ({ parts }: Built, name: string): Hex => {
  const found = parts[name]
  if (found === undefined) throw new Error(`the system has no ${name}`)
  return found
}

/** Two of three signers of a Safe upgrade within a minute by a timelock like Compound's, after these calls to it. */
const upgradedBySigners = (name: string, calls: readonly Hex[] = []): Omit<Draft, 'name'> => ({
  by: 'the signers',
  truth: WITHOUT_DELAY,
  build: async (chain) => {
    const owners = [0, 1, 2].map((n) => chain.hidden(n).address)
    const safe = await deploySafe(chain, { owners, threshold: 2 })
    return controlledBy(chain, await chain.deploy(name, safe), { safe })
  },
  exploit: async (attack, built) => {
    const [safe, controller] = [part(built, 'safe'), part(built, 'controller')]
    const run = (data: Hex): Promise<unknown> =>
      execSigned(attack, safe, controller, data, [attack.hidden(0), attack.hidden(1)])
    const { timestamp } = await attack.chain.node.rpc<{ timestamp: Hex }>('eth_getBlockByNumber', 'latest', false)
    const args = [part(built, 'admin'), 0n, '', upgradeCall(built.address, attack.code), BigInt(timestamp) + 60n]
    const operation = (act: string): Hex => callData(`${act}Transaction(address,uint256,string,bytes,uint256)`, args)
    await attack.wait(30)
    for (const data of [...calls, operation('queue')]) await run(data)
    await attack.wait(60)
    await run(operation('execute'))
  },
})

/** Makes the controller upgrade the proxy through a function of the hidden key. */
const act =
  (signature = 'act(address,bytes)'): Case['exploit'] =>
  (attack, built) =>
    attack.send(part(built, 'controller'), signature, [part(built, 'admin'), upgradeCall(built.address, attack.code)])
const actOnProxy = (attack: Attack, { address }: Built): Promise<void> =>
  attack.send(address, 'act(address,bytes)', [attack.code, '0x'])
const upgradeTo = ({ send, code }: Attack, { address }: Built): Promise<void> =>
  send(address, 'upgradeTo(address)', [code])

/** A contract behind a vote and a timelock, whose token one account may mint. */
export async function governed(chain: Chain, minterOf: (lock: Hex) => Hex): Promise<Built> {
  const { lock, token, governor } = await voting(chain, 'TokenGovernor', (at) =>
    chain.deploy('MintedVotes', minterOf(at)),
  )
  return controlledBy(chain, lock, { token, governor })
}

/** A governor that alone proposes to a timelock, with its token. */
export async function voting(chain: Chain, name: string, tokenFor: (lock: Hex) => Promise<Hex>) {
  const lock = (await chain.controllers.timelock(172_800n, [], [zeroAddress], chain.evm.accounts[0])).address
  const token = await tokenFor(lock)
  const governor = await chain.deploy(name, token, lock)
  await chain.send(lock, 'grantRole(bytes32,address)', [keccak256(stringToHex('PROPOSER_ROLE')), governor])
  await chain.send(lock, 'renounceRole(bytes32,address)', [ZERO_WORD, chain.evm.accounts[0]])
  return { lock, token, governor }
}

/** Takes control by a vote of the attacker, which holds most of the tokens of OpenZeppelin's governor. */
export async function passAsVoter(attack: Attack, built: Built): Promise<void> {
  const governor = part(built, 'governor')
  const calls = [[part(built, 'admin')], [0n], [upgradeCall(built.address, attack.code)]]
  const hashed = [...calls, keccak256(stringToHex('take'))]
  await attack.send(part(built, 'token'), 'delegate(address)', [attack.account.address])
  await attack.mine(2)
  await attack.send(governor, 'propose(address[],uint256[],bytes[],string)', [...calls, 'take'])
  const id = await attack.read(governor, 'hashProposal(address[],uint256[],bytes[],bytes32)', hashed)
  await attack.mine(12)
  await attack.send(governor, 'castVote(uint256,uint8)', [BigInt(id), 1])
  await attack.mine(101)
  await attack.send(governor, 'queue(address[],uint256[],bytes[],bytes32)', hashed)
  await attack.wait(172_801)
  await attack.send(governor, 'execute(address[],uint256[],bytes[],bytes32)', hashed)
}

const plainLogic = (chain: Chain): Promise<Hex> => chain.deploy('Plain')
const ZERO_WORD = toHex(0, { size: 32 })

const drafts: readonly Draft[] = [
  {
    name: 'a contract answers like a Safe',
    build: controlled('FakeSafe', (_, key) => [key, FIVE]),
    exploit: act(),
  },
  {
    name: 'a contract answers like the old multisig wallet',
    build: controlled('FakeOldMultisig', (_, key) => [key, FIVE]),
    exploit: act(),
  },
  {
    name: "a contract answers like OpenZeppelin's timelock",
    build: controlled('FakeTimelock', async (chain, key) => [key, await chain.council()]),
    exploit: act(),
  },
  {
    name: "a contract answers like Compound's timelock",
    build: controlled('LyingAdminCompound', async (chain, key) => [key, await chain.council()]),
    exploit: act(),
  },
  {
    name: "Compound's timelock with a function for one key",
    build: controlled('BackDoorCompound', async (chain, key) => [key, await chain.council()]),
    exploit: act(),
  },
  {
    name: "Compound's timelock lets any account become pending administrator",
    by: 'anyone',
    build: controlled('OpenPendingCompound', async (chain) => [await chain.council()]),
    exploit: async ({ send, code, account, wait, chain }, built) => {
      const controller = part(built, 'controller')
      await send(controller, 'setPendingAdmin(address)', [account.address])
      await send(controller, 'acceptAdmin()')
      const { timestamp } = await chain.node.rpc<{ timestamp: Hex }>('eth_getBlockByNumber', 'latest', false)
      const eta = BigInt(timestamp) + 172_900n
      const args = [part(built, 'admin'), 0n, '', upgradeCall(built.address, code), eta]
      await send(controller, 'queueTransaction(address,uint256,string,bytes,uint256)', args)
      await wait(173_000)
      await send(controller, 'executeTransaction(address,uint256,string,bytes,uint256)', args)
    },
  },
  {
    name: "the administrator of Compound's timelock may set the delay to zero",
    ...upgradedBySigners('ImpatientCompound', [callData('setDelay(uint256)', [0])]),
  },
  {
    name: "the delay of Compound's timelock is so long that it wraps around",
    ...upgradedBySigners('WrappingCompound'),
  },
  {
    name: "Compound's timelock executes what it has executed again",
    by: 'the signers',
    truth: WITHOUT_DELAY,
    build: async (chain) => {
      const owners = [0, 1, 2].map((n) => chain.hidden(n).address)
      const safe = await deploySafe(chain, { owners, threshold: 2 })
      return controlledBy(chain, await chain.deploy('RepeatingCompound', safe), { safe })
    },
    exploit: async (attack, built) => {
      const [safe, controller] = [part(built, 'safe'), part(built, 'controller')]
      const logic = await attack.chain.storage(built.address, LOGIC_SLOT)
      const { timestamp } = await attack.chain.node.rpc<{ timestamp: Hex }>('eth_getBlockByNumber', 'latest', false)
      const run = async (name: string, code: Hex): Promise<void> => {
        const args = [part(built, 'admin'), 0n, '', upgradeCall(built.address, code), BigInt(timestamp) + 180_000n]
        const data = callData(`${name}Transaction(address,uint256,string,bytes,uint256)`, args)
        await execSigned(attack, safe, controller, data, [attack.hidden(0), attack.hidden(1)])
      }
      const before = `0x${logic.slice(-40)}` as const
      for (const code of [attack.code, before]) await run('queue', code)
      await attack.wait(181_000)
      for (const code of [attack.code, before, attack.code]) await run('execute', code)
    },
  },
  {
    name: "a transaction of Compound's timelock is queued without an event",
    by: 'anyone',
    build: async (chain) => {
      const code = await chain.deploy('Taken')
      const admin = await chain.deployArtifact(openZeppelin4('ProxyAdmin'))
      const proxy = (await chain.controllers.transparent4(admin)).address
      const data = callData('upgrade(address,address)', [proxy, code])
      const controller = await chain.deploy('QueuedCompound', await chain.council(), admin, data)
      await chain.send(admin, 'transferOwnership(address)', [controller])
      return system(proxy, { controller, admin, code })
    },
    exploit: async ({ send, read, wait }, built) => {
      const controller = part(built, 'controller')
      const eta = BigInt(await read(controller, 'startedAt()')) + 1n
      const data = callData('upgrade(address,address)', [built.address, part(built, 'code')])
      await wait(10)
      const args = [part(built, 'admin'), 0n, '', data, eta]
      await send(controller, 'executeTransaction(address,uint256,string,bytes,uint256)', args)
    },
  },
  {
    name: 'a contract answers like a governor',
    build: controlled('FakeGovernor', async (chain, key) => [
      key,
      await chain.deploy('OpenNft'),
      await chain.timelock(),
    ]),
    exploit: act(),
  },
  {
    name: "a contract answers like Aave's PayloadsController",
    build: async (chain) => {
      const controller = await chain.deploy('FakePayloadsController', chain.hidden().address, await chain.timelock())
      const executor: Hex = `0x${(await chain.evm.read({ ...chain.own('FakePayloadsController'), address: controller }, 'executor')).slice(-40)}`
      return controlledBy(chain, executor, { payloads: controller })
    },
    exploit: (attack, built) => {
      const data = callData('executeTransaction(address,uint256,string,bytes,bool)', [
        part(built, 'admin'),
        0n,
        '',
        upgradeCall(built.address, attack.code),
        false,
      ])
      return attack.send(part(built, 'payloads'), 'act(address,bytes)', [part(built, 'controller'), data])
    },
  },
  {
    name: "a contract answers like Zodiac's delay",
    build: controlled('FakeDelay', async (chain, key) => [key, await chain.council()]),
    exploit: act(),
  },
  {
    name: 'owner() of a ProxyAdmin names a timelock and one key may upgrade too',
    build: async (chain) => {
      const admin = await chain.deploy('LyingProxyAdmin', chain.hidden().address, await chain.timelock())
      return system((await chain.controllers.transparent4(admin)).address, { admin })
    },
    exploit: (attack, built) =>
      attack.send(part(built, 'admin'), 'upgrade(address,address)', [built.address, attack.code]),
  },
  {
    name: 'owner() of the logic names a timelock and the guard asks one key',
    build: async (chain) => {
      const address = await chain.uups('LyingOwner', NO_OWNER, chain.hidden().address)
      await chain.send(address, 'show(address)', [await chain.timelock()])
      return system(address)
    },
    exploit: upgradeTo,
  },
  {
    name: 'pendingOwner() is empty and one key may accept the ownership',
    build: async (chain) =>
      system(await chain.uups('QuietPendingOwner', await chain.timelock(), chain.hidden().address)),
    exploit: async (attack, built) => {
      await attack.send(built.address, 'acceptOwnership()')
      await upgradeTo(attack, built)
    },
  },
  {
    name: 'the admin slot names a timelock and another slot counts too',
    build: async (chain) => {
      const args = [await plainLogic(chain), await chain.timelock(), chain.hidden().address]
      return system(await chain.deploy('DecoyAdminProxy', ...args))
    },
    exploit: upgradeTo,
  },
  {
    name: 'the implementation slot is a decoy and another slot is used',
    build: async (chain) =>
      system(await chain.deploy('DecoyLogicProxy', chain.hidden().address, await plainLogic(chain))),
    exploit: actOnProxy,
  },
  {
    name: 'an empty table by selector comes before the implementation slot',
    build: async (chain) =>
      system(await chain.deploy('EmptyOverrideProxy', chain.hidden().address, await plainLogic(chain))),
    exploit: ({ sendRaw, code }, { address }) => sendRaw(address, concatHex([callData('taken()'), code])),
  },
  {
    name: 'the beacon slot names an honest beacon and another one is asked',
    build: async (chain) => {
      const logic = await plainLogic(chain)
      const beacon = await chain.deploy('KeyBeacon', chain.hidden().address, logic)
      return system(await chain.deploy('DecoyBeaconProxy', await chain.deploy('HonestBeacon', logic), beacon), {
        beacon,
      })
    },
    exploit: (attack, built) => attack.send(part(built, 'beacon'), 'act(address,bytes)', [attack.code, '0x']),
  },
  {
    name: 'a beacon answers the proxy differently from other callers',
    build: async (chain) => {
      const args = [chain.hidden().address, await chain.timelock(), await plainLogic(chain)]
      const beacon = await chain.deploy('TwoFacedBeacon', ...args)
      return system(await chain.deployArtifact(openZeppelin4('BeaconProxy'), beacon, '0x'), { beacon })
    },
    exploit: (attack, built) => attack.send(part(built, 'beacon'), 'act(address,bytes)', [attack.code, '0x']),
  },
  {
    name: 'implementation() answers a constant and a slot of its own is used',
    build: async (chain) =>
      system(await chain.deploy('LyingImplementationProxy', chain.hidden().address, await plainLogic(chain))),
    exploit: actOnProxy,
  },
  {
    name: "admin() of Compound's delegator names a timelock and one key may upgrade too",
    build: async (chain) => {
      const args = [chain.hidden().address, await chain.timelock(), await plainLogic(chain)]
      return system(await chain.deploy('LyingDelegator', ...args))
    },
    exploit: ({ send, code }, { address }) =>
      send(address, '_setImplementation(address,bool,bytes)', [code, false, '0x']),
  },
  {
    name: 'authority() names a timelock and another contract is asked',
    build: async (chain) => {
      const real = await chain.deploy('KeyAuthority', chain.hidden().address)
      const hash = keccak256(encodeAbiParameters([{ type: 'address' }], [chain.hidden().address]))
      await chain.send(real, 'learn(bytes32)', [hash])
      const shown = await chain.timelock()
      return system(await chain.uups('LyingAuthority', shown, shown, real))
    },
    exploit: upgradeTo,
  },
  {
    name: "a proxy looks like a Safe's and obeys one key",
    build: async (chain) => {
      const setup = setupData({ owners: FIVE, threshold: 3 })
      const args = [await safeSingleton(chain), chain.hidden().address, setup]
      return controlledBy(chain, await chain.deploy('BackDoorSafeProxy', ...args))
    },
    exploit: (attack, built) => {
      const types = [{ type: 'address' }, { type: 'bytes' }]
      const data = upgradeCall(built.address, attack.code)
      return attack.sendRaw(part(built, 'controller'), encodeAbiParameters(types, [part(built, 'admin'), data]))
    },
  },
  {
    name: "OpenZeppelin's timelock with a function for one key",
    settings: NEW_EVM,
    build: controlled('BackDoorTimelock', async (chain, key) => [key, [await chain.council()]]),
    exploit: act('rescue(address,bytes)'),
  },
  {
    name: "OpenZeppelin's timelock with a password in its fallback function",
    by: 'anyone',
    settings: NEW_EVM,
    build: controlled('FallbackTimelock', async (chain) => [[await chain.council()]]),
    exploit: (attack, built) => {
      const password = stringToHex('open', { size: 32 })
      const data = concatHex([password, part(built, 'admin'), upgradeCall(built.address, attack.code)])
      return attack.sendRaw(part(built, 'controller'), data)
    },
  },
  {
    name: "OpenZeppelin's timelock answers one key that it has all roles and no delay",
    settings: NEW_EVM,
    build: controlled('TwoFacedTimelock', async (chain, key) => [key, [await chain.council()]]),
    exploit: async (attack, built) => {
      const controller = part(built, 'controller')
      const args = [part(built, 'admin'), 0n, upgradeCall(built.address, attack.code), ZERO_WORD, ZERO_WORD]
      await attack.send(controller, 'schedule(address,uint256,bytes,bytes32,bytes32,uint256)', [...args, 0n])
      await attack.send(controller, 'execute(address,uint256,bytes,bytes32,bytes32)', args)
    },
  },
  {
    name: "the proposers of OpenZeppelin's timelock may set the delay to zero",
    by: 'the signers',
    truth: WITHOUT_DELAY,
    settings: NEW_EVM,
    build: async (chain) => {
      const owners = [0, 1, 2].map((n) => chain.hidden(n).address)
      const safe = await deploySafe(chain, { owners, threshold: 2 })
      return controlledBy(chain, await chain.deploy('ImpatientTimelock', [safe]), { safe })
    },
    exploit: async (attack, built) => {
      const [safe, controller] = [part(built, 'safe'), part(built, 'controller')]
      const two = [attack.hidden(0), attack.hidden(2)]
      const args = [part(built, 'admin'), 0n, upgradeCall(built.address, attack.code), ZERO_WORD, ZERO_WORD]
      const scheduled = callData('schedule(address,uint256,bytes,bytes32,bytes32,uint256)', [...args, 0n])
      await execSigned(attack, safe, controller, callData('setMinDelay(uint256)', [0]), two)
      await execSigned(attack, safe, controller, scheduled, two)
      const executed = callData('execute(address,uint256,bytes,bytes32,bytes32)', args)
      await execSigned(attack, safe, controller, executed, two)
    },
  },
  {
    name: "a proposer of OpenZeppelin's timelock was added without an event",
    settings: NEW_EVM,
    build: controlled('QuietProposerTimelock', async (chain, key) => [key, [await chain.council()]]),
    exploit: async (attack, built) => {
      const controller = part(built, 'controller')
      const args = [part(built, 'admin'), 0n, upgradeCall(built.address, attack.code), ZERO_WORD, ZERO_WORD]
      await attack.send(controller, 'schedule(address,uint256,bytes,bytes32,bytes32,uint256)', [...args, 172_800n])
      await attack.wait(172_801)
      await attack.send(controller, 'execute(address,uint256,bytes,bytes32,bytes32)', args)
    },
  },
  {
    name: "an operation of OpenZeppelin's timelock is ready from the start",
    by: 'anyone',
    settings: NEW_EVM,
    build: async (chain) => {
      const code = await chain.deploy('Taken')
      const admin = await chain.deployArtifact(openZeppelin4('ProxyAdmin'))
      const proxy = (await chain.controllers.transparent4(admin)).address
      const types = ['address', 'uint256', 'bytes', 'bytes32', 'bytes32'].map((type) => ({ type }))
      const data = callData('upgrade(address,address)', [proxy, code])
      const id = keccak256(encodeAbiParameters(types, [admin, 0n, data, ZERO_WORD, ZERO_WORD]))
      const args = [id, [await chain.council()], [zeroAddress]]
      const controller = await chain.deploy('ReadyOperationTimelock', ...args)
      await chain.send(admin, 'transferOwnership(address)', [controller])
      return system(proxy, { controller, admin, code })
    },
    exploit: ({ send }, built) => {
      const data = callData('upgrade(address,address)', [built.address, part(built, 'code')])
      const args = [part(built, 'admin'), 0n, data, ZERO_WORD, ZERO_WORD]
      return send(part(built, 'controller'), 'execute(address,uint256,bytes,bytes32,bytes32)', args)
    },
  },
  {
    name: "OpenZeppelin's timelock executes operations with a secret salt at once",
    by: 'anyone',
    settings: NEW_EVM,
    build: controlled('MarkedSaltTimelock', async (chain) => [
      keccak256(stringToHex('salt', { size: 32 })),
      [await chain.council()],
    ]),
    exploit: (attack, built) => {
      const salt = stringToHex('salt', { size: 32 })
      const args = [part(built, 'admin'), 0n, upgradeCall(built.address, attack.code), ZERO_WORD, salt]
      return attack.send(part(built, 'controller'), 'execute(address,uint256,bytes,bytes32,bytes32)', args)
    },
  },
  {
    name: 'an AccessManager lets one key pass at once',
    settings: NEW_EVM,
    build: async (chain) => {
      const manager = await chain.deploy('BackDoorManager', chain.hidden().address, await chain.timelock())
      return system(await chain.uups('ManagedLogic', manager))
    },
    exploit: ({ send, code }, { address }) => send(address, 'upgradeToAndCall(address,bytes)', [code, '0x']),
  },
  {
    name: 'one key mints the votes of a governor',
    settings: NEW_EVM,
    build: (chain) => governed(chain, () => chain.hidden().address),
    exploit: async (attack, built) => {
      await attack.send(part(built, 'token'), 'mint(uint256)', [10n ** 24n])
      await passAsVoter(attack, built)
    },
  },
]

export const lyingGetters: readonly Case[] = drafts.map((draft) => ({
  by: 'one key',
  truth: WEAK,
  ...draft,
  cause: 'lying getter',
}))
