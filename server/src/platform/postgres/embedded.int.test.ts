import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { Client } from 'pg'
import { testLog } from '../../../../testing/support/log.ts'
import { eventually } from '../../../../testing/support/receivers.ts'
import { temporaryFolder } from '../../../../testing/support/temporary-folder.ts'
import type { Logger } from '../../lib/log.ts'
import { joinEmbeddedPostgres } from './embedded.ts'
import { findPostmaster } from './postmaster.ts'

for (const [when, isStarted] of [
  ['is still stopping', false],
  ['has been started again', true],
] as const)
  test(`a process that leaves while the server ${when} leaves no server running`, async () => {
    const folder = temporaryFolder()
    const dataFolder = join(folder, 'postgres')
    const stopped = Promise.withResolvers<void>()
    const log = Object.create(testLog, { warn: { value: () => stopped.resolve() } }) as Logger
    const { leave } = await joinEmbeddedPostgres({ folder, log, settings: { fsync: 'off' } })
    const first = findPostmaster(dataFolder)?.pid ?? assert.fail()
    process.kill(first, 'SIGINT') // as an operator would stop it
    await stopped.promise
    if (isStarted) await eventually(() => ![first, undefined].includes(findPostmaster(dataFolder)?.pid) || undefined)
    await leave()
    await eventually(() => findPostmaster(dataFolder) === undefined || undefined)
  })

test('a data folder may have a comma, quotes and spaces in its name', async () => {
  const folder = join(temporaryFolder(), 'Dätä, "v1" it\'s')
  const { urlOf, leave } = await joinEmbeddedPostgres({ folder, log: testLog, settings: { fsync: 'off' } })
  const client = new Client({ connectionString: urlOf('postgres') })
  await client.connect()
  await client.end()
  await leave()
  assert.equal(findPostmaster(join(folder, 'postgres')), undefined)
})
