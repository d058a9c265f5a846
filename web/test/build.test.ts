/** The size and content of the built page. */
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const DIST = join(import.meta.dirname, '..', 'dist')
const MAX_BYTES = 200_000

test('the first page needs less than 200 kB of compressed JavaScript', () => {
  const page = readFileSync(join(DIST, 'index.html'), 'utf8')
  const scripts = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path = '']) => path)
  assert.notEqual(scripts.length, 0)
  const bytes = scripts.reduce((sum, path) => sum + statSync(join(DIST, `${path}.gz`)).size, 0)
  assert.ok(bytes < MAX_BYTES, `${bytes} bytes`)
})

test('the page has no inline script or style, and loads nothing from other hosts', () => {
  const page = readFileSync(join(DIST, 'index.html'), 'utf8')
  assert.doesNotMatch(page, /<script>|<style|style="|https?:/)
})
