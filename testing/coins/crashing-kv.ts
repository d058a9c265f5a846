/** A store that crashes at a chosen operation: the current change is lost, and later changes fail. */
import type { Kv, KvWriter } from '../../server/src/coins/index/kv.ts'

export class Crash extends Error {}

export function crashingKv(kv: Kv, operations: number): Kv {
  let left = operations
  const count = (): void => {
    if (--left < 0) throw new Crash('simulated crash')
  }
  return {
    snapshot: kv.snapshot,
    write: (change) => {
      count()
      return kv.write((writer: KvWriter) => {
        const result = change({
          ...writer,
          put: (...args) => {
            count()
            writer.put(...args)
          },
          insert: (...args) => {
            count()
            return writer.insert(...args)
          },
          delete: (...args) => {
            count()
            return writer.delete(...args)
          },
        })
        // A crash just before the commit.
        count()
        return result
      })
    },
    // A crashed process closes nothing.
    close: () => Promise.resolve(),
  }
}
