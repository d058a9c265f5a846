import assert from 'node:assert/strict'
import { mkdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../testing/support/temporary-folder.ts'
import { linkPinnedNode } from './pinned-node.mjs'

const OURS = `node-${process.platform}-${process.arch}`

function modulesWith(name: string): string {
  const modules = temporaryFolder()
  mkdirSync(join(modules, '.bin'))
  mkdirSync(join(modules, name, 'bin'), { recursive: true })
  writeFileSync(join(modules, name, 'bin', 'node'), '')
  return modules
}
const linkIn = (modules: string): string => join(modules, '.bin', 'node')

test('an installed Node without a link gets linked', () => {
  const modules = modulesWith(OURS)
  assert.ok(linkPinnedNode(modules))
  assert.equal(readlinkSync(linkIn(modules)), `../${OURS}/bin/node`)
  assert.ok(linkPinnedNode(modules))
})

test('a dangling link to the Node of another architecture is replaced', () => {
  const modules = modulesWith(OURS)
  symlinkSync('../node-linux-s390x/bin/node', linkIn(modules))
  assert.ok(linkPinnedNode(modules))
  assert.equal(readlinkSync(linkIn(modules)), `../${OURS}/bin/node`)
})

test('without an installed Node for this architecture nothing is linked', () => {
  assert.ok(!linkPinnedNode(modulesWith('node-linux-s390x')))
})
