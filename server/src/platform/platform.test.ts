import assert from 'node:assert/strict'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../../testing/support/temporary-folder.ts'
import { createDataFolder } from './platform.ts'

test('the data folder is created with the folders above it, for its owner only', () => {
  const path = join(temporaryFolder(), 'a', 'b')
  createDataFolder(path)
  createDataFolder(path)
  assert.equal(statSync(path).mode & 0o066, 0)
})

test('a data folder where nothing can be created is refused', {
  skip: existsSync('/proc/self') ? false : 'this system has no /proc',
}, () => {
  assert.throws(
    () => createDataFolder('/proc/gatewatch/data'),
    /DATA_DIR: \/proc\/gatewatch\/data is not a writable folder/,
  )
})
