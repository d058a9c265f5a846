/** What the demo prints can be used at once, however quickly the rest of it was ready. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { parseConfig } from '../server/src/config/config.ts'
import { curlLines } from '../testing/alone/demo-shown.ts'
import { missingLitecoind } from '../testing/coins/litecoind.ts'
import { createTestDatabase } from '../testing/support/database.ts'
import { keepSecretOfTest, testLog } from '../testing/support/log.ts'
import { freePort } from '../testing/support/port.ts'
import { AUTH_SECRET } from '../testing/support/service.ts'
import { temporaryFolder } from '../testing/support/temporary-folder.ts'
import { startDemo } from './demo.ts'

test('every line about coins answers as soon as it is printed', { skip: missingLitecoind() }, async () => {
  const { url: databaseUrl } = await createTestDatabase()
  const env = { PORT: String(await freePort()), DATABASE_URL: databaseUrl, AUTH_SECRET, DATA_DIR: temporaryFolder() }
  const { promise, resolve: print } = Promise.withResolvers<string>()
  const demo = await startDemo({
    config: { ...parseConfig(env, '/'), demo: true },
    log: testLog,
    print,
    // They take longest, and everything else would be ready before them.
    missing: [{ what: 'contracts', reason: 'anvil is not needed here' }],
  })
  after(demo.stop)
  const printed = await promise
  const [, password = ''] = /Sign in\s+\S+\s+(\S+)/.exec(printed) ?? []
  const [key = ''] = /utxo_live_[\w-]{43}/.exec(printed) ?? []
  for (const secret of [password, key]) keepSecretOfTest(secret)
  const urls = curlLines(printed).map((line) => /'(http[^']*)'$/.exec(line)?.[1] ?? line)
  assert.equal(urls.length, 3)
  for (const url of urls) {
    const answer = await fetch(url, { headers: { 'x-api-key': key } })
    assert.equal(answer.status, 200, `${url}: ${await answer.text()}`)
  }
})
