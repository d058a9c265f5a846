import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LABELS } from '../../vocabulary/labels.ts'
import { assemble } from './assemble.ts'
import { CAUSES } from './case.ts'
import { CASES, instancesOf, TWINS } from './cases.ts'

/** The fewest tricks that each cause must have. */
const FEWEST = 20

test('every case and every twin has a name of its own', () => {
  const names = [...CASES, ...TWINS].map(({ name }) => name)
  assert.deepEqual(
    names.filter((name, at) => names.indexOf(name) !== at),
    [],
  )
})

test('every cause has enough tricks and at least one honest twin', () => {
  for (const cause of CAUSES) {
    const tricks = CASES.filter((entry) => entry.cause === cause).length
    assert.ok(tricks >= FEWEST, `${cause}: ${tricks} tricks`)
    assert.ok(
      TWINS.some((twin) => twin.cause === cause),
      `${cause}: no twin`,
    )
  }
  assert.ok(TWINS.length >= 20, `${TWINS.length} twins`)
})

test('every case allows the label unknown and never a green one', () => {
  for (const { name, truth } of CASES) {
    assert.ok(truth.includes('unknown'), name)
    assert.ok(!truth.includes('immutable') && !truth.includes('timelocked'), name)
    assert.ok(
      truth.every((label) => LABELS.includes(label)),
      name,
    )
  }
})

test('every twin names a case that exists', () => {
  const names = CASES.map(({ name }) => name)
  assert.deepEqual(
    TWINS.filter(({ twinOf }) => twinOf !== undefined && !names.includes(twinOf)).map(({ name }) => name),
    [],
  )
})

test('a case is built once for each of its compiler settings', () => {
  const titles = instancesOf(CASES).map(({ title }) => title)
  assert.equal(new Set(titles).size, titles.length)
  assert.ok(titles.length > CASES.length * 2)
})

test('the assembler resolves labels before and after their use', () => {
  const code = assemble(':start @end JUMP 0x0102 :end @start JUMP #data &end data:0xff')
  assert.equal(code, '0x5b610008566101025b610000560008ff')
})
