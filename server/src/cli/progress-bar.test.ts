import assert from 'node:assert/strict'
import { test } from 'node:test'
import { progressBar, type Screen } from './progress-bar.ts'

function open(isTTY: boolean, columns = 80) {
  let [now, text] = [0, '']
  const screen: Screen = { isTTY, columns, write: (part: string | Uint8Array) => ((text += part), true) }
  const bar = progressBar({ clock: { now: () => now }, screen })
  const at = (ms: number, done: number, note?: string): void => {
    now = ms
    bar.show({ label: 'base: history', done, total: 20_000, unit: 'blocks', ...(note === undefined ? {} : { note }) })
  }
  return { at, end: bar.end, text: () => text }
}

test('off a terminal: a line every five seconds, and one at the end', () => {
  const { at, end, text } = open(false)
  at(0, 1_000)
  at(1_000, 2_000)
  at(5_000, 6_000, '12 events')
  at(5_100, 20_000)
  end()
  assert.deepEqual(text().split('\n'), [
    'base: history: 5 %, 0 blocks/s, waiting',
    'base: history: 30 %, 1,000 blocks/s, 14 s left, 12 events',
    'base: history: 100 %, 3,725 blocks/s, done',
    '',
  ])
})

test('on a terminal: one line that is overwritten, never wider than the window', () => {
  const { at, end, text } = open(true)
  at(0, 0)
  at(50, 1)
  at(1_000, 5, 'a note that does not fit into the rest of the line')
  end()
  const lines = text().split('\r\u001b[2K')
  assert.equal(lines.length, 3)
  assert.match(lines[1] ?? '', /^\[\.{24}\] base: history: 0 %/)
  assert.match(lines[2] ?? '', /1 h 6 min left/)
  assert.ok(lines.every((line) => line.trimEnd().length < 80))
  assert.ok(text().endsWith('\n'))
})

test('on a terminal that does not know its width the line is whole', () => {
  const { at, text } = open(true, 0)
  at(0, 0, '12 events')
  assert.match(text(), /waiting, 12 events$/)
})
