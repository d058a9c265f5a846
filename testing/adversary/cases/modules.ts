/** Safes with three of five signers, and something that needs none of them. */
import { concatHex, encodeAbiParameters, type Hex, keccak256, pad, size, toHex, zeroAddress } from 'viem'
import { openZeppelin4 } from '../../evm/compile.ts'
import { signers } from '../../evm/control.ts'
import type { Attack } from '../attack.ts'
import { type Case, WEAK } from '../case.ts'
import { type Built, type Chain, callData, system } from '../chain.ts'
import { deploySafe, execSafe, execSigned, safeTransactionHash, upgradeCall } from '../safes.ts'
import { controlledBy, part } from './lying-getters.ts'

type Draft = Omit<Case, 'cause' | 'truth' | 'by'> & Partial<Pick<Case, 'by'>>

const FIVE = signers(5)
const COUNCIL = { owners: FIVE, threshold: 3 } as const

/** A Safe whose setup runs a function of `QuietSetup`. */
export async function safeWith(chain: Chain, signature: string, ...args: readonly unknown[]): Promise<Hex> {
  const to = await chain.deploy('QuietSetup')
  return deploySafe(chain, { ...COUNCIL, to, data: callData(signature, args) })
}

/** A Safe with an enabled module, and a proxy that the Safe can upgrade. */
const withModule =
  (name: string, argsOf: (chain: Chain) => readonly unknown[] | Promise<readonly unknown[]> = () => []) =>
  async (chain: Chain): Promise<Built> => {
    const module = await chain.deploy(name, ...(await argsOf(chain)))
    return controlledBy(chain, await safeWith(chain, 'loudModule(address)', module), { module })
  }
const key = (chain: Chain): readonly unknown[] => [chain.hidden().address]

const exec = (attack: Attack, built: Built): Promise<void> =>
  attack.send(part(built, 'module'), 'exec(address,address,bytes)', [
    part(built, 'controller'),
    part(built, 'admin'),
    upgradeCall(built.address, attack.code),
  ])
/** Sends a transaction of the Safe as its module. */
const execAsModule = (attack: Attack, built: Built): Promise<void> =>
  attack.send(part(built, 'controller'), 'execTransactionFromModule(address,uint256,bytes,uint8)', [
    part(built, 'admin'),
    0n,
    upgradeCall(built.address, attack.code),
    0,
  ])

/** The signatures of contracts that own a Safe: their addresses, then what each of them checks. */
export function contractSignatures(owners: readonly Hex[], data: Hex): Hex {
  const sorted = [...owners].sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))
  const tail = concatHex([toHex(size(data), { size: 32 }), data])
  const heads = sorted.map((owner, n) =>
    concatHex([pad(owner, { size: 32 }), toHex(sorted.length * 65 + n * size(tail), { size: 32 }), '0x00']),
  )
  return concatHex([...heads, ...sorted.map(() => tail)])
}

export const approvals = (owners: readonly Hex[]): Hex =>
  concatHex(
    [...owners]
      .sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))
      .map((owner) => concatHex([pad(owner, { size: 32 }), toHex(0, { size: 32 }), '0x01'])),
  )

