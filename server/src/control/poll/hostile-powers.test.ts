/** Powers of code that is built to break the analysis: the answer is "unknown" or true, never "guarded" without a guard. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Hex } from '../../lib/hex.ts'
import { createCodeAnalyzer } from './code-analyzer.ts'

const analyzer = createCodeAnalyzer()
after(() => analyzer.close())

const MINT = '40c10f19'
const OWNER = 'ab'.repeat(20)
/** The first four bytes of the input on the stack. */
const SELECTOR = '60003560e01c'
/** Stores the first argument and stops. */
const STORE = '60043560005500'

/** Code with jump destinations by name: `:name` is a destination, `@name` pushes it. */
function assembled(...parts: readonly string[]): Hex {
  const sizeOf = (part: string): number => (part.startsWith(':') ? 1 : part.startsWith('@') ? 3 : part.length / 2)
  const places = new Map<string, number>()
  let at = 0
  for (const part of parts) {
    if (part.startsWith(':')) places.set(part.slice(1), at)
    at += sizeOf(part)
  }
  const bytes = parts.map((part) => {
    if (part.startsWith(':')) return '5b'
    return part.startsWith('@') ? `61${(places.get(part.slice(1)) ?? 0).toString(16).padStart(4, '0')}` : part
  })
  return `0x${bytes.join('')}`
}

const accessOf = async (code: Hex): Promise<string | undefined> =>
  (await analyzer.analyze(code)).powers.functions.find(({ selector }) => selector === `0x${MINT}`)?.access

test('a guard that no path reaches does not count', async () => {
  const guard = ['33', `73${OWNER}`, '14', '@go', '57', '60006000fd']
  const code = assembled(SELECTOR, `63${MINT}14`, '@go', '57', '00', ':go', STORE, ...guard)
  assert.equal(await accessOf(code), 'every caller')
})

test('a guard behind a dispatcher by binary search is found', async () => {
  const branch = '80635000000011' // DUP1, PUSH4 0x50000000, GT
  const dispatcher = [SELECTOR, branch, '@low', '57', '00', ':low', `8063${MINT}14`, '@mint', '57', '00']
  const mint = [':mint', `3373${OWNER}14`, '@go', '57', '60006000fd', ':go', STORE]
  const code = assembled(...dispatcher, ...mint)
  assert.equal(await accessOf(code), `account 0x${OWNER}`)
})

test('code that jumps where its input says is not followed to its end', async () => {
  const { powers } = await analyzer.analyze(assembled('600035', '56', ':a', STORE, ':b', '33ff'))
  assert.ok(!powers.settled || powers.powers.length > 0, JSON.stringify(powers))
})

test('functions whose addresses are in a table of the code are not known, as in code written by hand', async () => {
  // The third byte of the selector is the place in the table: CODECOPY of two bytes to the end of a word, then a jump.
  const table = [SELECTOR, '60081c', '600f16', '600102', '@table', '01', '6002', '90', '601e', '39', '600051', '56']
  const mint = [':mint', `3373${OWNER}14`, '@go', '57', '60006000fd', ':go', STORE]
  const { powers } = await analyzer.analyze(assembled(...table, ...mint, ':table', '0000002e'))
  assert.deepEqual([powers.settled, powers.powers], [false, []])
})

test('a guard after the change counts, because a call that reverts changes nothing', async () => {
  const guard = ['33', `73${OWNER}`, '14', '@end', '57', '60006000fd', ':end', '00']
  const code = assembled(SELECTOR, `63${MINT}14`, '@go', '57', '00', ':go', '600435600055', ...guard)
  assert.equal(await accessOf(code), `account 0x${OWNER}`)
})

test('branches whose paths cannot all be followed end with an answer that hides nothing', async () => {
  // Each branch leaves another value on the stack.
  const branches = Array.from({ length: 400 }, (_, n) => [
    '5a600116', // the gas that is left is odd
    `@b${n}`,
    '57',
    '6001',
    `@c${n}`,
    '56',
    `:b${n}`,
    '6002',
    `:c${n}`,
  ])
  const hurried = createCodeAnalyzer({ processes: 1, budget: { cpuMs: 500 } })
  after(() => hurried.close())
  const { powers } = await hurried.analyze(assembled(...branches.flat(), '50', STORE))
  const isOpen = powers.functions.every(({ access }) => access === 'every caller')
  assert.ok(!powers.settled || isOpen, JSON.stringify(powers).slice(0, 500))
})

test('jump destinations and junk of the largest size end with an answer', async () => {
  const { powers } = await analyzer.analyze(`0x${'5b'.repeat(24_576)}`)
  assert.deepEqual([powers.powers, powers.settled], [[], true])
  for (const seed of [1, 2, 3]) {
    let state = seed
    const next = (): string => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
      return ((state >> 16) & 0xff).toString(16).padStart(2, '0')
    }
    const found = await analyzer.analyze(`0x60${Array.from({ length: 24_575 }, next).join('')}`)
    assert.equal(
      found.powers.powers.some(({ guards, unknown }) => guards.length === 0 && unknown === undefined),
      false,
    )
  }
})
