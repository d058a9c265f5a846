/** Marks of the last write or call before a place in the code, by which reads of storage differ. */

/** The last call in an epoch: other code may have run since then. */
export function lastCallIn(epoch: string): string {
  const end = epoch.indexOf('/')
  return end < 0 ? epoch : epoch.slice(0, end)
}

/** The epoch where paths meet. The last call is still known if both have the same. */
export function joinedEpoch(epoch: string, other: string, node: number): string {
  if (epoch === other) return epoch
  const joined = `join${node}`
  if (epoch === joined) return epoch
  return lastCallIn(epoch) === lastCallIn(other) ? `${lastCallIn(epoch)}/${joined}` : joined
}
