/** A process with the `watch` role and nothing else: chains as `id=url` arguments, the database in DATABASE_URL. */

import { watchChains } from '../../server/src/control/watch/watch-chains.ts'
import { createLogger } from '../../server/src/lib/log.ts'
import { openDatabase } from '../../server/src/platform/database.ts'
import { catalog, chainOf } from './watching.ts'

const log = createLogger({ level: 'warn' })
const database = openDatabase({ url: process.env.DATABASE_URL ?? '', log })
watchChains(
  { database, log, catalog },
  process.argv.slice(2).map((given) => {
    const [id, url] = given.split('=') as [string, string]
    return {
      chain: chainOf(Number(id)),
      rpcUrls: [url],
      startBlock: 0,
      confirmations: 0,
      pollMs: 50,
      verifyDelayMs: 500,
    }
  }),
)
console.log('watching')
