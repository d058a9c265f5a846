/** The threat model cites tests that exist, for every way in. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { REPOSITORY } from '../support/service.ts'

const page = readFileSync(join(REPOSITORY, 'docs', 'threat-model.md'), 'utf8')
const titlesIn = (text: string): readonly string[] => [...text.matchAll(/“([^”]+)”/g)].map(([, title]) => title ?? '')

/** Each way in, and what is said to show its defence. */
const ways = (page.split('## Ways in')[1]?.split('\n## ')[0] ?? '')
  .split('\n')
  .filter((line) => line.startsWith('| **'))
  .map((line) => {
    const [, way = '', , shownBy = ''] = line.split('|')
    return { way: way.trim(), titles: titlesIn(shownBy) }
  })

test('every test the threat model cites is there', () => {
  const cited = titlesIn(page).filter((title) => title !== 'quotes')
  assert.ok(cited.length > 40)
  const sources = globSync('{server,web,demo}/**/*.test.ts', {
    cwd: REPOSITORY,
    exclude: (name) => name.includes('node_modules'),
  }).map((file) => readFileSync(join(REPOSITORY, file), 'utf8').replaceAll(/\s+/g, ' '))
  // A title stands whole, where a test begins or in a table of tests: not in a comment, nor within another title.
  const isTitle = (title: string) => (text: string) =>
    ['test(', 'test( ', ', '].some((before) =>
      ["'", '"', '`'].some((quote) => text.includes(`${before}${quote}${title}${quote}`)),
    )
  assert.deepEqual(
    cited.filter((title) => !sources.some(isTitle(title))),
    [],
  )
})

test('every way in has a test of its defence', () => {
  assert.ok(ways.length > 20)
  assert.deepEqual(
    ways.filter(({ titles }) => titles.length === 0).map(({ way }) => way),
    [],
  )
})
