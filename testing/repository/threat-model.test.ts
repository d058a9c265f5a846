/** Checks that docs/threat-model.md cites existing tests, at least one for every attack. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { REMOVALS } from '../defenses/removals.ts'
import { REPOSITORY } from '../support/service.ts'

const page = readFileSync(join(REPOSITORY, 'docs', 'threat-model.md'), 'utf8')
const titlesIn = (text: string): readonly string[] => [...text.matchAll(/“([^”]+)”/g)].map(([, title]) => title ?? '')

/** The attacks, each with the titles of the tests that show the defense. */
const attacks = (page.split('## Attacks and defenses')[1]?.split('\n## ')[0] ?? '')
  .split('\n')
  .filter((line) => line.startsWith('| **'))
  .map((line) => {
    const [, attack = '', , shownBy = ''] = line.split('|')
    return { attack: attack.trim(), titles: titlesIn(shownBy) }
  })

test('every test that the threat model cites exists', () => {
  const cited = titlesIn(page).filter((title) => title !== 'quotes')
  assert.ok(cited.length > 40)
  const sources = globSync('{server,web,demo,testing,vocabulary}/**/*.test.ts', {
    cwd: REPOSITORY,
    exclude: (name) => name.includes('node_modules'),
  }).map((file) => readFileSync(join(REPOSITORY, file), 'utf8').replaceAll(/\s+/g, ' '))
  // A citation is a whole title, of a test or in a table of tests, not a part of another title or of a comment.
  const isTitle = (title: string) => (text: string) =>
    ['test(', 'test( ', ', '].some((before) =>
      ["'", '"', '`'].some((quote) => text.includes(`${before}${quote}${title}${quote}`)),
    )
  assert.deepEqual(
    cited.filter((title) => !sources.some(isTitle(title))),
    [],
  )
})

test('every attack has a test of its defense', () => {
  assert.ok(attacks.length > 20)
  assert.deepEqual(
    attacks.filter(({ titles }) => titles.length === 0).map(({ attack }) => attack),
    [],
  )
})

test('every attack has a defense whose removal is tried, and every removal fits the files', () => {
  const names = attacks.map(({ attack }) => /\*\*(.+?)\*\*/.exec(attack)?.[1] ?? '')
  assert.deepEqual(
    names.filter((name) => !REMOVALS.some(({ attack }) => attack === name)),
    [],
    'attacks without a removal',
  )
  for (const { attack, file, find, title, testFile } of REMOVALS) {
    const row = attacks.find((each) => each.attack.includes(`**${attack}**`))
    assert.ok(row, `no row for ${attack}`)
    assert.ok(row.titles.includes(title), `${attack} does not cite “${title}”`)
    const occurrences = readFileSync(join(REPOSITORY, file), 'utf8').split(find).length - 1
    assert.equal(occurrences, 1, `${file}: ${find}`)
    assert.ok(readFileSync(join(REPOSITORY, testFile), 'utf8').includes(title.slice(0, 20)), `${testFile}: ${title}`)
  }
})
