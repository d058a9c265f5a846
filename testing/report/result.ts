/**
 * The report that a benchmark or simulation prints for a reader and for `bench/run.ts`: lines that begin with `RESULT`,
 * with `UNMEASURED` for a figure that cannot be measured on this machine, and with `VERSIONS` for the programs and
 * packages that took part.
 */

export type Result = {
  /** The figure's name. It identifies the figure from run to run. */
  readonly name: string
  readonly value: number
  readonly unit: string
  /** The limit. A figure without one is only recorded. */
  readonly atMost?: number
  readonly atLeast?: number
  /** The other side of a ratio. */
  readonly peer?: string
}

export type Unmeasured = { readonly name: string; readonly reason: string }
/** Program or package to version. */
export type Versions = Readonly<Record<string, string>>

export type Report = {
  readonly results: readonly Result[]
  readonly unmeasured: readonly Unmeasured[]
  readonly versions: Versions
}

/** The exit code of a benchmark that measured everything and missed a limit. Any other code except 0 is a failure. */
export const MISSED_LIMIT = 2

export const isHeld = ({
  value,
  atMost = Number.POSITIVE_INFINITY,
  atLeast = Number.NEGATIVE_INFINITY,
}: Result): boolean => value <= atMost && value >= atLeast

const [RESULT, UNMEASURED, VERSIONS] = ['RESULT ', 'UNMEASURED ', 'VERSIONS ']

/** Prints the result and returns whether it meets its limit. */
export function report(result: Result): boolean {
  console.log(RESULT + JSON.stringify({ ...result, value: Number(result.value.toPrecision(4)) }))
  return isHeld(result)
}

export function reportUnmeasured(unmeasured: Unmeasured): void {
  console.log(UNMEASURED + JSON.stringify(unmeasured))
}

/** Adds versions to the report. May be called several times. */
export function reportVersions(versions: Versions): void {
  console.log(VERSIONS + JSON.stringify(versions))
}

export function parseReport(output: string): Report {
  const lines = output.split('\n')
  const after = (prefix: string): unknown[] =>
    lines.filter((line) => line.startsWith(prefix)).map((line) => JSON.parse(line.slice(prefix.length)) as unknown)
  return {
    results: after(RESULT) as readonly Result[],
    unmeasured: after(UNMEASURED) as readonly Unmeasured[],
    versions: Object.assign({}, ...after(VERSIONS)) as Versions,
  }
}

export type Exit = { readonly code: number | null; readonly signal: string | null }

/** Why a benchmark that exited like this failed; undefined if it did not. */
export function failureOf({ code, signal }: Exit, results: readonly Result[]): string | undefined {
  const ended = signal === null ? `it exited with code ${code}` : `it was ended by ${signal}`
  if (results.length === 0) return `${ended} without a result`
  if (code === 0) return undefined
  if (code === MISSED_LIMIT && !results.every(isHeld)) return undefined
  return `${ended}, and no missed limit explains that`
}
