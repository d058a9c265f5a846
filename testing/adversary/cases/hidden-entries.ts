/** Signers that others sign for, and entries in storage that look as if the contract's own code had made them. */
import { concatHex, encodeAbiParameters, type Hex, keccak256, pad, size, toHex, zeroAddress } from 'viem'
import { openZeppelin4, openZeppelin5, safeContract } from '../../evm/compile.ts'
import { signers } from '../../evm/control.ts'
import { assemble } from '../assemble.ts'
import type { Attack } from '../attack.ts'
import { type Case, WEAK } from '../case.ts'
import { type Built, type Chain, callData, codeOf, LOGIC_SLOT, system } from '../chain.ts'
import { delegateAccount } from '../delegated-accounts.ts'
import { deploySafe, execSafe, safeTransactionHash, upgradeCall } from '../safes.ts'
import { controlledBy, part } from './lying-getters.ts'
import { approvals, contractSignatures } from './modules.ts'
import { NEW_EVM } from './second-writers.ts'

type Draft = Omit<Case, 'truth'>

const FIVE = signers(5)
const COUNCIL = { owners: FIVE, threshold: 3 } as const
const SENTINEL: Hex = '0x0000000000000000000000000000000000000001'
const EXEC = 'execTransactionFromModule(address,uint256,bytes,uint8)'
const ENCODE = 'encodeTransactionData(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,uint256)'
const ZERO_WORD = toHex(0, { size: 32 })

const owners = (built: Built): readonly Hex[] => ['owner0', 'owner1'].map((name) => part(built, name))
/** Upgrades with signatures of two contracts that anyone can give. */
const signAsContracts = (attack: Attack, built: Built): Promise<void> => {
  const data = upgradeCall(built.address, attack.code)
  return execSafe(
    attack,
    part(built, 'controller'),
    part(built, 'admin'),
    data,
    contractSignatures(owners(built), '0x'),
  )
}
/** Runs code in the storage of a Safe, as its signers may have done long ago. */
async function runIn(chain: Chain, safe: Hex, code: Hex, data: Hex): Promise<void> {
  const module = chain.hidden(9).address
  await chain.send(safe, 'enableModule(address)', [module], safe)
  await chain.send(safe, EXEC, [code, 0n, data, 1], module)
  await chain.send(safe, 'disableModule(address,address)', [SENTINEL, module], safe)
}
const read = (chain: Chain, to: Hex, signature: string, args: readonly unknown[]): Promise<Hex> =>
  chain.node.rpc<Hex>('eth_call', { to, data: callData(signature, args) }, 'latest')
const enableOpenModule = (built: Built): Hex => callData('enableModule(address)', [part(built, 'module')])
const execAsModule = (attack: Attack, built: Built): Promise<void> =>
  attack.send(part(built, 'module'), 'exec(address,address,bytes)', [
    part(built, 'controller'),
    part(built, 'admin'),
    upgradeCall(built.address, attack.code),
  ])
/** A Safe whose owners are accounts with keys that run a contract (EIP-7702). */
const delegatedOwners =
  (name: string) =>
  async (chain: Chain): Promise<Built> => {
    const accounts = [0, 1, 2].map((n) => chain.hidden(n))
    const contract = await chain.deploy(name)
    for (const account of accounts) await delegateAccount(chain.node, account, chain.hidden(8), contract)
    const [owner0, owner1, owner2] = accounts.map(({ address }) => address) as [Hex, Hex, Hex]
    const safe = await deploySafe(chain, { owners: [owner0, owner1, owner2], threshold: 2 })
    return controlledBy(chain, safe, { owner0, owner1 })
  }
/** Two Safes own another one. */
async function nested(chain: Chain, fallbackHandler: Hex, parts: Built['parts'] = {}): Promise<Built> {
  const owner0 = await deploySafe(chain, { ...COUNCIL, fallbackHandler })
  const owner1 = await deploySafe(chain, { ...COUNCIL, owners: signers(5, 20), fallbackHandler })
  const safe = await deploySafe(chain, { owners: [owner0, owner1], threshold: 2 })
  return controlledBy(chain, safe, { owner0, owner1, ...parts })
}
/** A proxy with a ProxyAdmin that gets its owner last, because the owner knows both. */
export async function owned(chain: Chain, controller: (admin: Hex, data: Hex) => Promise<Hex>): Promise<Built> {
  const code = await chain.deploy('Taken')
  const admin = await chain.deployArtifact(openZeppelin4('ProxyAdmin'))
  const proxy = (await chain.controllers.transparent4(admin)).address
  const owner = await controller(admin, callData('upgrade(address,address)', [proxy, code]))
  await chain.send(admin, 'transferOwnership(address)', [owner])
  return system(proxy, { controller: owner, admin, code })
}
const proposalOf = (admin: Hex, data: Hex): Hex =>
  keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'bytes' }], [admin, data]))
export const upgradeData = (built: Built): Hex =>
  callData('upgrade(address,address)', [built.address, part(built, 'code')])

