/** Enforces the import rules of docs/architecture.md over the whole repository. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { REPOSITORY } from '../support/service.ts'

/** A file imports from its own layer and from layers in earlier rows. Layers in one row do not import each other. */
const LAYERS: readonly (readonly string[])[] = [
  ['vocabulary', 'scripts', 'client'],
  ['server/src/lib'],
  ['server/src/config'],
  ['server/src/platform'],
  ['server/src/accounts', 'server/src/traffic'],
  ['server/src/control', 'server/src/coins'],
  ['server/src/http'],
  ['server/src/main.ts'],
  ['server/src/cli'],
  ['web'],
  ['testing'],
  ['demo'],
  ['bench'],
]

/** The stages of each product, ordered like the layers. */
const STAGES: readonly (readonly string[])[] = [
  ...[
    'chains',
    'catalog',
    'rpc',
    'registry',
    'code',
    'powers',
    'profile',
    'badge',
    'alerts',
    'feed',
    'poll',
    'policy',
    'pending',
    'watch',
    'views',
    'http',
  ].map((stage) => [`server/src/control/${stage}`]),
  ...[
    'networks',
    'parse',
    'descriptors',
    'node',
    'index',
    'mempool',
    'fees',
    'select',
    'analyze',
    'serve',
    'batches',
    'wallets',
    'subscriptions',
    'http',
  ].map((stage) => [`server/src/coins/${stage}`]),
]

/** Pure folders take time and randomness as arguments and do no input or output. */
const PURE = [
  'server/src/control/catalog',
  'server/src/control/code',
  'server/src/control/powers',
  'server/src/control/profile',
  'server/src/control/badge',
  'server/src/coins/parse',
  'server/src/coins/descriptors',
  'server/src/coins/fees',
  'server/src/coins/select',
  'server/src/coins/analyze',
]
const IMPURE_MODULES =
  /^(node:(fs|net|http|https|dns|child_process|timers|worker_threads|os)|pg|ioredis|fastify|lmdb|nodemailer)/

const RESTRICTED: readonly (readonly [RegExp, RegExp, string])[] = [
  [/^viem/, /^(control|accounts)\//, 'viem is used in control/ and accounts/ only'],
  [/^(lmdb|@scure\/base)/, /^coins\//, 'coin libraries are used in coins/ only'],
  [
    /^(pg|pg-copy-streams)$/,
    /^(platform|control|coins|accounts|traffic)\//,
    'the SQL driver is not used in routes or commands',
  ],
  [/^better-auth/, /^accounts\//, 'better-auth is used in accounts/ only'],
]

type Import = { readonly from: string; readonly to: string }

const files = globSync('{vocabulary,server/src,web/src,client,testing,demo,bench,scripts}/**/*.{ts,tsx,mjs}', {
  cwd: REPOSITORY,
  exclude: (name) => /node_modules|bench\/ponder\//.test(name),
}).filter((file) => !/\.test\.tsx?$/.test(file))

const read = (file: string): string => readFileSync(join(REPOSITORY, file), 'utf8')

const imports: readonly Import[] = files.flatMap((from) =>
  [...read(from).matchAll(/(?:from|import|import\()\s*'([^']+)'/g)].map(([, module = '']) => ({
    from,
    to: module.startsWith('.') ? join(dirname(from), module) : module,
  })),
)
/** The demo command loads the demo on request. No other part of the server imports it. */
const isDemoCommand = ({ from, to }: Import): boolean =>
  from === 'server/src/cli/commands/start.ts' && to === 'demo/demo.ts'
const internal = imports.filter((edge) => files.includes(edge.to) && !isDemoCommand(edge))
const shown = (wrong: readonly Import[]) => wrong.map(({ from, to }) => `${from} imports ${to}`)

const isIn = (file: string, folder: string): boolean => file === folder || file.startsWith(`${folder}/`)
const rowOf = (layers: readonly (readonly string[])[], file: string): number =>
  layers.findIndex((row) => row.some((folder) => isIn(file, folder)))
const layerOf = (layers: readonly (readonly string[])[], file: string): string | undefined =>
  layers.flat().find((folder) => isIn(file, folder))

function upward(layers: readonly (readonly string[])[]): readonly Import[] {
  return internal.filter(({ from, to }) => {
    const [here, there] = [layerOf(layers, from), layerOf(layers, to)]
    return here !== undefined && there !== undefined && here !== there && rowOf(layers, to) >= rowOf(layers, from)
  })
}

test('every file belongs to a layer', () => {
  assert.deepEqual(
    files.filter((file) => layerOf(LAYERS, file) === undefined),
    [],
  )
})

test('imports go to earlier layers only', () => {
  assert.deepEqual(shown(upward(LAYERS)), [])
})

test('every file of a product belongs to a stage', () => {
  const isStaged = (file: string) => /^server\/src\/(control|coins)\//.test(file)
  assert.deepEqual(
    files.filter((file) => isStaged(file) && layerOf(STAGES, file) === undefined),
    [],
  )
})

test('stages import from earlier stages only', () => {
  assert.deepEqual(shown(upward(STAGES)), [])
})

test('pure folders do no input or output', () => {
  const isPure = (file: string) => PURE.some((folder) => isIn(file, folder))
  assert.deepEqual(shown(imports.filter(({ from, to }) => isPure(from) && IMPURE_MODULES.test(to))), [])
  const withoutComments = (file: string) => read(file).replaceAll(/^\s*(\*|\/\/).*$/gm, '')
  assert.deepEqual(
    files.filter((file) => isPure(file) && /\b(Date\.now|Math\.random|new Date\(\))/.test(withoutComments(file))),
    [],
  )
})

for (const [module, home, rule] of RESTRICTED) {
  test(rule, () => {
    const wrong = imports.filter(
      ({ from, to }) => isIn(from, 'server/src') && module.test(to) && !home.test(from.slice('server/src/'.length)),
    )
    assert.deepEqual(shown(wrong), [])
  })
}

test('no file is called utils, and none has more than 500 lines', () => {
  assert.deepEqual(
    files.filter((file) => /utils?\.tsx?$/.test(file)),
    [],
  )
  const isGenerated = (file: string) => file === 'client/src/schema.ts'
  assert.deepEqual(
    files.filter((file) => !isGenerated(file) && read(file).split('\n').length > 500),
    [],
  )
})
