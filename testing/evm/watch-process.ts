/** A process with only the `watch` role. Arguments are chains as `id=url`; DATABASE_URL is the database. */

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
