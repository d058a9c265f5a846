/** Lets one piece of work at a time have something; the next begins when the last is over, however it ended. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>

export function takeTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => {})
    return turn
  }
}
