/**
 * Checks that no pattern takes exponential time: none has an unbounded repetition inside another. The others are
 * quadratic at worst, on inputs of a few thousand characters.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseAst } from 'vite'
import { REPOSITORY } from '../support/service.ts'

/** Each dot begins a new part, and no part contains one, so that a text matches in one way only. */
const UNAMBIGUOUS = ['^(none|[a-z0-9_]+(\\.[a-z0-9_]+)+)$']

function* patternsIn(node: unknown): Generator<string> {
  if (typeof node !== 'object' || node === null) return
  const { regex } = node as { regex?: { pattern: string } }
  if (regex !== undefined) yield regex.pattern
  for (const child of Object.values(node)) yield* patternsIn(child)
}

/** Whether a group that contains `*`, `+` or `{n,}` is itself followed by one of them. */
function hasNestedRepetition(pattern: string): boolean {
  const plain = pattern.replace(/\\./gs, 'x').replace(/\[[^\]]*\]/g, 'x')
  const groups = [false]
  let last = false
  for (const [token] of plain.matchAll(/\(\?<?[:=!]|\(|\)|\*|\+|\{\d+,\}|[^]/g)) {
    if (token.startsWith('(')) groups.push(false)
    else if (token === ')') {
      last = groups.pop() ?? false
      groups.push((groups.pop() ?? false) || last)
    } else if (token === '*' || token === '+' || (token.startsWith('{') && token.length > 1)) {
      if (last) return true
      groups.splice(-1, 1, true)
    } else last = false
  }
  return false
}

test('nested repetitions are detected', () => {
  for (const pattern of ['(a+)+', '(?:x*y?)*', '((a|b+)c)+', '([a-z]+){2,}', '(?:a\\)+)+'])
    assert.ok(hasNestedRepetition(pattern), pattern)
  for (const pattern of ['a+b*', '(?:abc)+', '[a+]+', '(?:\\+x)+', '(a+)b+', '(?:\\S+ ){0,3}', '(?=a+)b'])
    assert.ok(!hasNestedRepetition(pattern), pattern)
})

test('no pattern of the server, client or web app has a nested repetition', () => {
  const files = globSync(['vocabulary/*.ts', 'server/src/**/*.ts', 'client/src/**/*.ts', 'web/src/**/*.{ts,tsx}'], {
    cwd: REPOSITORY,
  })
  let read = 0
  for (const file of files.filter((name) => !name.includes('.test.'))) {
    const source = readFileSync(join(REPOSITORY, file), 'utf8')
    const syntax = parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' })
    for (const pattern of patternsIn(syntax)) {
      read += 1
      assert.ok(UNAMBIGUOUS.includes(pattern) || !hasNestedRepetition(pattern), `${file}: /${pattern}/`)
    }
  }
  assert.ok(read > 100, `${read} patterns were found`)
})
