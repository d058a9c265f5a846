import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namePart } from './path-part.ts'

/** As wouter gives the parts of a path. */
const routed = (name: string) => decodeURI(encodeURIComponent(name))

test('any name survives the address bar', () => {
  for (const name of ['aave', '100% Finance', 'a/b?c#d', 'Großbank 🐻', 'שלום'])
    assert.equal(namePart(routed(name)), name)
})
