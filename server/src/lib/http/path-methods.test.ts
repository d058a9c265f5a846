import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPathMethods } from './path-methods.ts'

test('the methods of a path are those of every pattern that matches it', () => {
  const paths = createPathMethods()
  paths.add('/analyze/:address', ['GET'])
  paths.add('/analyze/batch', ['POST'])
  paths.add('/a.b', ['GET'])
  assert.deepEqual(paths.of('/analyze/batch'), ['GET', 'POST'])
  assert.deepEqual(paths.of('/analyze/x'), ['GET'])
  assert.deepEqual(paths.of('/analyze/x/y'), [])
  assert.deepEqual(paths.of('/axb'), [])
})
