/** The guard refuses while it seems to be tried and lets anyone pass otherwise. */
import { concatHex, type Hex, numberToHex, pad, toHex } from 'viem'
import type { Attack } from '../attack.ts'
import { type Case, WEAK } from '../case.ts'
import { type Built, type Chain, callData, LOGIC_SLOT, NO_OWNER, system } from '../chain.ts'
import { NEW_EVM } from './second-writers.ts'

type Draft = Omit<Case, 'cause' | 'truth' | 'by'>
type Exploit = Case['exploit']
type Options = NonNullable<Parameters<Attack['send']>[3]>

const timelocked =
  (name: string) =>
  async (chain: Chain): Promise<Built> =>
    system(await chain.uups(name, await chain.timelock()))
const renounced =
  (name: string) =>
  async (chain: Chain): Promise<Built> =>
    system(await chain.uups(name, NO_OWNER))

const upgradeTo = (attack: Attack, { address }: Built, options: Options = {}): Promise<void> =>
  attack.send(address, 'upgradeTo(address)', [attack.code], options)
const upgrade5 = (attack: Attack, { address }: Built, options: Options = {}): Promise<void> =>
  attack.send(address, 'upgradeToAndCall(address,bytes)', [attack.code, '0x'], options)
const withOptions =
  (options: Options): Exploit =>
  (attack, built) =>
    upgradeTo(attack, built, options)

/** Repeats an upgrade, once a block, until the block or the gas fits. */
const untilItWorks =
  (optionsOf: (n: number) => Options = () => ({})): Exploit =>
  async (attack, built) => {
    for (let n = 0; n < 200; n += 1) {
      const done = await upgradeTo(attack, built, optionsOf(n)).then(
        () => true,
        () => false,
      )
      if (done) return
    }
  }