const executeProposal: Draft['exploit'] = ({ send }, built) =>
  send(part(built, 'controller'), 'execute(address,bytes)', [part(built, 'admin'), upgradeData(built)])

/** The namespace of OpenZeppelin's AccessControl. */
const ROLES: Hex = '0x02dd7bc7dec4dceedda775e58dd541e08a116c6c53815c0bd028192f7b626800'
const inDefaultRole = (account: Hex): Hex =>
  keccak256(concatHex([pad(account), keccak256(concatHex([ZERO_WORD, ROLES]))]))

export const compatibilityHandler = (chain: Chain): Promise<Hex> =>
  chain.deployArtifact(safeContract('1.4.1', 'handler/CompatibilityFallbackHandler'))

const drafts: readonly Draft[] = [
  {
    name: 'the owners of a Safe are keys that run a contract which signs for anyone',
    cause: 'module',
    by: 'anyone',
    settings: ['optimized'],
    build: delegatedOwners('YesOwner'),
    exploit: signAsContracts,
  },
  {
    name: 'the owners of a Safe are keys that run a contract which approves hashes for anyone',
    cause: 'module',
    by: 'anyone',
    settings: ['optimized'],
    build: delegatedOwners('ApprovingOwner'),
    exploit: async (attack, built) => {
      const [safe, to] = [part(built, 'controller'), part(built, 'admin')]
      const data = upgradeCall(built.address, attack.code)
      const call = (at: Hex, input: Hex): Promise<Hex> =>
        attack.chain.node.rpc<Hex>('eth_call', { to: at, data: input }, 'latest')
      const hash = await safeTransactionHash(call, safe, to, data)
      for (const owner of owners(built)) await attack.send(owner, 'approve(address,bytes32)', [safe, hash])
      await execSafe(attack, safe, to, data, approvals(owners(built)))
    },
  },
  {
    name: 'the fallback handlers of nested Safes accept every signature',
    cause: 'module',
    by: 'anyone',
    settings: ['optimized'],
    build: async (chain) => nested(chain, await chain.deploy('YesOwner')),
    exploit: signAsContracts,
  },
  {
    name: 'nested Safes signed a transaction of the outer one, with the event, by code that they ran',
    cause: 'module',
    by: 'anyone',
    settings: ['optimized'],
    build: async (chain) => {
      const built = await nested(chain, await compatibilityHandler(chain), { module: await chain.deploy('OpenModule') })
      const safe = part(built, 'controller')
      const args = [safe, 0n, enableOpenModule(built), 0, 0n, 0n, 0n, zeroAddress, zeroAddress, 0n]
      const answer = await read(chain, safe, ENCODE, args)
      const encoded: Hex = `0x${answer.slice(130, 130 + Number(BigInt(`0x${answer.slice(66, 130)}`)) * 2)}`
      const code = await chain.deploy('LoudEntries')
      for (const inner of owners(built)) {
        const hash = await read(chain, inner, 'getMessageHash(bytes)', [encoded])
        await runIn(chain, inner, code, callData('loudMessage(bytes32)', [hash]))
      }
      return built
    },
    exploit: async (attack, built) => {
      const safe = part(built, 'controller')
      await execSafe(attack, safe, safe, enableOpenModule(built), contractSignatures(owners(built), '0x'))
      await execAsModule(attack, built)
    },
  },
  {
    name: 'code that the Safe ran approved a transaction for its owners, with the events',
    cause: 'module',
    by: 'anyone',
    settings: ['optimized'],
    build: async (chain) => {
      const safe = await deploySafe(chain, COUNCIL)
      const built = await controlledBy(chain, safe, { module: await chain.deploy('OpenModule') })
      const call = (to: Hex, data: Hex): Promise<Hex> => chain.node.rpc<Hex>('eth_call', { to, data }, 'latest')
      const hash = await safeTransactionHash(call, safe, safe, enableOpenModule(built))
      const data = callData('loudApproval(address[],bytes32)', [FIVE.slice(0, 3), hash])
      await runIn(chain, safe, await chain.deploy('LoudEntries'), data)
      return built
    },
    exploit: async (attack, built) => {
      const safe = part(built, 'controller')
      await execSafe(attack, safe, safe, enableOpenModule(built), approvals(FIVE.slice(0, 3)))
      await execAsModule(attack, built)
    },
  },
  {
    name: 'the setup of the Safe approved its first transaction for all owners that it needs but one, with the events',
    cause: 'module',
    by: 'one key',
    settings: ['optimized'],
    build: (chain) =>
      owned(chain, async (admin, data) =>
        deploySafe(chain, {
          owners: [chain.hidden().address, ...FIVE],
          threshold: 3,
          to: await chain.deploy('SetupApprovals'),
          data: callData('approveFirst(address[],address,bytes)', [FIVE.slice(0, 2), admin, data]),
        }),
      ),
    exploit: async (attack, built) => {
      const signatures = approvals([attack.account.address, ...FIVE.slice(0, 2)])
      await execSafe(attack, part(built, 'controller'), part(built, 'admin'), upgradeData(built), signatures)
    },
  },
  {
    name: 'the code that created a proxy gave a role without an event',
    cause: 'other guard',
    by: 'one key',
    settings: NEW_EVM,
    build: async (chain) => {
      const logic = await chain.deploy('RoledLogic')
      const honest = await chain.deployArtifact(
        openZeppelin5('ERC1967Proxy'),
        logic,
        callData('initialize(address)', [FIVE[0]]),
      )
      const runtime = await codeOf(chain, honest)
      const length = toHex(size(runtime), { size: 2 })
      const stores = `0x01 ${inDefaultRole(chain.hidden().address)} SSTORE ${logic} ${LOGIC_SLOT} SSTORE`
      const bytecode = assemble(
        `${stores} ${length} @runtime 0x00 CODECOPY ${length} 0x00 RETURN #runtime data:${runtime}`,
      )
      const address = await chain.deployArtifact({ abi: [], bytecode })
      await chain.send(address, 'initialize(address)', [await chain.timelock()])
      return system(address)
    },
    exploit: ({ send, code }, { address }) => send(address, 'upgradeToAndCall(address,bytes)', [code, '0x']),
  },
  {
    name: "an operation of OpenZeppelin's timelock is announced and due from the start",
    cause: 'lying getter',
    by: 'anyone',
    settings: NEW_EVM,
    build: async (chain) => {
      const council = await chain.council()
      return owned(chain, (admin, data) => chain.deploy('AnnouncedTimelock', admin, data, [council], [zeroAddress]))
    },
    exploit: ({ send }, built) =>
      send(part(built, 'controller'), 'execute(address,uint256,bytes,bytes32,bytes32)', [
        part(built, 'admin'),
        0n,
        upgradeData(built),
        ZERO_WORD,
        ZERO_WORD,
      ]),
  },
  {
    name: 'the votes for a proposal were counted when the governor was created',
    cause: 'lying getter',
    by: 'anyone',
    build: async (chain) => {
      const token = await chain.deploy('CheckpointToken', await chain.council())
      return owned(chain, (admin, data) => chain.deploy('CountedBallots', token, proposalOf(admin, data)))
    },
    exploit: executeProposal,
  },
  {
    name: 'an account that left set the votes for a proposal',
    cause: 'lying getter',
    by: 'anyone',
    build: async (chain) => {
      const token = await chain.deploy('CheckpointToken', await chain.council())
      return owned(chain, async (admin, data) => {
        const governor = await chain.deploy('FormerTellerBallots', token)
        await chain.send(governor, 'tell(bytes32)', [proposalOf(admin, data)])
        await chain.send(governor, 'leave()', [])
        return governor
      })
    },
    exploit: executeProposal,
  },
  {
    name: "a silent table in Vyper's order lists who may upgrade",
    cause: 'other guard',
    by: 'one key',
    build: async (chain) => {
      const data = callData('initialize(address,address)', [await chain.timelock(), chain.hidden().address])
      return system(await chain.proxy(await chain.deploy('VyperOrderLogic'), data))
    },
    exploit: ({ send, code }, { address }) => send(address, 'upgradeTo(address)', [code]),
  },
  {
    name: "anyone may join a table in Vyper's order that lists who may upgrade",
    cause: 'other guard',
    by: 'anyone',
    build: async (chain) => {
      const data = callData('initialize(address,address)', [await chain.timelock(), zeroAddress])
      return system(await chain.proxy(await chain.deploy('VyperOrderWriter'), data))
    },
    exploit: async ({ send, code }, { address }) => {
      await send(address, 'note(uint256)', [7n])
      await send(address, 'upgradeTo(address)', [code])
    },
  },
  {
    name: 'a clone has a second owner in the arguments behind its code',
    cause: 'forwarder',
    by: 'one key',
    build: async (chain) => {
      const logic = await chain.deploy('ArgumentLogic')
      const clone: readonly Hex[] = ['0x363d3d373d3d3d363d73', logic, '0x5af43d82803e903d91602b57fd5bf3']
      const address = await chain.deployRuntime(concatHex([...clone, chain.hidden().address]))
      await chain.send(address, 'initialize(address)', [await chain.timelock()])
      return system(address)
    },
    exploit: ({ send, code }, { address }) => send(address, 'setHelper(address)', [code]),
  },
  {
    name: 'the slot of the pointer is the hash of a text that is built in memory',
    cause: 'second writer',
    by: 'anyone',
    build: async (chain) => system(await chain.uups('ComputedSlotLogic', await chain.timelock())),
    exploit: ({ send, code }, { address }) => send(address, 'note(uint256)', [BigInt(code)]),
  },
  {
    name: 'the slot of the pointer is a constant with its bytes reversed',
    cause: 'second writer',
    by: 'anyone',
    build: async (chain) => system(await chain.uups('ReversedSlotLogic', await chain.timelock())),
    exploit: ({ send, code }, { address }) => send(address, 'note(uint256,uint256)', [BigInt(code), 1n]),
  },
]

export const hiddenEntries: readonly Case[] = drafts.map((draft) => ({ ...draft, truth: WEAK }))
