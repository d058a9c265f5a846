/** An ENS registry and a resolver on a test node, without the contracts of ENS. */
import { type Abi, encodeFunctionData, type Hex, keccak256, pad, parseAbi } from 'viem'
import { namehash } from 'viem/ens'
import type { Anvil } from './anvil.ts'

export const MAINNET_REGISTRY = '0x00000000000c2e074ec69a0dfb2997ba6c7d2e1e'
const RESOLVER = `0x${'a2'.repeat(20)}` as const

/** Returns the word that is stored for the whole input: SLOAD(keccak256(calldata)). */
const TABLE = '0x365f5f37365f20545f5260205ff3'

const ABI: Abi = parseAbi([
  'function resolver(bytes32 node) view returns (address)',
  'function addr(bytes32 node) view returns (address)',
])

async function setAnswer({ rpc }: Anvil, at: Hex, functionName: string, name: string, address: Hex): Promise<void> {
  const input = encodeFunctionData({ abi: ABI, functionName, args: [namehash(name)] })
  await rpc('anvil_setStorageAt', at, keccak256(input), pad(address))
}

/** Registers a name. Without an address its resolver has no record; `resolver` replaces the one that has them. */
export async function setName(
  node: Anvil,
  name: string,
  { address, registry = MAINNET_REGISTRY, resolver = RESOLVER }: { address?: Hex; registry?: Hex; resolver?: Hex },
): Promise<void> {
  await node.rpc('anvil_setCode', registry, TABLE)
  await node.rpc('anvil_setCode', RESOLVER, TABLE)
  await setAnswer(node, registry, 'resolver', name, resolver)
  if (address !== undefined) await setAnswer(node, resolver, 'addr', name, address)
}
