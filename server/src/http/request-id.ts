import { randomBytes } from 'node:crypto'

/** Ids that are unique over processes and restarts: a random beginning for this process, then a count. */
export function requestIds(): () => string {
  const process = randomBytes(6).toString('hex')
  let count = 0
  return () => `${process}-${(++count).toString(36)}`
}
