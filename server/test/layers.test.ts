/** The architecture as a test: who may import whom (docs/architecture.md). */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'

const SOURCE = join(import.meta.dirname, '..', 'src')

/** A file imports from its own folder and from folders of lower rank. */
const RANKS: Readonly<Record<string, number>> = {
  lib: 0,
  config: 1,
  platform: 2,
  accounts: 3,
  traffic: 3,
  control: 4,
  coins: 4,
  http: 5,
  cli: 6,
  'main.ts': 6,
}

/** Stages of a product that import no other stage but those named; `watch`, `poll`, `alerts`, `index` and `api` join them. */
const JOINING = ['watch', 'poll', 'alerts', 'index', 'mempool', 'api']

/** Pure folders take time and randomness as arguments and do no input or output. */
const PURE = [
  'control/catalog',
  'control/profile',
  'control/badge',
  'coins/parse',
  'coins/fees',
  'coins/select',
  'coins/analyze',
]
const IMPURE_MODULES =
  /^(node:(fs|net|http|https|dns|child_process|timers|worker_threads|os)|pg|ioredis|fastify|lmdb|nodemailer)/

const KEPT_TO: readonly (readonly [RegExp, RegExp, string])[] = [
  [/^viem/, /^control\//, 'viem stays below control/'],
  [/^(lmdb|@scure\/base)/, /^coins\//, 'chain libraries for coins stay below coins/'],
  [/^(pg|pg-copy-streams)$/, /^(platform\/|[a-z]+\/store\/)/, 'the SQL driver stays in platform/ and */store/'],
  [/^better-auth/, /^accounts\//, 'better-auth stays in accounts/'],
]

type Import = { readonly from: string; readonly to: string }

const files = globSync('**/*.ts', { cwd: SOURCE }).filter((file) => !file.endsWith('.test.ts'))

const imports: readonly Import[] = files.flatMap((from) => {
  const text = readFileSync(join(SOURCE, from), 'utf8').replaceAll(/^import type .*$/gm, '')
  return [...text.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(([, module = '']) => ({
    from,
    to: module.startsWith('.') ? relative(SOURCE, join(SOURCE, dirname(from), module)) : module,
  }))
})
const inner = imports.filter(({ to }) => to.endsWith('.ts'))
const top = (file: string): string => file.split('/')[0] ?? ''
const stage = (file: string): string => file.split('/').slice(0, 2).join('/')
const shown = (wrong: readonly Import[]) => wrong.map(({ from, to }) => `${from} imports ${to}`)

test('every top folder has its rank', () => {
  assert.deepEqual(
    files.map(top).filter((name) => RANKS[name] === undefined),
    [],
  )
})

test('imports go down, never up, and the two products are strangers', () => {
  const wrong = inner.filter(
    ({ from, to }) =>
      top(from) !== top(to) &&
      (RANKS[top(to)] ?? 0) >= (RANKS[top(from)] ?? 0) &&
      top(from) !== 'main.ts' &&
      top(to) !== 'main.ts',
  )
  assert.deepEqual(shown(wrong), [])
})

test('inside a product only the joining stages import impure stages', () => {
  const isFree = (file: string) => JOINING.includes(file.split('/')[1] ?? '')
  const isSharedBelow = (file: string) =>
    [...PURE, 'control/chains', 'control/registry', 'coins/networks'].includes(stage(file))
  const wrong = inner.filter(
    ({ from, to }) =>
      ['control', 'coins'].includes(top(from)) &&
      top(from) === top(to) &&
      stage(from) !== stage(to) &&
      !isFree(from) &&
      !isSharedBelow(to) &&
      stage(from) !== `${top(from)}/store`,
  )
  assert.deepEqual(shown(wrong), [])
})

test('pure folders do no input or output', () => {
  const wrong = imports.filter(({ from, to }) => PURE.includes(stage(from)) && IMPURE_MODULES.test(to))
  assert.deepEqual(shown(wrong), [])
  const impure = files.filter(
    (file) =>
      PURE.includes(stage(file)) &&
      /\b(Date\.now|Math\.random|new Date\(\))/.test(
        readFileSync(join(SOURCE, file), 'utf8').replaceAll(/^\s*(\*|\/\/).*$/gm, ''),
      ),
  )
  assert.deepEqual(impure, [])
})

for (const [module, home, rule] of KEPT_TO) {
  test(rule, () => {
    assert.deepEqual(
      shown(imports.filter(({ from, to }) => module.test(to) && !to.endsWith('.ts') && !home.test(from))),
      [],
    )
  })
}

test('no file is called utils, and none has more than 500 lines', () => {
  assert.deepEqual(
    files.filter((file) => /utils?\.ts$/.test(file)),
    [],
  )
  const long = files.filter((file) => readFileSync(join(SOURCE, file), 'utf8').split('\n').length > 500)
  assert.deepEqual(long, [])
})
