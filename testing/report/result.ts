/**
 * What a benchmark found, for a person and for `bench/run-all.ts`: lines that begin with `RESULT`, with `UNMEASURED` for
 * what could not be measured here, and with `VERSIONS` for what took part beside Node.
 */

export type Result = {
  /** What was measured, in words that stay the same from run to run. */
  readonly name: string
  readonly value: number
  readonly unit: string
  /** What it is held against: a limit, or a peer's figure times what was promised. Without one it is only shown. */
  readonly atMost?: number
  readonly atLeast?: number
  /** The other side of a ratio, where there is one. */
  readonly peer?: string
}

export type Unmeasured = { readonly name: string; readonly reason: string }
/** What took part → its version. */
export type Versions = Readonly<Record<string, string>>

export type Told = {
  readonly results: readonly Result[]
  readonly unmeasured: readonly Unmeasured[]
  readonly versions: Versions
}

/** What a benchmark ends with that measured everything and missed a limit; every other code but 0 tells of a fault. */
export const MISSED_LIMIT = 2

export const isHeld = ({
  value,
  atMost = Number.POSITIVE_INFINITY,
  atLeast = Number.NEGATIVE_INFINITY,
}: Result): boolean => value <= atMost && value >= atLeast

const [RESULT, UNMEASURED, VERSIONS] = ['RESULT ', 'UNMEASURED ', 'VERSIONS ']

/** Prints the result; answers whether it held. */
export function report(result: Result): boolean {
  console.log(RESULT + JSON.stringify({ ...result, value: Number(result.value.toPrecision(4)) }))
  return isHeld(result)
}

export function reportUnmeasured(unmeasured: Unmeasured): void {
  console.log(UNMEASURED + JSON.stringify(unmeasured))
}

/** May be called again for what is known only later. */
export function reportVersions(versions: Versions): void {
  console.log(VERSIONS + JSON.stringify(versions))
}

export function toldIn(output: string): Told {
  const lines = output.split('\n')
  const after = (prefix: string): unknown[] =>
    lines.filter((line) => line.startsWith(prefix)).map((line) => JSON.parse(line.slice(prefix.length)) as unknown)
  return {
    results: after(RESULT) as readonly Result[],
    unmeasured: after(UNMEASURED) as readonly Unmeasured[],
    versions: Object.assign({}, ...after(VERSIONS)) as Versions,
  }
}

export type Ending = { readonly code: number | null; readonly signal: string | null }

/** Why a benchmark that ended so cannot be believed, whatever its figures say; undefined where it can. */
export function failureOf({ code, signal }: Ending, results: readonly Result[]): string | undefined {
  const ended = signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`
  if (results.length === 0) return `${ended} and told of nothing`
  if (code === 0) return undefined
  if (code === MISSED_LIMIT && !results.every(isHeld)) return undefined
  return `${ended}: something is wrong that is not among its figures, or they are not all there`
}
