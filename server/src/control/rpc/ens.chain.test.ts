/** ENS names: a registry and a resolver on a real node, and the search of a whole service. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Abi, encodeFunctionData, type Hex, keccak256, pad, parseAbi } from 'viem'
import { namehash } from 'viem/ens'
import { type Anvil, anvilForTests, anvilMissing } from '../../../../testing/evm/anvil.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { startService } from '../../../../testing/support/service.ts'
import { systemTiming } from '../../lib/clock.ts'
import { createNameResolver, ensNameOf } from './ens.ts'

const MAINNET_REGISTRY = '0x00000000000c2e074ec69a0dfb2997ba6c7d2e1e'
const [OTHER_REGISTRY, RESOLVER, GATEWAY] = ['a1', 'a2', 'a3'].map((byte) => `0x${byte.repeat(20)}` as const) as [
  Hex,
  Hex,
  Hex,
]
const OWNER = `0x${'5e'.repeat(20)}` as const

/** Returns the word that is stored for the whole input: SLOAD(keccak256(calldata)). */
const TABLE = '0x365f5f37365f20545f5260205ff3'
/** Reverts, as a resolver that refers to a gateway does. */
const REVERTING = '0x5f5ffd'

const ABI: Abi = parseAbi([
  'function resolver(bytes32 node) view returns (address)',
  'function addr(bytes32 node) view returns (address)',
])

async function setAnswer({ rpc }: Anvil, at: Hex, functionName: string, name: string, address: Hex): Promise<void> {
  const input = encodeFunctionData({ abi: ABI, functionName, args: [namehash(name)] })
  await rpc('anvil_setStorageAt', at, keccak256(input), pad(address))
}

async function nodeWithNames(registry: Hex): Promise<Anvil> {
  const node = await anvilForTests(1)
  await node.rpc('anvil_setCode', registry, TABLE)
  await node.rpc('anvil_setCode', RESOLVER, TABLE)
  await node.rpc('anvil_setCode', GATEWAY, REVERTING)
  await setAnswer(node, registry, 'resolver', 'meadow.eth', RESOLVER)
  await setAnswer(node, RESOLVER, 'addr', 'meadow.eth', OWNER)
  await setAnswer(node, registry, 'resolver', 'empty.eth', RESOLVER)
  await setAnswer(node, registry, 'resolver', 'offchain.eth', GATEWAY)
  return node
}

test('only dotted texts that ENS accepts are names', () => {
  assert.equal(ensNameOf('Meadow.ETH'), 'meadow.eth')
  assert.equal(ensNameOf('vault.meadow.eth'), 'vault.meadow.eth')
  for (const text of ['meadow', 'a..eth', '.eth', 'https://meadow.eth', 'a@meadow.eth', '0.5', '10.0.0.1', 'a b.eth'])
    assert.equal(ensNameOf(text), undefined, text)
  assert.equal(ensNameOf('safe.removed_owner'), undefined, 'an event key is no name')
})

test('search finds the address of a name in the registry of mainnet', { skip: anvilMissing }, async () => {
  const node = await nodeWithNames(MAINNET_REGISTRY)
  const store = await createTestDatabase()
  const { url } = await startService(store, { env: { ROLES: 'serve', ETHEREUM_RPC_URL: node.url } })
  const found = async (text: string) => {
    const response = await fetch(`${url}/public/control/search?q=${encodeURIComponent(text)}`)
    const { data } = (await response.json()) as { data: { names: unknown; isComplete: boolean } }
    return { names: data.names, isComplete: data.isComplete }
  }
  const meadow = { name: 'meadow.eth', chainId: 1, chainSlug: 'ethereum', address: OWNER }
  assert.deepEqual(await found('Meadow.eth'), { names: [meadow], isComplete: true })
  for (const text of ['unknown.eth', 'empty.eth', 'offchain.eth', 'meadow'])
    assert.deepEqual(await found(text), { names: [], isComplete: true }, text)
})

test('a registry is configured or turned off', { skip: anvilMissing }, async () => {
  const { url } = await nodeWithNames(OTHER_REGISTRY)
  const resolverOf = (settings: { readonly ensRegistry?: string; readonly rpcUrls?: readonly string[] }) => {
    const ethereum = { rpcUrls: [url], ...settings }
    const resolver = createNameResolver({ timing: systemTiming, report: () => {} }, { ethereum } as never)
    after(resolver.close)
    return resolver
  }
  const names = [{ name: 'meadow.eth', chainId: 1, address: OWNER }]
  assert.deepEqual(await resolverOf({ ensRegistry: OTHER_REGISTRY }).resolve('meadow.eth'), { names, isComplete: true })
  for (const settings of [{}, { ensRegistry: 'none' }])
    assert.deepEqual(await resolverOf(settings).resolve('meadow.eth'), { names: [], isComplete: true })
  const unreachable = resolverOf({ ensRegistry: OTHER_REGISTRY, rpcUrls: ['http://127.0.0.1:1'] })
  assert.deepEqual(await unreachable.resolve('meadow.eth'), { names: [], isComplete: false })
})
