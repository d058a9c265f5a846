/** ENS names: a registry and a resolver on a real node, and the search of a whole service. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Hex } from 'viem'
import { type Anvil, anvilForTests, anvilMissing } from '../../../../testing/evm/anvil.ts'
import { MAINNET_REGISTRY, setName } from '../../../../testing/evm/ens-names.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { startService } from '../../../../testing/support/service.ts'
import { systemTiming } from '../../lib/clock.ts'
import { createNameResolver, ensNameOf } from './ens.ts'

const [OTHER_REGISTRY, GATEWAY] = ['a1', 'a3'].map((byte) => `0x${byte.repeat(20)}` as const) as [Hex, Hex]
const OWNER = `0x${'5e'.repeat(20)}` as const

/** Reverts, as a resolver that refers to a gateway does. */
const REVERTING = '0x5f5ffd'

async function nodeWithNames(registry: Hex): Promise<Anvil> {
  const node = await anvilForTests(1)
  await node.rpc('anvil_setCode', GATEWAY, REVERTING)
  await setName(node, 'meadow.eth', { registry, address: OWNER })
  await setName(node, 'empty.eth', { registry })
  await setName(node, 'offchain.eth', { registry, resolver: GATEWAY })
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
