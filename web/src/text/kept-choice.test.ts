import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findChoice, keepChoice } from './kept-choice.ts'

/** Runs `use` with a browser's storage. */
function withStorage(get: () => unknown, use: () => void): void {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'localStorage')
  Object.defineProperty(globalThis, 'localStorage', { configurable: true, get })
  try {
    use()
  } finally {
    if (before === undefined) Reflect.deleteProperty(globalThis, 'localStorage')
    else Object.defineProperty(globalThis, 'localStorage', before)
  }
}

const blocked = (): never => {
  throw new DOMException('Access is denied', 'SecurityError')
}

test('a choice is kept by the browser', () => {
  const stored = new Map<string, string>()
  const storage = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
    removeItem: (name: string) => stored.delete(name),
  }
  withStorage(
    () => storage,
    () => {
      keepChoice('unit', 'sat')
      assert.deepEqual([findChoice('unit'), stored.get('unit')], ['sat', 'sat'])
      keepChoice('unit', undefined)
      assert.deepEqual([findChoice('unit'), stored.size], [undefined, 0])
    },
  )
})

test('a browser that blocks storage, or has none, forgets a choice with the page', () => {
  for (const storage of [blocked, () => null])
    withStorage(storage, () => {
      assert.equal(findChoice('unit'), undefined)
      keepChoice('unit', 'sat')
      assert.equal(findChoice('unit'), 'sat')
      keepChoice('unit', undefined)
      assert.equal(findChoice('unit'), undefined)
    })
})
