import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chainToRelease, type WatchProcess } from './chain-assignment.ts'

const ALL = [1, 10, 56, 137, 8_453, 42_161]
const process = (holder: string, held: readonly number[], chainIds = ALL): WatchProcess => ({ holder, chainIds, held })

/** Releases and takes chains until nothing changes. Returns the number of moves. */
function settle(processes: readonly WatchProcess[]): {
  readonly after: readonly WatchProcess[]
  readonly moves: number
} {
  let current = processes
  for (let moves = 0; ; moves += 1) {
    const releasing = current.flatMap(({ holder }) => {
      const chain = chainToRelease(holder, current)
      return chain === undefined ? [] : { holder, chain }
    })
    assert.ok(releasing.length <= 1, 'two processes release at once')
    const [move] = releasing
    if (move === undefined) return { after: current, moves }
    assert.ok(moves < 100, 'chains wander')
    const taker = current
      .filter(({ holder, chainIds }) => holder !== move.holder && chainIds.includes(move.chain))
      .toSorted((a, b) => a.held.length - b.held.length)[0]
    current = current.map((one) =>
      one.holder === move.holder
        ? { ...one, held: one.held.filter((chain) => chain !== move.chain) }
        : one === taker
          ? { ...one, held: [...one.held, move.chain] }
          : one,
    )
  }
}

const counts = (processes: readonly WatchProcess[]): readonly number[] => processes.map(({ held }) => held.length)

test('a second process gets half of the chains, a third one a third', () => {
  const two = settle([process('a', ALL), process('b', [])])
  assert.deepEqual([counts(two.after), two.moves], [[3, 3], 3])
  assert.deepEqual(counts(settle([...two.after, process('c', [])]).after), [2, 2, 2])
})

test('chains that cannot be balanced stay where they are', () => {
  assert.equal(settle([process('a', [1]), process('b', [])]).moves, 0)
  assert.equal(settle([process('a', [1, 10]), process('b', [56])]).moves, 0)
  assert.equal(settle([process('a', ALL)]).moves, 0)
})

test('a chain is released only to a process configured for it', () => {
  const { after, moves } = settle([process('a', ALL), process('b', [], [56])])
  assert.deepEqual([counts(after), moves, after[1]?.held], [[5, 1], 1, [56]])
})

test('a process that is not registered releases nothing', () => {
  assert.equal(chainToRelease('gone', [process('a', ALL), process('b', [])]), undefined)
})
