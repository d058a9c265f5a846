/** The presets, and the operator's file of chains. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as viemChains from 'viem/chains'
import { temporaryFolder } from '../../../testing/support/temporary-folder.ts'
import { PRESETS } from './chain-definitions.ts'
import { ConfigError, EVM_CHAINS, parseConfig } from './config.ts'

const folder = temporaryFolder()
const CHAIN = { id: 31_337, slug: 'my-chain', name: 'Mine', explorer: 'https://x.example/', blockTimeMs: 1_000 }

function configWith(chains: readonly object[], env: Readonly<Record<string, string>> = {}) {
  writeFileSync(join(folder, 'chains.json'), JSON.stringify({ chains }))
  return parseConfig({ CHAINS_FILE: 'chains.json', ...env }, folder)
}

const faultsOf = (chains: readonly object[]): readonly string[] => {
  try {
    configWith(chains)
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.faults
  }
}

test('there are at least 25 presets, with the ids and explorers of viem', () => {
  assert.ok(PRESETS.length >= 25)
  const known = Map.groupBy(Object.values(viemChains) as viemChains.Chain[], (chain) => chain.id)
  for (const { id, slug, explorer, confirmations, reorgLimit } of PRESETS) {
    const explorers = known.get(id)?.map(({ blockExplorers }) => blockExplorers?.default.url.replace(/\/+$/, ''))
    assert.ok(explorers?.includes(explorer), slug)
    assert.ok(confirmations < reorgLimit / 10, slug)
    assert.ok(!EVM_CHAINS.some((builtIn) => builtIn === slug))
  }
  assert.equal(new Set(PRESETS.map(({ slug }) => slug)).size, PRESETS.length)
  assert.equal(new Set(PRESETS.map(({ id }) => id)).size, PRESETS.length)
})

test('a preset is off until its endpoint is set', () => {
  assert.deepEqual(parseConfig({}, folder).chains, [])
  const { chains, evmChains } = parseConfig({ WORLD_CHAIN_RPC_URL: 'https://rpc.example', GNOSIS_RPC_URL: '' }, folder)
  assert.deepEqual(
    chains.map(({ slug }) => slug),
    ['world-chain'],
  )
  assert.deepEqual(evmChains['world-chain']?.rpcUrls, ['https://rpc.example'])
  assert.throws(
    () => parseConfig({ WORLDCHAIN_RPC_URL: 'https://rpc.example' }, folder),
    /did you mean WORLD_CHAIN_RPC_URL/,
  )
})

test('the file adds chains, and replaces presets with the same slug or id', () => {
  const mine = { ...CHAIN, finality: 'finalized' }
  const { chains } = configWith([mine], { MY_CHAIN_RPC_URL: 'https://rpc.example' })
  assert.deepEqual(chains, [
    {
      ...CHAIN,
      explorer: 'https://x.example',
      confirmations: 0,
      finality: 'finalized',
      reorgLimit: 256,
      chainwideRange: 500,
    },
  ])
  const { definitions } = configWith([{ ...mine, id: 100 }])
  assert.deepEqual([definitions.length, definitions.some(({ slug }) => slug === 'gnosis')], [PRESETS.length, false])
})

test('a file may begin with a byte order mark', () => {
  const path = join(folder, 'marked.json')
  writeFileSync(path, `\uFEFF${JSON.stringify({ chains: [{ ...CHAIN, confirmations: 1 }] })}`)
  const { definitions } = parseConfig({ CHAINS_FILE: path }, folder)
  assert.ok(definitions.some(({ slug }) => slug === 'my-chain'))
})

test('a file that cannot work is refused by name', () => {
  const mine = { ...CHAIN, confirmations: 1 }
  assert.match(faultsOf([CHAIN])[0] ?? '', /chains\.0: must have confirmations, or the finality/)
  assert.match(faultsOf([{ ...mine, slug: 'Mine' }])[0] ?? '', /slug: must have 2 to 32 lower-case letters/)
  assert.match(faultsOf([{ ...mine, id: 2 ** 31 }])[0] ?? '', /chains\.0\.id/)
  assert.match(faultsOf([{ ...mine, explorer: 'javascript:alert(1)' }])[0] ?? '', /explorer: must be an http/)
  assert.match(faultsOf([{ ...mine, slug: 'base' }])[0] ?? '', /base is built in/)
  assert.match(faultsOf([{ ...mine, slug: 'btc' }])[0] ?? '', /btc is built in/)
  assert.match(faultsOf([{ ...mine, aliasedFrom: mine.id }])[0] ?? '', /aliasedFrom: must be another chain/)
  assert.match(faultsOf([mine, { ...mine, slug: 'other' }])[0] ?? '', /the id 31337 is there twice/)
  assert.deepEqual(faultsOf([{ ...mine, colour: 1 }]), ['CHAINS_FILE: chains.0.colour: is not a known field'])
  assert.deepEqual(faultsOf([[]]), ['CHAINS_FILE: chains.0: must be an object'])
  assert.match(faultsOf([{ ...mine, blockTimeMs: '1' }])[0] ?? '', /chains\.0\.blockTimeMs: must be a number$/)
  assert.throws(() => parseConfig({ CHAINS_FILE: 'missing.json' }, folder), /CHAINS_FILE: cannot be read/)
})
