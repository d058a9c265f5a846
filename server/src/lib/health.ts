/** What keeps a part of this process from working. Every role reports its faults, for readiness, status and doctor. */

export type Fault = {
  /** The part that does not work: `ethereum`, `redis`. */
  readonly part: string
  readonly reason: string
  /** Milliseconds since the epoch. */
  readonly since: number
}
