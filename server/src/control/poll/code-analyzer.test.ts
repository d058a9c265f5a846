import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { after, test } from 'node:test'
import { temporaryFolder } from '../../../../testing/support/temporary-folder.ts'
import type { Hex } from '../../lib/hex.ts'
import { ownOptions } from './analysis-processes.ts'
import { inAnalysisContext } from './analysis-queue.ts'
import { CodeAnalysisPendingError, createCodeAnalyzer } from './code-analyzer.ts'

const analyzer = createCodeAnalyzer()
after(() => analyzer.close())

/** Return addresses on the stack at each of many jump destinations: the analysis keeps the stack of each. */
const stacked = (depth: number, destinations: number): Hex => `0x5b${'6000'.repeat(depth)}${'5b'.repeat(destinations)}`
/** Takes two seconds of CPU time. */
const LARGE = stacked(500, 12_000)
/** The same with another ending: code that no test analyzed before. */
const large = (n: number): Hex => `${LARGE}60${n.toString(16).padStart(2, '0')}`

test('the event loop runs while a large contract is analyzed', async () => {
  let turns = 0
  let isDone = false
  const count = (): void => {
    turns += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const facts = await analyzer.analyze(stacked(500, 3_000))
  isDone = true
  assert.equal(facts.effects.settled, true)
  assert.ok(turns > 10, `${turns} turns`)
})

test('the same code is analyzed once, also while the first analysis runs', async () => {
  const code: Hex = '0x60003560005500'
  const [first, second] = await Promise.all([analyzer.analyze(code), analyzer.analyze(code)])
  assert.equal(first, second)
  assert.equal(await analyzer.analyze(code), first)
  assert.equal(await analyzer.find(first.hash), first)
})

test('an analysis beyond its CPU time counts as code that was not followed, and the next one runs', async () => {
  const limited = createCodeAnalyzer({ processes: 1, budget: { cpuMs: 500 } })
  after(() => limited.close())
  const [slow, quick] = await Promise.all([limited.analyze(LARGE), limited.analyze('0x60003560005500')])
  assert.deepEqual([slow.effects.effects, slow.effects.settled, slow.effects.exceeded], [[], false, 'time'])
  assert.equal(quick.effects.exceeded, undefined)
})

test('an analysis that exhausts the heap ends its process, not the service', async () => {
  const limited = createCodeAnalyzer({ processes: 1, budget: { heapMb: 24 } })
  after(() => limited.close())
  assert.equal((await limited.analyze(stacked(1_000, 6_000))).effects.exceeded, 'memory')
  assert.equal((await limited.analyze('0x60003560005500')).effects.exceeded, undefined)
})

test('a result beyond its size counts as code that was not followed', async () => {
  const limited = createCodeAnalyzer({ processes: 1, budget: { resultBytes: 1_000 } })
  after(() => limited.close())
  const stores = Array.from({ length: 100 }, (_, n) => `61${n.toString(16).padStart(4, '0')}3555`).join('')
  assert.equal((await limited.analyze(`0x${`6001${stores}`.repeat(2)}`)).effects.exceeded, 'result')
})

/** So many checks of slots, and as many stores behind all of them. */
const checked = (count: number): Hex => {
  const hex = (number: number): string => number.toString(16).padStart(4, '0')
  const checks = Array.from({ length: count }, (_, n) => `61${hex(n)}541561${hex(count * 16)}57`).join('')
  const stores = Array.from({ length: count }, (_, n) => `600161${hex(1_000 + n)}55`).join('')
  return `0x${checks}${stores}${'5b'.repeat(count)}00`
}

test('a result with too many conditions counts as code that was not followed', async () => {
  const analyzer = createCodeAnalyzer({ processes: 1 })
  after(() => analyzer.close())
  const { effects } = (await analyzer.analyze(checked(60))).effects
  assert.deepEqual([effects.length, effects.at(-1)?.conditions.length], [60, 60])
  assert.equal((await analyzer.analyze(checked(80))).effects.exceeded, 'result')
})

test('an analysis process gets the options that run TypeScript, and none of the operator', () => {
  const hook = `--import=${new URL('../../../bin/strip-types.mjs', import.meta.url).href}`
  const options = `--inspect-brk --max-old-space-size=8192 ${hook} --disable-warning=ExperimentalWarning`
  assert.deepEqual(ownOptions(options), [hook, '--disable-warning=ExperimentalWarning'])
  assert.deepEqual(ownOptions(undefined), [])
})

test('an analysis process finds the compiled modules of the service, and nothing else of its environment', () => {
  const folder = temporaryFolder()
  const script = `import { enableCompileCache } from 'node:module'
    import { ownEnvironment } from ${JSON.stringify(new URL('./analysis-processes.ts', import.meta.url).href)}
    const before = ownEnvironment()
    enableCompileCache(${JSON.stringify(folder)})
    process.stdout.write(JSON.stringify([before, ownEnvironment()]))`
  const env = { PATH: process.env.PATH, AUTH_SECRET: 'secret' }
  const found = execFileSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8' })
  assert.deepEqual(JSON.parse(found), [{}, { NODE_COMPILE_CACHE: folder }])
})

test('the codes of one account do not delay those of another', async () => {
  const busy = createCodeAnalyzer({ processes: 1, budget: { cpuMs: 300 } })
  after(() => busy.close())
  const finished: string[] = []
  const analyze = (owner: string, code: Hex): Promise<unknown> =>
    inAnalysisContext({ owner }, () => busy.analyze(code)).then(() => finished.push(owner))
  await Promise.all([
    ...Array.from({ length: 3 }, (_, n) => analyze('mallory', large(n))),
    analyze('alice', '0x6001600255'),
  ])
  assert.ok(finished.indexOf('alice') <= 1, finished.join())
})

test('a caller that waits no longer gets an error, and the result later', async () => {
  const code = stacked(100, 2_000)
  const pending = inAnalysisContext({ owner: 'alice', waitUntil: Date.now() }, () => analyzer.analyze(code))
  const error = await pending.catch((thrown: unknown) => thrown)
  assert.ok(error instanceof CodeAnalysisPendingError)
  await error.analysis
  const again = await inAnalysisContext({ owner: 'alice', waitUntil: Date.now() }, () => analyzer.analyze(code))
  assert.equal(again.effects.exceeded, undefined)
})

test('a closed analyzer rejects what it did not finish', async () => {
  const closing = createCodeAnalyzer({ processes: 1 })
  const results = Promise.allSettled([closing.analyze(LARGE), closing.analyze('0x6001')])
  await closing.close()
  assert.deepEqual(
    (await results).map(({ status }) => status),
    ['rejected', 'rejected'],
  )
})
