/** A process that opens a store for reading and counts its rows on every message. */
import { openLmdbKv } from '../../server/src/coins/index/kv-lmdb.ts'

const kv = openLmdbKv({ path: process.argv[2] ?? '', readOnly: true })
process.on('message', () => {
  const snapshot = kv.snapshot()
  const count = [...snapshot.range('txs', {})].length
  snapshot.close()
  process.send?.(count)
})
process.send?.('ready')
