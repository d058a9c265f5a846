import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from '../lib/log.ts'
import { databaseLocation, openDatabase } from './database.ts'

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

test('the location of a database has no user and no password', () => {
  assert.equal(databaseLocation('postgres://ann:secret@db.example:5432/gatewatch'), 'db.example:5432/gatewatch')
  assert.equal(databaseLocation('postgres:///gatewatch?host=/run/postgresql'), '/run/postgresql/gatewatch')
  assert.equal(
    databaseLocation('postgres://ann:secret@/gatewatch?host=%2Fsrv%2Fsocket&port=5'),
    '/srv/socket/gatewatch',
  )
  assert.equal(databaseLocation('postgres://ann:secret@'), 'DATABASE_URL')
})
