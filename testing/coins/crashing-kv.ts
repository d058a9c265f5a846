/** A store that dies at a chosen operation: everything of the running change is lost, and no further change begins. */
import type { Kv, KvWriter } from '../../server/src/coins/index/kv.ts'

export class Crash extends Error {}

export function crashingKv(kv: Kv, operations: number): Kv {
  let left = operations
  const spend = (): void => {
    if (--left < 0) throw new Crash('the process died here')
  }
  return {
    snapshot: kv.snapshot,
    write: (change) => {
      spend()
      return kv.write((writer: KvWriter) => {
        const result = change({
          ...writer,
          put: (...args) => {
            spend()
            writer.put(...args)
          },
          insert: (...args) => {
            spend()
            return writer.insert(...args)
          },
          delete: (...args) => {
            spend()
            return writer.delete(...args)
          },
        })
        // The last moment before the commit.
        spend()
        return result
      })
    },
    // A dead process closes nothing.
    close: () => Promise.resolve(),
  }
}
