/** Getters that are called on every contract: without arguments, or always with the same. */
import type { Hex } from 'viem'
import { toWord } from './abi-values.ts'

const word = (value: number): string => toWord(value).slice(2)

export const CALLS = {
  owner: '0x8da5cb5b',
  getOwner: '0x893d20e8',
  pendingOwner: '0xe30c3978',
  admin: '0xf851a440',
  pendingAdmin: '0x26782247',
  /** Also returns the time from which it may accept. */
  pendingDefaultAdmin: '0xcf6eefb7',
  implementation: '0x5c60da1b',
  comptrollerImplementation: '0xbb82aa5e',
  target: '0xd4b83992',
  authority: '0xbf7e214f',
  governance: '0x5aa6e675',
  governor: '0x0c340a24',
  guardian: '0x452a9320',
  paused: '0x5c975abb',
  minter: '0x07546172',
  masterMinter: '0x35d99f35',
  pauser: '0x9fd0506d',
  blacklister: '0xbd102430',
  getThreshold: '0xe75235b8',
  getOwners: '0xa0e67e2b',
  nonce: '0xaffed0e0',
  version: '0xffa1ad74',
  /** `getModulesPaginated(0x1, 50)`: no Safe has more modules. */
  modules: `0xcc2f8452${word(1)}${word(50)}`,
  required: '0xdc8452cd',
  getMinDelay: '0xf27a0c92',
  delay: '0x6a42b8f8',
  gracePeriod: '0xc1a287e2',
  txCooldown: '0xdcafac09',
  avatar: '0x5aef7de6',
  /** `hasRole(0x0, 0x0)`: whether it has roles at all. */
  hasRole: `0x91d14854${word(0)}${word(0)}`,
  executorRole: '0x07bd0265',
  adminRole: '0x75b238fc',
  publicRole: '0x3ca7c02a',
  defaultAdmin: '0x84ef8ffc',
  votingDelay: '0x3932abb1',
  votingPeriod: '0x02a251a3',
  /** `CLOCK_MODE()` of EIP-6372: a governor counts blocks or seconds. */
  clockMode: '0x4bf5d7e9',
  timelock: '0xd33219b4',
  /** `facetAddress(diamondCut)` (https://eips.ethereum.org/EIPS/eip-2535). */
  diamondCutFacet: `0xcdffacc61f931c1c${'0'.repeat(56)}`,
  facetAddresses: '0x52ef6b2c',
  proxiableUUID: '0x52d1902d',
  isOssified: '0x13351258',
  ossifiableAdmin: '0x916f1fd7',
  /** Aave's `getExecutorSettingsByAccessControl(1)`: executor and delay of the ordinary level. */
  payloadsExecutor: `0xf80281fb${word(1)}`,
  /** Wormhole's guardians sign upgrades. */
  guardianSetIndex: '0x1cfe7951',
  /** DSChief's elected address. */
  hat: '0xfe95a5ce',
  /** Maker's `wards(0x0)`: whether it has wards at all. */
  wards: `0xbf353dbb${word(0)}`,
  /** Aragon: an app's kernel and name, and how long a vote takes. */
  kernel: '0xd4aae0c4',
  appId: '0x80afdea8',
  voteTime: '0xbcf93dd6',
  /** Lido's timelock: who may submit to it. */
  getGovernance: '0x289b3c0d',
  /** Voting rules of OpenZeppelin's and Compound's governors. */
  quorumNumerator: '0xa7713a70',
  quorumVotes: '0x24bc1a64',
  upgradeActivationDelay: '0x72a44f07',
} as const satisfies Readonly<Record<string, Hex>>

export type CallName = keyof typeof CALLS

export const CALL_NAMES = Object.keys(CALLS) as readonly CallName[]
