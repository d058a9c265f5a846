/**
 * Collects requests of one turn of the event loop and makes them in one batch. `load` receives at most `most` keys and
 * returns their values in order. Its error rejects every request of the batch.
 */
export function createBatcher<K, V>(
  most: number,
  load: (keys: readonly K[]) => Promise<readonly V[]>,
): (key: K) => Promise<V> {
  type Pending = {
    readonly key: K
    readonly resolve: (value: V) => void
    readonly reject: (error: unknown) => void
  }
  let pending: Pending[] = []

  const run = async (batch: readonly Pending[]): Promise<void> => {
    try {
      const values = await load(batch.map(({ key }) => key))
      batch.forEach(({ resolve }, at) => resolve(values[at] as V))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
  const flush = (): void => {
    const batch = pending
    pending = []
    if (batch.length > 0) void run(batch)
  }

  return (key) =>
    new Promise((resolve, reject) => {
      if (pending.length === 0) setImmediate(flush)
      pending.push({ key, resolve, reject })
      if (pending.length === most) flush()
    })
}
