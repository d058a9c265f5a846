import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from '../lib/log.ts'
import { openDatabase } from './database.ts'

test('a broken idle connection is logged once, and not while the pool closes', async () => {
  const lines: string[] = []
  const log = createLogger({ level: 'info', destination: { write: (line: string) => void lines.push(line) } })
  const database = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none', log })
  const broken = Object.assign(new Error('terminating connection'), { code: '57P01', client: { of: 'much' } })
  database.emit('error', broken)
  await database.end()
  database.emit('error', broken)
  assert.deepEqual(
    lines.map((line) => ({ ...(JSON.parse(line) as object), time: 0 })),
    [
      {
        level: 40,
        time: 0,
        code: '57P01',
        reason: 'terminating connection',
        msg: 'a database connection broke; the next query opens another',
      },
    ],
  )
})
