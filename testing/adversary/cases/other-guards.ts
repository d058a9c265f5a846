/** The owner is renounced or a timelock, and something other than the owner opens the guard. */
import { concatHex, encodeAbiParameters, encodePacked, type Hex, keccak256, pad, stringToHex, toHex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Attack } from '../attack.ts'
import { type Case, WEAK } from '../case.ts'
import { type Built, type Chain, callData, codeOf, creationCodeOf, NO_OWNER, system } from '../chain.ts'
import { NEW_EVM } from './second-writers.ts'

type Draft = Omit<Case, 'cause' | 'truth'>

/** Deploys the creation code after a salt in its calldata; local nodes have it, as most chains do. */
const CREATE2_DEPLOYER: Hex = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
const PASSWORD = 'correct horse battery staple'
const wordOf = (address: Hex): Hex => pad(address, { size: 32 }).toLowerCase() as Hex
const hashOf = (address: Hex): Hex => keccak256(wordOf(address))

/** UUPS logic whose owner is renounced, with constructor arguments that depend on the hidden key. */
const renounced =
  (name: string, argsOf: (key: Hex) => readonly unknown[] = () => []) =>
  async (chain: Chain): Promise<Built> =>
    system(await chain.uups(name, NO_OWNER, ...argsOf(chain.hidden().address)))
const timelocked =
  (name: string, argsOf: (key: Hex) => readonly unknown[] = () => []) =>
  async (chain: Chain): Promise<Built> =>
    system(await chain.uups(name, await chain.timelock(), ...argsOf(chain.hidden().address)))
const plain =
  (name: string) =>
  async (chain: Chain): Promise<Built> =>
    system(await chain.proxy(await chain.deploy(name), callData('setNumber(uint256)', [0])))
/** Makes a call right after the deployment, as the deployer. */
const prepared =
  (build: Draft['build'], signature: string, argsOf: (key: Hex) => readonly unknown[]) =>
  async (chain: Chain): Promise<Built> => {
    const built = await build(chain)
    await chain.send(built.address, signature, argsOf(chain.hidden().address))
    return built
  }

const upgradeTo = ({ send, code }: Attack, { address }: Built): Promise<void> =>
  send(address, 'upgradeTo(address)', [code])
const upgrade5 = ({ send, code }: Attack, { address }: Built): Promise<void> =>
  send(address, 'upgradeToAndCall(address,bytes)', [code, '0x'])
const set =
  (signature: string, ...args: readonly unknown[]): Case['exploit'] =>
  ({ send, code }, { address }) =>
    send(address, signature, [code, ...args])

async function signed(account: PrivateKeyAccount, hash: Hex): Promise<readonly [v: bigint, r: Hex, s: Hex]> {
  const signature = await account.sign({ hash })
  return [BigInt(`0x${signature.slice(130)}`), signature.slice(0, 66) as Hex, `0x${signature.slice(66, 130)}`]
}

/** Makes accounts until one fits. */
function accountWhere(attack: Attack, fits: (address: bigint) => boolean): PrivateKeyAccount {
  for (;;) {
    const account = attack.newAccount()
    if (fits(BigInt(account.address))) return account
  }
}

const PROOF: readonly Hex[] = [keccak256('0x01'), keccak256('0x02')]
const rootOf = (key: Hex): Hex =>
  PROOF.reduce(
    (node, other) => keccak256(node < other ? concatHex([node, other]) : concatHex([other, node])),
    hashOf(key),
  )

