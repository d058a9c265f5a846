/** Runs a copy of the scripts in an empty folder, where anvil is not installed. */
import assert from 'node:assert/strict'
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { temporaryFolder } from '../testing/support/temporary-folder.ts'
import type { findAnvil } from './anvil.mjs'

const folder = temporaryFolder()
mkdirSync(join(folder, 'scripts'))
for (const name of ['anvil.mjs', 'debian.mjs'])
  copyFileSync(join(import.meta.dirname, name), join(folder, 'scripts', name))
const copy = (await import(pathToFileURL(join(folder, 'scripts', 'anvil.mjs')).href)) as { findAnvil: typeof findAnvil }

function findOn(path: string): ReturnType<typeof findAnvil> {
  const usual = process.env.PATH
  process.env.PATH = path
  try {
    return copy.findAnvil()
  } finally {
    process.env.PATH = usual
  }
}

test('without anvil the reason says how to get it', () => {
  const found = findOn('/nowhere')
  assert.match('reason' in found ? found.reason : '', /^.*anvil.* \(.+\)$/)
})

test('without the npm package, the anvil on the PATH is used', () => {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'anvil'), '#!/bin/sh\n')
  chmodSync(join(bin, 'anvil'), 0o755)
  assert.deepEqual(findOn(`/nowhere${delimiter}${bin}`), { command: join(bin, 'anvil'), args: [], env: {} })
})