const drafts: readonly Draft[] = [
  {
    name: 'a module lets anyone act for the Safe',
    by: 'anyone',
    build: withModule('OpenModule'),
    exploit: exec,
  },
  {
    name: 'a module lets anyone run code as the Safe',
    by: 'anyone',
    build: withModule('OpenDelegateModule'),
    exploit: async (attack, built) => {
      // The code enables the attacker's account as a module.
      const data = callData('quietModule(address)', [attack.account.address])
      const setup = await attack.deploy('QuietSetup')
      await attack.send(part(built, 'module'), 'run(address,address,bytes)', [part(built, 'controller'), setup, data])
      await execAsModule(attack, built)
    },
  },
  {
    name: 'a module knows one key by its hash',
    build: withModule('KeyModule', key),
    exploit: exec,
  },
  {
    name: 'a module has one key in its code',
    build: withModule('PlainKeyModule', key),
    exploit: exec,
  },
  {
    name: 'a module has a silent table of keys and shows a timelock as owner',
    build: withModule('TableModule', async (chain) => [chain.hidden().address, await chain.timelock()]),
    exploit: exec,
  },
  {
    name: 'a module has a silent table of keys and a renounced owner',
    build: withModule('TableModule', (chain) => [chain.hidden().address, zeroAddress]),
    exploit: exec,
  },
  {
    name: 'a module accepts signatures of one key',
    build: withModule('SignatureModule', key),
    exploit: async (attack, built) => {
      const [to, data] = [part(built, 'admin'), upgradeCall(built.address, attack.code)]
      const hash = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'bytes' }], [to, data]))
      const signature = await attack.account.sign({ hash })
      const [r, s, v] = [signature.slice(0, 66), `0x${signature.slice(66, 130)}`, Number(`0x${signature.slice(130)}`)]
      const args = [part(built, 'controller'), to, data, v, r, s]
      await attack.send(part(built, 'module'), 'exec(address,address,bytes,uint8,bytes32,bytes32)', args)
    },
  },
  {
    name: 'a module opens after a year',
    by: 'anyone',
    build: async (chain) => {
      // The module must know the Safe, and the Safe the module: the signers of this Safe enable it.
      const owners = [0, 1, 2].map((n) => chain.hidden(n).address)
      const safe = await deploySafe(chain, { owners, threshold: 2 })
      const module = await chain.deploy('InheritanceModule', safe)
      await chain.send(safe, 'enableModule(address)', [module], safe)
      return controlledBy(chain, safe, { module })
    },
    exploit: async (attack, built) => {
      await attack.wait(366 * 86_400)
      const data = upgradeCall(built.address, attack.code)
      await attack.send(part(built, 'module'), 'exec(address,bytes)', [part(built, 'admin'), data])
    },
  },
  {
    name: 'owner() of a module names the Safe and one key may act too',
    build: async (chain) => {
      const owners = [1, 2, 3].map((n) => chain.hidden(n).address)
      const safe = await deploySafe(chain, { owners, threshold: 2 })
      const module = await chain.deploy('LyingOwnerModule', chain.hidden().address, safe)
      await chain.send(safe, 'enableModule(address)', [module], safe)
      return controlledBy(chain, safe, { module })
    },
    exploit: (attack, built) =>
      attack.send(part(built, 'module'), 'exec(address,bytes)', [
        part(built, 'admin'),
        upgradeCall(built.address, attack.code),
      ]),
  },
  {
    name: 'one key can replace the code of a module',
    build: withModule('UpgradeableModule', async (chain) => [
      await chain.deploy('LimitedModule'),
      chain.hidden().address,
    ]),
    exploit: async (attack, built) => {
      const next = pad(await attack.deploy('OpenModule'), { size: 32 })
      await attack.sendRaw(part(built, 'module'), next)
      // The first key always reaches the table of the proxy, so that another account must call.
      await attack.send(
        part(built, 'module'),
        'exec(address,address,bytes)',
        [part(built, 'controller'), part(built, 'admin'), upgradeCall(built.address, attack.code)],
        { as: attack.newAccount() },
      )
    },
  },
  {
    name: 'the allowance of a module does not limit what is called',
    by: 'anyone',
    build: withModule('AllowanceModule'),
    exploit: (attack, built) =>
      attack.send(part(built, 'module'), 'spend(address,address,bytes,uint256)', [
        part(built, 'controller'),
        part(built, 'admin'),
        upgradeCall(built.address, attack.code),
        0n,
      ]),
  },
  {
    name: 'the setup enabled one key as a module without an event',
    build: async (chain) => controlledBy(chain, await safeWith(chain, 'quietModule(address)', chain.hidden().address)),
    exploit: execAsModule,
  },
  {
    name: 'the setup enabled an open module without an event, outside the list',
    by: 'anyone',
    build: async (chain) => {
      const module = await chain.deploy('OpenModule')
      return controlledBy(chain, await safeWith(chain, 'quietModule(address)', module), { module })
    },
    exploit: exec,
  },
  {
    name: 'one key is enabled as a module',
    build: async (chain) => controlledBy(chain, await safeWith(chain, 'loudModule(address)', chain.hidden().address)),
    exploit: execAsModule,
  },
  {
    name: 'the setup added owners outside the list',
    build: async (chain) => {
      const accounts = [0, 1, 2].map((n) => chain.hidden(n).address)
      return controlledBy(chain, await safeWith(chain, 'quietOwners(address[])', accounts))
    },
    exploit: (attack, built) =>
      execSigned(
        attack,
        part(built, 'controller'),
        part(built, 'admin'),
        upgradeCall(built.address, attack.code),
        [0, 1, 2].map((n) => attack.hidden(n)),
      ),
  },
  {
    name: 'the setup approved a transaction in the name of all owners',
    by: 'anyone',
    build: async (chain) => {
      // The hash depends on the Safe, whose address depends on the setup: the approved call enables a module.
      const module = await chain.deploy('OpenModule')
      const safe = await deploySafe(chain, COUNCIL)
      const setup = await chain.deploy('QuietSetup')
      const enable = callData('enableModule(address)', [module])
      const hash = await safeTransactionHash(
        (to, data) => chain.node.rpc('eth_call', { to, data }, 'latest'),
        safe,
        safe,
        enable,
      )
      await approveQuietly(chain, safe, setup, hash)
      return controlledBy(chain, safe, { module })
    },
    exploit: async (attack, built) => {
      const safe = part(built, 'controller')
      const enable = callData('enableModule(address)', [part(built, 'module')])
      await execSafe(attack, safe, safe, enable, approvals(FIVE.slice(0, 3)))
      await exec(attack, built)
    },
  },
  {
    name: 'the fallback handler of the Safe is the ProxyAdmin that it owns',
    by: 'anyone',
    build: async (chain) => {
      const admin = await chain.deployArtifact(openZeppelin4('ProxyAdmin'))
      const proxy = (await chain.controllers.transparent4(admin)).address
      const safe = await deploySafe(chain, { ...COUNCIL, fallbackHandler: admin })
      await chain.send(admin, 'transferOwnership(address)', [safe])
      return system(proxy, { controller: safe, admin })
    },
    exploit: (attack, built) =>
      attack.send(part(built, 'controller'), 'upgrade(address,address)', [built.address, attack.code]),
  },
  {
    name: 'the setup made the proxy of the Safe its fallback handler without an event',
    by: 'anyone',
    build: async (chain) => {
      const admin = await chain.deployArtifact(openZeppelin4('ProxyAdmin'))
      const proxy = (await chain.controllers.transparent4(admin)).address
      const safe = await safeWith(chain, 'quietHandler(address)', proxy)
      await chain.send(admin, 'changeProxyAdmin(address,address)', [proxy, safe])
      return system(proxy, { controller: safe, admin })
    },
    exploit: (attack, built) => attack.send(part(built, 'controller'), 'upgradeTo(address)', [attack.code]),
  },
  {
    name: 'the guard of the Safe is a hidden module too',
    build: async (chain) => {
      const module = await chain.deploy('GuardModule', chain.hidden().address)
      const owners = [1, 2, 3].map((n) => chain.hidden(n).address)
      const to = await chain.deploy('QuietSetup')
      const data = callData('quietModule(address)', [module])
      const safe = await deploySafe(chain, { owners, threshold: 2, to, data })
      await chain.send(safe, 'setGuard(address)', [module], safe)
      return controlledBy(chain, safe, { module })
    },
    exploit: exec,
  },
  {
    name: 'three contracts of one key own the Safe',
    build: async (chain) => {
      const owners: Hex[] = []
      for (let n = 0; n < 3; n += 1) owners.push(await chain.deploy('ContractOwner', chain.hidden().address))
      const safe = await deploySafe(chain, { owners, threshold: 3 })
      return controlledBy(chain, safe, { owner0: owners[0] as Hex, owner1: owners[1] as Hex, owner2: owners[2] as Hex })
    },
    exploit: async (attack, built) => {
      const [safe, to, data] = [
        part(built, 'controller'),
        part(built, 'admin'),
        upgradeCall(built.address, attack.code),
      ]
      const call = (at: Hex, input: Hex): Promise<Hex> =>
        attack.chain.node.rpc<Hex>('eth_call', { to: at, data: input }, 'latest')
      const encoded = await encodedTransaction(attack, safe, to, data)
      const hash = await safeTransactionHash(call, safe, to, data)
      if (keccak256(encoded) !== hash) throw new Error('the encoded transaction has another hash')
      const signature = await attack.account.sign({ hash })
      const types = [{ type: 'uint8' }, { type: 'bytes32' }, { type: 'bytes32' }]
      const checked = encodeAbiParameters(types, [
        Number(`0x${signature.slice(130)}`),
        signature.slice(0, 66),
        `0x${signature.slice(66, 130)}`,
      ])
      const owners = ['owner0', 'owner1', 'owner2'].map((name) => part(built, name))
      await execSafe(attack, safe, to, data, contractSignatures(owners, checked))
    },
  },
  {
    name: 'two contracts that approve anything own the Safe with one signer',
    by: 'anyone',
    build: async (chain) => {
      const owners = [await chain.deploy('YesOwner'), await chain.deploy('YesOwner')]
      const safe = await deploySafe(chain, { owners: [...owners, FIVE[0] as Hex], threshold: 2 })
      return controlledBy(chain, safe, { owner0: owners[0] as Hex, owner1: owners[1] as Hex })
    },
    exploit: (attack, built) => {
      const owners = [part(built, 'owner0'), part(built, 'owner1')]
      const data = upgradeCall(built.address, attack.code)
      return execSafe(attack, part(built, 'controller'), part(built, 'admin'), data, contractSignatures(owners, '0x'))
    },
  },
  {
    name: 'contracts that own the Safe approve hashes for anyone',
    by: 'anyone',
    build: async (chain) => {
      const owners = [await chain.deploy('ApprovingOwner'), await chain.deploy('ApprovingOwner')]
      const safe = await deploySafe(chain, { owners: [...owners, ...FIVE], threshold: 2 })
      return controlledBy(chain, safe, { owner0: owners[0] as Hex, owner1: owners[1] as Hex })
    },
    exploit: async (attack, built) => {
      const [safe, to, data] = [
        part(built, 'controller'),
        part(built, 'admin'),
        upgradeCall(built.address, attack.code),
      ]
      const call = (at: Hex, input: Hex): Promise<Hex> =>
        attack.chain.node.rpc<Hex>('eth_call', { to: at, data: input }, 'latest')
      const hash = await safeTransactionHash(call, safe, to, data)
      const owners = [part(built, 'owner0'), part(built, 'owner1')]
      for (const owner of owners) await attack.send(owner, 'approve(address,bytes32)', [safe, hash])
      await execSafe(attack, safe, to, data, approvals(owners))
    },
  },
  {
    name: 'the module is a Safe of one key',
    build: async (chain) => {
      const inner = await deploySafe(chain, { owners: [chain.hidden().address], threshold: 1 })
      return controlledBy(chain, await safeWith(chain, 'loudModule(address)', inner), { inner })
    },
    exploit: (attack, built) => {
      const data = callData('execTransactionFromModule(address,uint256,bytes,uint8)', [
        part(built, 'admin'),
        0n,
        upgradeCall(built.address, attack.code),
        0,
      ])
      return execSigned(attack, part(built, 'inner'), part(built, 'controller'), data, [attack.account])
    },
  },
  {
    name: 'an open module of a nested Safe reaches the threshold of the outer one',
    by: 'anyone',
    build: async (chain) => {
      const module = await chain.deploy('OpenModule')
      const inner = [
        await safeWith(chain, 'loudModule(address)', module),
        await safeWith(chain, 'loudModule(address)', module),
      ]
      const safe = await deploySafe(chain, { owners: inner, threshold: 2 })
      return controlledBy(chain, safe, { module, owner0: inner[0] as Hex, owner1: inner[1] as Hex })
    },
    exploit: async (attack, built) => {
      const [safe, to, data] = [
        part(built, 'controller'),
        part(built, 'admin'),
        upgradeCall(built.address, attack.code),
      ]
      const call = (at: Hex, input: Hex): Promise<Hex> =>
        attack.chain.node.rpc<Hex>('eth_call', { to: at, data: input }, 'latest')
      const hash = await safeTransactionHash(call, safe, to, data)
      const owners = [part(built, 'owner0'), part(built, 'owner1')]
      const approve = callData('approveHash(bytes32)', [hash])
      for (const owner of owners)
        await attack.send(part(built, 'module'), 'exec(address,address,bytes)', [owner, safe, approve])
      await execSafe(attack, safe, to, data, approvals(owners))
    },
  },
  {
    name: 'the singleton of the Safe has a function for one key',
    // Without the optimizer the code is larger than the limit.
    settings: ['optimized'],
    build: async (chain) => {
      const singleton = await chain.deploy('BackDoorSafe', chain.hidden().address)
      return controlledBy(chain, await deploySafe(chain, COUNCIL, singleton))
    },
    exploit: (attack, built) =>
      attack.send(part(built, 'controller'), 'recover(address,bytes)', [
        part(built, 'admin'),
        upgradeCall(built.address, attack.code),
      ]),
  },
]

