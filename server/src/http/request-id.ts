import { randomBytes } from 'node:crypto'

/** Creates a generator of ids that are unique across processes and restarts: a random prefix per process and a counter. */
export function requestIds(): () => string {
  const process = randomBytes(6).toString('hex')
  let count = 0
  return () => `${process}-${(++count).toString(36)}`
}
