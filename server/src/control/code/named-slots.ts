/** Slots whose number is the hash of a name, which no element of a mapping or an array is. */
import { namedSlot, namespaceSlot } from './hashes.ts'

/** Slots whose number is the hash of a text, and how far from it. */
const NAMED: readonly (readonly [text: string, distance: number])[] = [
  ['eip1967.proxy.implementation', -1],
  ['eip1967.proxy.admin', -1],
  ['eip1967.proxy.beacon', -1],
  ['eip1967.proxy.implementation.secondary', -1],
  ['eip1967.proxy.rollback', -1],
  ['eip1967.proxy.pendingImplementation', -1],
  ['eip1967.proxy.implementation', 0],
  ['org.zeppelinos.proxy.implementation', 0],
  ['org.zeppelinos.proxy.admin', 0],
  ['PROXIABLE', 0],
  ['matic.network.proxy.implementation', 0],
  ['matic.network.proxy.owner', 0],
  ['StarkWare2019.implemntation-slot', 0],
  ['diamond.standard.diamond.storage', 0],
  ...['Ownable', 'SafeOwnable', 'AccessControl', 'Initializable', 'UpgradeableProxy', 'DiamondBase'].map(
    (name) => [`solidstate.contracts.storage.${name}`, 0] as const,
  ),
]

/** Namespaces of ERC-7201. */
const NAMESPACES: readonly string[] = [
  'AccessControl',
  'AccessControlDefaultAdminRules',
  'AccessControlEnumerable',
  'AccessManaged',
  'EIP712',
  'ERC1155',
  'ERC1155Supply',
  'ERC20',
  'ERC20Capped',
  'ERC2981',
  'ERC4626',
  'ERC721',
  'ERC721Enumerable',
  'ERC721URIStorage',
  'Governor',
  'Initializable',
  'Nonces',
  'Ownable',
  'Ownable2Step',
  'Pausable',
  'ReentrancyGuard',
  'TimelockController',
  'Votes',
].map((name) => `openzeppelin.storage.${name}`)

type Origin = { readonly bytes: number; readonly isBelow: boolean }

/** Slots of known origin: the length of what was hashed, and whether the slot lies below the hash. */
const ORIGINS: ReadonlyMap<bigint, Origin> = new Map([
  ...NAMED.map(([name, distance]): [bigint, Origin] => [
    namedSlot(name) + BigInt(distance),
    { bytes: name.length, isBelow: distance < 0 },
  ]),
  ...NAMESPACES.map((name): [bigint, Origin] => [namespaceSlot(name), { bytes: 32, isBelow: true }]),
])

/** The same by the upper bits of the slots that they concern. */
const BY_UPPER_BITS = Map.groupBy(
  [...ORIGINS].flatMap(([start, origin]) =>
    [...new Set([start >> 8n, (start + 255n) >> 8n])].map((upper) => ({ upper, start, origin })),
  ),
  ({ upper }) => upper,
)

/** The origin of a slot: a named one, or one of the 256 slots from it on, which the members of a struct take. */
export function originOf(slot: bigint): Origin | undefined {
  for (const { start, origin } of BY_UPPER_BITS.get(slot >> 8n) ?? [])
    if (slot >= start && slot - start < 256n) return { ...origin, isBelow: origin.isBelow && slot === start }
  return undefined
}