/** Writes the approvals as a delegatecall of the Safe, which its signers may have made long ago. */
async function approveQuietly(chain: Chain, safe: Hex, setup: Hex, hash: Hex): Promise<void> {
  const data = callData('quietApproval(address[],bytes32)', [FIVE.slice(0, 3), hash])
  // The Safe enables a module, runs the code, and disables the module: no trace is left in its lists.
  const module = chain.hidden().address
  await chain.send(safe, 'enableModule(address)', [module], safe)
  await chain.send(safe, 'execTransactionFromModule(address,uint256,bytes,uint8)', [setup, 0n, data, 1], module)
  await chain.send(safe, 'disableModule(address,address)', ['0x0000000000000000000000000000000000000001', module], safe)
}

async function encodedTransaction({ read }: Attack, safe: Hex, to: Hex, data: Hex): Promise<Hex> {
  const nonce = BigInt(await read(safe, 'nonce()'))
  const answer = await read(
    safe,
    'encodeTransactionData(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,uint256)',
    [to, 0n, data, 0, 0n, 0n, 0n, zeroAddress, zeroAddress, nonce],
  )
  const length = Number(BigInt(`0x${answer.slice(66, 130)}`))
  return `0x${answer.slice(130, 130 + length * 2)}`
}

export const modules: readonly Case[] = drafts.map((draft) => ({
  by: 'one key',
  ...draft,
  cause: 'module',
  truth: WEAK,
}))
