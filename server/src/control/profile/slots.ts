/** Storage slots that show who controls a contract, by standard or proxy family. */
import type { Hex } from 'viem'
import { toWord } from './abi-values.ts'

export const SLOTS = {
  /** https://eips.ethereum.org/EIPS/eip-1967 */
  implementation: '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
  admin: '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103',
  beacon: '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50',
  /** The hash without the subtraction of one. */
  implementationOffByOne: '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbd',
  /** Arbitrum's second logic, for calls of users. */
  secondaryImplementation: '0x2b1dbce74324248c222f0ec2d5ed7bd323cfc425b336f0253c5ccfda7265546d',
  /** ZeppelinOS: USDC and its generation. */
  zosImplementation: '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3',
  zosAdmin: '0x10d6a54a4754c8869d6886b5f5d7fbfa5b4522237ea5c60d11bc4e7a1ff9390b',
  /** https://eips.ethereum.org/EIPS/eip-1822 */
  proxiable: '0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7',
  polygonImplementation: '0xbaab7dbf64751104133af04abc7d9979f0fda3b059a322a8333f533d3f32bf7f',
  polygonOwner: '0x44f6e2e8884cba1236b7f22f351fa5d88b17292b7e0225ca47e5ecdf6055cdd6',
  /** `StarkWare2019.implemntation-slot`, spelled so. */
  starkwareImplementation: '0x177667240aeeea7e35eabe3a35e18306f336219e1386f7710a6bf8783f761b24',
  starkwareDelay: '0xc21dbb3089fcb2c4f4c6a67854ab4db2b0f233ea4b21b21f912d52d18fc5db1f',
  /** Plain layout: a Safe's singleton and threshold, Compound's admin and implementation, Arachnid's target. */
  slot0: toWord(0),
  slot1: toWord(1),
  slot2: toWord(2),
  slot3: toWord(3),
  slot4: toWord(4),
  safeGuard: '0x4a204f620c8c5ccdca3fd54d003badd85ba500436a431f0cbda4f558c93c34c8',
  safeModuleGuard: '0xb104e0b93118902c651344349b610029d694cfdec91c589c91ebafbcd0289947',
  safeFallbackHandler: '0x6c9a6c4a39284e37ed1cf53d337577d14212a4870fb976a4366c693b939918d5',
  /** `openzeppelin.storage.Ownable`: the owner in OpenZeppelin 5. */
  ownable5: '0x9016d09d72d40fdae2fd8ceac6b6234c7706214fd39c1cd1e609a0528c199300',
} as const satisfies Readonly<Record<string, Hex>>

export type SlotName = keyof typeof SLOTS

export const SLOT_NAMES = Object.keys(SLOTS) as readonly SlotName[]

const byPosition: ReadonlyMap<string, SlotName> = new Map(SLOT_NAMES.map((name) => [SLOTS[name], name]))

/** The name of the slot at a position. */
export const slotAt = (position: Hex): SlotName | undefined => byPosition.get(position)
