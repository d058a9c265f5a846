/** Questions that come in one turn of the program, answered together. */

/** `answer` gets at most `most` keys and answers each in its ref; whatever it throws, all of them get. */
export function together<K, V>(
  most: number,
  answer: (keys: readonly K[]) => Promise<readonly V[]>,
): (key: K) => Promise<V> {
  type Waiting = {
    readonly key: K
    readonly resolve: (value: V) => void
    readonly reject: (error: unknown) => void
  }
  let waiting: Waiting[] = []

  const flush = async (group: readonly Waiting[]): Promise<void> => {
    try {
      const values = await answer(group.map(({ key }) => key))
      group.forEach(({ resolve }, at) => resolve(values[at] as V))
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }
  const next = (): void => {
    const group = waiting
    waiting = []
    if (group.length > 0) void flush(group)
  }

  return (key) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(next)
      waiting.push({ key, resolve, reject })
      if (waiting.length === most) next()
    })
}
