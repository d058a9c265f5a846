/** What a visitor's browser must load before anything is seen. */
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const DIST = join(import.meta.dirname, '..', 'dist')
const MOST_BYTES = 200_000

test('the first page needs less than 200 kB of compressed JavaScript', () => {
  const page = readFileSync(join(DIST, 'index.html'), 'utf8')
  const scripts = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path = '']) => path)
  assert.notEqual(scripts.length, 0)
  const bytes = scripts.reduce((sum, path) => sum + statSync(join(DIST, `${path}.gz`)).size, 0)
  assert.ok(bytes < MOST_BYTES, `${bytes} bytes`)
})

test('the page asks for nothing inline and nothing from elsewhere', () => {
  const page = readFileSync(join(DIST, 'index.html'), 'utf8')
  assert.doesNotMatch(page, /<script>|<style|style="|https?:/)
})
