/** What a benchmark found, for a person and for `bench/run-all.ts`: one line that begins with `RESULT`. */

export type Result = {
  /** What was measured, in words that stay the same from run to run. */
  readonly name: string
  readonly value: number
  readonly unit: string
  /** What it is held against: a limit, or a peer's figure times what was promised. */
  readonly atMost?: number
  readonly atLeast?: number
  /** The other side of a ratio, where there is one. */
  readonly peer?: string
}

export const isHeld = ({
  value,
  atMost = Number.POSITIVE_INFINITY,
  atLeast = Number.NEGATIVE_INFINITY,
}: Result): boolean => value <= atMost && value >= atLeast

const PREFIX = 'RESULT '

/** Prints the result; answers whether it held. */
export function report(result: Result): boolean {
  console.log(PREFIX + JSON.stringify({ ...result, value: Number(result.value.toPrecision(4)) }))
  return isHeld(result)
}

export const resultsIn = (output: string): readonly Result[] =>
  output
    .split('\n')
    .filter((line) => line.startsWith(PREFIX))
    .map((line) => JSON.parse(line.slice(PREFIX.length)) as Result)
