import type { Clock } from '../../server/src/lib/clock.ts'

/** A clock that only the test moves. */
export type TestClock = Clock & {
  readonly set: (instant: string | number) => void
  readonly advance: (ms: number) => void
}

export function testClock(instant: string): TestClock {
  let now = Date.parse(instant)
  return {
    now: () => now,
    set: (to) => {
      now = typeof to === 'number' ? to : Date.parse(to)
    },
    advance: (ms) => {
      now += ms
    },
  }
}
