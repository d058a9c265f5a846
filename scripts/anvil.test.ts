/** Where anvil is looked for: beside the scripts, so a copy of them in an empty folder finds none. */
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

test('without anvil it is said how to get it', () => {
  const found = findOn('/nowhere')
  assert.match('reason' in found ? found.reason : '', /^.*anvil.* \(.+\)$/)
})

test('where ours cannot be had, the one that is installed is taken', () => {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'anvil'), '#!/bin/sh\n')
  chmodSync(join(bin, 'anvil'), 0o755)
  assert.deepEqual(findOn(`/nowhere${delimiter}${bin}`), { command: join(bin, 'anvil'), args: [], env: {} })
})
