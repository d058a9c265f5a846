import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { billOfMaterials } from './sbom.mjs'

const root = join(import.meta.dirname, '..')
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { version?: string; link?: boolean; integrity?: string; dev?: boolean; name?: string }>
}

test('the bill of materials has every package of the lock file once, with its hash', () => {
  const { bomFormat, specVersion, components, dependencies } = billOfMaterials(lock)
  assert.deepEqual([bomFormat, specVersion], ['CycloneDX', '1.6'])
  const locked = Object.entries(lock.packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && link !== true,
  )
  const expected = new Set(
    locked.map(([path, { name, version }]) => `${name ?? path.split('node_modules/').at(-1)}@${version}`),
  )
  const refs = components.map((component) => component['bom-ref'])
  assert.equal(new Set(refs).size, refs.length)
  assert.deepEqual(new Set(refs.map((ref) => ref.replace('pkg:npm/', '').replace('%40', '@'))), expected)
  const hashed = components.filter(({ hashes }) => hashes !== undefined)
  assert.ok(hashed.length > components.length / 2)
  for (const { hashes = [] } of hashed)
    for (const { alg, content } of hashes) assert.match(`${alg} ${content}`, /^SHA-(512 [\da-f]{128}|1 [\da-f]{40})$/)
  const known = new Set(refs)
  for (const { ref, dependsOn } of dependencies)
    assert.ok(known.has(ref) && dependsOn.every((each) => known.has(each)), ref)
})

test('the bill of production leaves out what only development needs, and names what the server depends on', () => {
  const refs = new Set(billOfMaterials(lock, { production: true }).components.map(({ name }) => name))
  for (const name of ['fastify', 'pg', 'better-auth']) assert.ok(refs.has(name), name)
  for (const name of ['biome', 'oxlint', 'knip']) assert.ok(!refs.has(name), name)
  const { dependencies } = billOfMaterials(lock)
  const fastify = dependencies.find(({ ref }) => ref.startsWith('pkg:npm/fastify@'))
  assert.ok(fastify?.dependsOn.some((ref) => ref.startsWith('pkg:npm/find-my-way@')))
})
