/** A fresh machine may have an older Node than the one that the bootstrap installs. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../testing/support/temporary-folder.ts'

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }

const program = (path: string, lines: string): void => {
  writeFileSync(path, `#!/bin/sh\n${lines}\n`)
  chmodSync(path, 0o755)
}

for (const shell of ['sh', 'bash'])
  for (const [name, script] of Object.entries(scripts).filter(([, text]) => text.includes('bootstrap.mjs test &&')))
    test(`npm run ${name} uses the Node that was just installed, in ${shell}`, () => {
      const folder = temporaryFolder()
      const [fresh, old] = [join(folder, 'fresh'), join(folder, 'old')]
      for (const bin of [fresh, old]) mkdirSync(bin)
      program(join(folder, 'installed'), 'echo new')
      program(join(old, 'node'), `echo old; cp ${join(folder, 'installed')} ${join(fresh, 'node')}`)
      const PATH = [fresh, old, '/usr/bin', '/bin'].join(delimiter)
      assert.equal(execFileSync(shell, ['-c', script], { env: { PATH }, encoding: 'utf8' }), 'old\nnew\n')
    })