const drafts: readonly Draft[] = [
  {
    name: 'the guard checks only an upgrade to the current logic',
    build: timelocked('SameLogicTrial'),
    exploit: upgradeTo,
  },
  {
    name: 'the guard checks only an upgrade to the current logic, owner renounced',
    build: renounced('SameLogicTrial'),
    exploit: upgradeTo,
  },
  {
    name: 'the expected sender is computed without a branch',
    build: timelocked('BranchlessTrial'),
    exploit: upgradeTo,
  },
  {
    name: 'the guard checks only at a gas price of zero',
    build: timelocked('GasPriceTrial'),
    exploit: withOptions({ gasPrice: 1_000_000_000n }),
  },
  {
    name: 'the last digits of the gas price are a password',
    build: renounced('GasPriceDigits'),
    exploit: withOptions({ gasPrice: 1_000_000_777n }),
  },
  {
    name: 'the guard checks only an origin with less than one ether',
    build: timelocked('OriginBalanceTrial'),
    exploit: upgradeTo,
  },
  {
    name: 'the guard checks only calls with much gas',
    build: timelocked('LargeGasTrial'),
    exploit: withOptions({ gas: 200_000n }),
  },
  {
    name: 'the guard is open for one remainder of the gas left',
    build: renounced('GasWindowTrial'),
    exploit: untilItWorks((n) => ({ gas: 1_000_000n + BigInt(n) })),
  },
  {
    name: 'the guard checks only senders without ether',
    build: timelocked('SenderBalanceTrial'),
    exploit: upgradeTo,
  },
  {
    name: 'the guard checks only senders without code',
    build: timelocked('CallerCodeTrial'),
    exploit: async ({ deploy, send, code }, { address }) =>
      send(await deploy('ContractCaller'), 'upgrade(address,address)', [address, code]),
  },
  {
    name: 'the guard is open to contracts during their construction',
    build: timelocked('ConstructorTrial'),
    exploit: async ({ deploy, code }, { address }) => {
      await deploy('ConstructorOnly', address, code)
    },
  },
  {
    name: 'the guard opens after 30 days',
    build: async (chain) => system(await chain.uups('TimeBomb', await chain.timelock(), 30n * 86_400n)),
    exploit: async (attack, built) => {
      await attack.wait(31 * 86_400)
      await upgradeTo(attack, built)
    },
  },
  {
    name: 'the guard is open in the last second of the day',
    build: timelocked('TimeOfDay'),
    exploit: async (attack, built) => {
      const { timestamp } = await attack.chain.node.rpc<{ timestamp: Hex }>('eth_getBlockByNumber', 'latest', false)
      const next = (Math.floor(Number(timestamp) / 86_400) + 2) * 86_400 - 1
      await attack.chain.node.rpc('evm_setNextBlockTimestamp', next)
      await upgradeTo(attack, built)
    },
  },
  {
    name: 'the guard is open in every eighth block',
    build: timelocked('BlockNumberTrial'),
    exploit: untilItWorks(),
  },
  {
    name: 'the guard checks only blocks without a producer',
    build: timelocked('CoinbaseTrial'),
    exploit: async (attack, built) => {
      // A block of a real chain has a producer; the local node must be given one.
      await attack.chain.node.rpc('anvil_setCoinbase', '0x00000000000000000000000000000000c01bba5e')
      await upgradeTo(attack, built)
      await attack.chain.node.rpc('anvil_setCoinbase', NO_OWNER)
    },
  },
  {
    name: 'the guard is open for one random number of the block in four',
    settings: NEW_EVM,
    build: timelocked('RandaoTrial'),
    exploit: untilItWorks(),
  },
  {
    name: 'the guard is open for one block hash in four',
    build: renounced('BlockHashTrial'),
    exploit: untilItWorks(),
  },
  {
    name: 'the guard checks only calldata of the usual length',
    build: timelocked('CalldataTail'),
    exploit: ({ sendRaw, code }, { address }) =>
      sendRaw(address, concatHex([callData('upgradeTo(address)', [code]), '0x00'])),
  },
  {
    name: 'a word after the arguments is the expected sender',
    build: renounced('TailSender'),
    exploit: ({ sendRaw, code, account }, { address }) =>
      sendRaw(address, concatHex([callData('upgradeTo(address)', [code]), pad(account.address, { size: 32 })])),
  },
  {
    name: 'a harmless setter stores the number that opens the guard',
    build: timelocked('MagicNumber'),
    exploit: async (attack, built) => {
      await attack.send(built.address, 'setNumber(uint256)', [42n])
      await upgradeTo(attack, built)
    },
  },
  {
    name: 'the guard opens three blocks after a greeting of the sender',
    build: renounced('GreetedBefore'),
    exploit: async (attack, built) => {
      await attack.send(built.address, 'greet()')
      await attack.mine(3)
      await upgradeTo(attack, built)
    },
  },
  {
    name: 'the guard checks only while the contract holds no ether',
    build: timelocked('OwnBalanceTrial'),
    exploit: async (attack, built) => {
      await attack.sendRaw(built.address, '0x', { value: 1n })
      await upgradeTo(attack, built)
    },
  },
  {
    name: 'the first bytes of the new logic are a password',
    build: timelocked('NewLogicPrefix'),
    exploit: async ({ send, deployRuntime, chain, code }, { address }) => {
      // Forwards to the attacker's logic after four bytes that do nothing.
      const forward = concatHex(['0x5b5b5b5b3660006000376000600036600073', code, '0x5af43d600060003e3d6000f3'])
      await send(address, 'upgradeTo(address)', [await deployRuntime(forward)])
      await chain.storage(address, LOGIC_SLOT)
    },
  },
  {
    name: 'the new logic answers a question of the guard',
    build: renounced('NewLogicAnswer'),
    exploit: upgradeTo,
  },
  {
    name: 'refused calls do not revert and the third one passes',
    build: timelocked('CountingGuard'),
    exploit: async ({ send, code }, { address }) => {
      for (let n = 0; n < 3; n += 1) await send(address, 'setImplementation(address)', [code])
    },
  },
  {
    name: 'refused calls do not revert and the gas price opens the guard',
    build: renounced('SilentGuard'),
    exploit: ({ send, code }, { address }) => send(address, 'setImplementation(address)', [code], { gasPrice: 2n }),
  },
  {
    name: 'the owner is replaced while the guard runs',
    build: timelocked('SwappedOwner'),
    exploit: async ({ deploy, send, code }, { address }) => {
      const caller = await deploy('ContractCaller')
      await send(address, 'setSpare(address)', [caller])
      await send(caller, 'upgrade(address,address)', [address, code])
    },
  },
  {
    name: 'the guard is open on this chain only',
    settings: NEW_EVM,
    build: timelocked('ChainIdTrial'),
    exploit: upgrade5,
  },
  {
    name: 'the guard checks only while the base fee is zero',
    settings: NEW_EVM,
    build: timelocked('BaseFeeTrial'),
    exploit: async (attack, built) => {
      // Blocks of a real chain have a base fee; the local node has none unless it is set.
      await attack.chain.node.rpc('anvil_setNextBlockBaseFeePerGas', numberToHex(7))
      await upgrade5(attack, built, { gasPrice: 1_000_000_000n })
      await attack.chain.node.rpc('anvil_setNextBlockBaseFeePerGas', toHex(0))
    },
  },
  {
    name: 'the guard checks only calls with more than a hundredth of the block gas limit',
    settings: NEW_EVM,
    build: timelocked('GasLimitTrial'),
    exploit: (attack, built) => upgrade5(attack, built, { gas: 150_000n }),
  },
  {
    name: 'an access list with an address opens the guard',
    settings: NEW_EVM,
    build: timelocked('WarmAccess'),
    exploit: (attack, built) =>
      upgrade5(attack, built, { accessList: [{ address: `0x${'feed'.padStart(40, '0')}`, storageKeys: [] }] }),
  },
  {
    name: 'an access list with a slot opens the guard',
    settings: NEW_EVM,
    build: timelocked('WarmSlot'),
    exploit: (attack, built) =>
      upgrade5(attack, built, { accessList: [{ address: built.address, storageKeys: [toHex(0xfeed, { size: 32 })] }] }),
  },
  {
    name: 'a call in the same transaction opens the guard through transient storage',
    settings: NEW_EVM,
    build: timelocked('TransientFlag'),
    exploit: async ({ deploy, code }, { address }) => {
      await deploy('TransientCaller', address, code)
    },
  },
  {
    name: 'attached ether opens the guard',
    settings: NEW_EVM,
    build: timelocked('AttachedValue'),
    exploit: ({ send, code }, { address }) =>
      send(address, 'upgradeToAndCall(address,bytes)', [code, callData('accept()')], { value: 1n }),
  },
  {
    name: 'the attached call opens the guard',
    settings: NEW_EVM,
    build: timelocked('AttachedCall'),
    exploit: ({ send, code }, { address }) => {
      const attached = concatHex(['0x5eaf00d5', toHex(0, { size: 80 })])
      return send(address, 'upgradeToAndCall(address,bytes)', [code, attached])
    },
  },
]

export const trialDetectors: readonly Case[] = drafts.map((draft) => ({
  ...draft,
  by: 'anyone',
  cause: 'trial detector',
  truth: WEAK,
}))
