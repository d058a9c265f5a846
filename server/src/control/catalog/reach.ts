/**
 * Which events are worth looking for on contracts nobody registered, and why.
 *
 * A filter without addresses returns the logs of a whole chain, so it holds only what is rare and telling. Everything
 * else is read from contracts under watch alone.
 */

/** Key → why it is looked for everywhere. */
export const CHAINWIDE: Readonly<Record<string, string>> = {}

export const CHAINWIDE_KEYS: readonly string[] = Object.keys(CHAINWIDE)
