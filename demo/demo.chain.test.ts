/** The printed curl lines work at once, even if the other parts were ready earlier, and the indexes can be verified. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { parseConfig } from '../server/src/config/config.ts'
import { missingLitecoind } from '../testing/coins/litecoind.ts'
import { curlCommands } from '../testing/exclusive/demo-pages.ts'
import { createTestDatabase } from '../testing/support/database.ts'
import { keepSecretOfTest, testLog } from '../testing/support/log.ts'
import { freePort } from '../testing/support/port.ts'
import { AUTH_SECRET, signIn, spawnGatewatch } from '../testing/support/service.ts'
import { temporaryFolder } from '../testing/support/temporary-folder.ts'
import { startDemo } from './demo.ts'

/** litecoind where it is installed, otherwise a recorded chain. */
const LITECOINS = [
  { hasLitecoind: true, skip: missingLitecoind() },
  { hasLitecoind: false, skip: false },
] as const

for (const { hasLitecoind, skip } of LITECOINS)
  test(`every coin curl line works as soon as it is printed, both indexes verify, and webhooks stay public ${hasLitecoind ? 'with' : 'without'} litecoind`, {
    skip,
  }, async () => {
    const { url: databaseUrl } = await createTestDatabase()
    const env = { PORT: String(await freePort()), DATABASE_URL: databaseUrl, AUTH_SECRET, DATA_DIR: temporaryFolder() }
    const { promise, resolve: print } = Promise.withResolvers<string>()
    const demo = await startDemo({
      config: { ...parseConfig(env, '/'), demo: true },
      log: testLog,
      print,
      // Contracts take longest to start. Without them the coin chains are the last to be ready.
      missing: [{ what: 'contracts', reason: 'anvil is not needed here' }],
      hasLitecoind,
    })
    after(demo.stop)
    const printed = await promise
    const [, password = ''] = /Sign in\s+\S+\s+(\S+)/.exec(printed) ?? []
    const [key = ''] = /utxo_live_[\w-]{43}/.exec(printed) ?? []
    for (const secret of [password, key]) keepSecretOfTest(secret)
    const urls = curlCommands(printed).map((line) => /'(http[^']*)'$/.exec(line)?.[1] ?? line)
    assert.equal(urls.length, 3)
    for (const url of urls) {
      const response = await fetch(url, { headers: { 'x-api-key': key } })
      assert.equal(response.status, 200, `${url}: ${await response.text()}`)
    }
    // Webhooks reach no private address but the demo's own receiver.
    const { url } = demo
    const cookie = await signIn({ ...demo, url }, { id: '', email: 'demo@gatewatch.example', password })
    for (const target of ['http://127.0.0.1:22222/', 'http://10.0.0.1/', 'http://169.254.169.254/']) {
      const refused = await fetch(`${url}/me/channels/webhook`, {
        method: 'PUT',
        headers: { cookie, origin: url, 'content-type': 'application/json' },
        body: JSON.stringify({ url: target }),
      })
      assert.equal(refused.status, 400, target)
    }
    // Another process verifies the indexes while the demo writes them.
    for (const chain of ['btc', 'ltc']) {
      const verification = spawnGatewatch(['verify', chain], { env, cwd: temporaryFolder() })
      const { code } = await verification.exit
      assert.equal(code, 0, verification.output())
      assert.match(verification.output(), /The index matches the node/)
    }
  })