const drafts: readonly Draft[] = [
  {
    name: 'a silent mapping lists who may upgrade, owner renounced',
    by: 'one key',
    build: prepared(renounced('MappingMember'), 'join(address)', (key) => [key]),
    exploit: upgradeTo,
  },
  {
    name: 'a silent mapping lists who may upgrade, next to a timelock',
    by: 'one key',
    build: prepared(timelocked('MappingMember'), 'join(address)', (key) => [key]),
    exploit: upgradeTo,
  },
  {
    name: 'an array lists who may upgrade, owner renounced',
    by: 'one key',
    build: prepared(renounced('ArrayMember'), 'join(address)', (key) => [key]),
    exploit: upgradeTo,
  },
  {
    name: 'a bitmap of last bytes lists who may upgrade',
    by: 'anyone',
    build: prepared(renounced('BitmapMember'), 'join(uint256)', () => [1n << 0x2an]),
    exploit: async (attack, { address }) => {
      const as = accountWhere(attack, (number) => number % 256n === 0x2an)
      await attack.send(address, 'upgradeTo(address)', [attack.code], { as })
    },
  },
  {
    name: 'a Merkle tree lists who may upgrade',
    by: 'one key',
    build: timelocked('MerkleMember', (key) => [rootOf(key)]),
    exploit: set('setImplementation(address,bytes32[])', PROOF),
  },
  {
    name: 'the hash of the sender is compared with a constant, owner renounced',
    by: 'one key',
    build: renounced('HashedSender', (key) => [keccak256(encodePacked(['address'], [key]))]),
    exploit: upgradeTo,
  },
  {
    name: 'the hash of the sender is compared with a constant, next to a timelock',
    by: 'one key',
    build: timelocked('HashedSender', (key) => [keccak256(encodePacked(['address'], [key]))]),
    exploit: upgradeTo,
  },
  {
    name: 'the hash of the sender is a slot that is not empty',
    by: 'one key',
    build: prepared(plain('HashedSlot'), 'enroll(bytes32)', (key) => [hashOf(key)]),
    exploit: set('setImplementation(address)'),
  },
  {
    name: 'anyone may upgrade with a signature of one key',
    by: 'one key',
    build: renounced('SignedUpgrade', (key) => [key]),
    exploit: async ({ send, code, account, newAccount }, { address }) => {
      const signature = await signed(account, hashOf(code))
      const args = [code, ...signature]
      await send(address, 'setImplementation(address,uint8,bytes32,bytes32)', args, { as: newAccount() })
    },
  },
  {
    name: 'an invalid signature recovers the renounced owner',
    by: 'anyone',
    build: renounced('ZeroSigner'),
    exploit: set('setImplementation(address,uint8,bytes32,bytes32)', 0, toHex(1, { size: 32 }), toHex(1, { size: 32 })),
  },
  {
    name: 'a contract that the caller names confirms the signature',
    by: 'anyone',
    build: timelocked('ChosenSigner'),
    exploit: async ({ deploy, send, code }, { address }) =>
      send(address, 'setImplementation(address,address,bytes)', [code, await deploy('YesSigner'), '0x']),
  },
  {
    name: 'a fixed contract confirms signatures of one key',
    by: 'one key',
    build: async (chain) => {
      const signer = await chain.deploy('KeySigner', chain.hidden().address)
      return system(await chain.uups('FixedContractSigner', NO_OWNER, signer))
    },
    exploit: async ({ send, code, account }, { address }) => {
      const types = [{ type: 'uint8' }, { type: 'bytes32' }, { type: 'bytes32' }]
      const [v, r, s] = await signed(account, hashOf(code))
      const signature = encodeAbiParameters(types, [Number(v), r, s])
      await send(address, 'setImplementation(address,bytes)', [code, signature])
    },
  },
  {
    name: 'a password opens the upgrade',
    by: 'anyone',
    build: timelocked('Password'),
    exploit: set('setImplementation(address,string)', PASSWORD),
  },
  {
    name: 'a password with SHA-256 opens a function of logic without an upgrade function',
    by: 'anyone',
    build: plain('Sha256Password'),
    exploit: set('submit(address,bytes)', stringToHex(PASSWORD)),
  },
  {
    name: 'a password with RIPEMD-160 opens a function of logic without an upgrade function',
    by: 'anyone',
    build: plain('Ripemd160Password'),
    exploit: set('submit(address,bytes)', stringToHex(PASSWORD)),
  },
  {
    name: 'a masked key in the code',
    by: 'one key',
    build: renounced('MaskedKeyInCode', (key) => [key]),
    exploit: upgradeTo,
  },
  {
    name: 'a masked key in storage that looks like a rate',
    by: 'one key',
    build: prepared(timelocked('MaskedKeyInStorage'), 'setRate(uint256)', (key) => [
      BigInt(keccak256(stringToHex('rate'))) ^ BigInt(key),
    ]),
    exploit: upgradeTo,
  },
  {
    name: 'the key is compared by a division',
    by: 'one key',
    build: renounced('DividedKey', (key) => [key]),
    exploit: upgradeTo,
  },
  {
    name: 'only the last two bytes of the sender are compared',
    by: 'anyone',
    build: timelocked('AddressSuffix'),
    exploit: async ({ send, sendRaw, code, chain }, { address }) => {
      // A contract with such an address is faster to find than an account.
      const creation = creationCodeOf(chain.own('ContractCaller'))
      const hash = keccak256(creation)
      const addressFor = (salt: Hex): Hex =>
        `0x${keccak256(concatHex(['0xff', CREATE2_DEPLOYER, salt, hash])).slice(-40)}`
      let number = 0n
      while (!addressFor(toHex(number, { size: 32 })).endsWith('0b0b')) number += 1n
      const salt = toHex(number, { size: 32 })
      await sendRaw(CREATE2_DEPLOYER, concatHex([salt, creation]))
      await send(addressFor(salt), 'upgrade(address,address)', [address, code])
    },
  },
  {
    name: 'a modular product of the sender is compared',
    by: 'one key',
    build: renounced('ModularKey', (key) => [key]),
    exploit: upgradeTo,
  },
  {
    name: 'the holder of a token that anyone may mint can upgrade',
    by: 'anyone',
    build: async (chain) => {
      const nft = await chain.deploy('OpenNft')
      return system(await chain.uups('NftHolder', await chain.timelock(), nft), { nft })
    },
    exploit: async (attack, built) => {
      await attack.send(built.parts.nft as Hex, 'mint(uint256)', [1n])
      await upgradeTo(attack, built)
    },
  },
  {
    name: 'a balance of a token that anyone may mint opens the guard',
    by: 'anyone',
    build: async (chain) => {
      const nft = await chain.deploy('OpenNft')
      return system(await chain.uups('TokenHolder', NO_OWNER, nft), { nft })
    },
    exploit: async (attack, built) => {
      for (const id of [7n, 8n]) await attack.send(built.parts.nft as Hex, 'mint(uint256)', [id])
      await upgradeTo(attack, built)
    },
  },
  {
    name: 'another contract with fixed code knows the hidden key',
    by: 'one key',
    build: async (chain) =>
      system(await chain.uups('AskedContract', NO_OWNER, await chain.deploy('HiddenJudge', chain.hidden().address))),
    exploit: upgradeTo,
  },
  {
    name: 'the caller is asked who its owner is',
    by: 'anyone',
    build: async (chain) => {
      const owner = await chain.timelock()
      return system(await chain.uups('AskedCaller', owner), { owner })
    },
    exploit: async ({ deploy, send, code }, { address, parts }) =>
      send(await deploy('AnsweringCaller', parts.owner), 'upgrade(address,address)', [address, code]),
  },
  {
    name: 'the origin of the transaction is compared, owner renounced',
    by: 'one key',
    build: renounced('OriginKey', (key) => [key]),
    exploit: async ({ deploy, send, code }, { address }) =>
      send(await deploy('ContractCaller'), 'upgrade(address,address)', [address, code]),
  },
  {
    name: 'a small proof of work opens the upgrade',
    by: 'anyone',
    build: timelocked('ProofOfWork'),
    exploit: async ({ send, code, account }, { address }) => {
      let nonce = 0n
      while (BigInt(keccak256(concatHex([wordOf(account.address), toHex(nonce, { size: 32 })]))) >> 248n !== 0n)
        nonce += 1n
      await send(address, 'setImplementation(address,uint256)', [code, nonce])
    },
  },
  {
    name: 'anyone may commit to new logic and reveal it later',
    by: 'anyone',
    build: renounced('CommitReveal'),
    exploit: async ({ send, code, account }, { address }) => {
      const secret = toHex(9, { size: 32 })
      await send(address, 'commit(bytes32)', [keccak256(concatHex([wordOf(account.address), wordOf(code), secret]))])
      await send(address, 'reveal(address,bytes32)', [code, secret])
    },
  },
  {
    name: 'the highest bidder may upgrade',
    by: 'anyone',
    build: timelocked('HighestBidder'),
    exploit: async (attack, built) => {
      await attack.send(built.address, 'offer()', [], { value: 5n })
      await upgradeTo(attack, built)
    },
  },
  {
    name: 'the code of another contract lists who may upgrade',
    by: 'one key',
    build: async (chain) => {
      const list = await chain.deployRuntime(concatHex(['0x00', `0x${'11'.repeat(20)}`, chain.hidden().address]))
      return system(await chain.uups('CodeListMember', NO_OWNER, list))
    },
    exploit: upgradeTo,
  },
  {
    name: 'a ward was added without an event',
    by: 'one key',
    build: async (chain) => {
      const data = callData('initialize(address,address)', [await chain.timelock(), chain.hidden().address])
      return system(await chain.proxy(await chain.deploy('QuietWards'), data))
    },
    exploit: upgrade5,
  },
  {
    name: 'one vote of any account decides',
    by: 'anyone',
    build: renounced('OneVote'),
    exploit: async ({ send, code }, { address }) => {
      await send(address, 'vote(address)', [code])
      await send(address, 'execute(address)', [code])
    },
  },
  {
    name: 'every copy of a published contract may upgrade',
    by: 'anyone',
    settings: NEW_EVM,
    build: async (chain) => {
      const hash = keccak256(await codeOf(chain, await chain.deploy('Courier')))
      return system(await chain.uups('CallerCodeHash', await chain.timelock(), hash))
    },
    exploit: async ({ deploy, send, code }, { address }) =>
      send(await deploy('Courier'), 'carry(address,address)', [address, code]),
  },
  {
    name: 'every contract of an open factory may upgrade',
    by: 'anyone',
    settings: NEW_EVM,
    build: async (chain) => {
      const factory = await chain.deploy('OpenFactory')
      const hash = keccak256(chain.own('Relay').bytecode)
      return system(await chain.uups('FactoryChild', await chain.timelock(), factory, hash), { factory })
    },
    exploit: async ({ send, code, chain }, { address, parts }) => {
      const salt = toHex(3, { size: 32 })
      const creation = creationCodeOf(chain.own('ChildCaller'), address, salt, code)
      await send(parts.factory as Hex, 'deploy(bytes32,bytes)', [salt, creation])
    },
  },
  {
    name: 'the initializer gave a role without an event',
    by: 'one key',
    settings: NEW_EVM,
    build: async (chain) => {
      const data = callData('initialize(address,address)', [await chain.timelock(), chain.hidden().address])
      return system(await chain.proxy(await chain.deploy('QuietRole'), data))
    },
    exploit: upgrade5,
  },
  {
    name: 'the initializer gave a role without an event, next to sets of members',
    by: 'one key',
    settings: NEW_EVM,
    build: async (chain) => {
      const data = callData('initialize(address,address)', [await chain.timelock(), chain.hidden().address])
      return system(await chain.proxy(await chain.deploy('QuietSetRole'), data))
    },
    exploit: upgrade5,
  },
  {
    name: 'the guard passes an account that has no role',
    by: 'one key',
    settings: NEW_EVM,
    build: timelocked('LyingRole', (key) => [key]),
    exploit: upgrade5,
  },
]

export const otherGuards: readonly Case[] = drafts.map((draft) => ({ ...draft, cause: 'other guard', truth: WEAK }))
