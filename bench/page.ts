/** Renders the benchmarks page from recorded measurements. */
import { isHeld, type Result, type Unmeasured, type Versions } from '../testing/report/result.ts'

export type Measurement = {
  readonly name: string
  readonly at: string
  readonly seconds: number
  readonly machine: string
  /** One-minute load average at the end. Above the number of cores, times are unreliable. */
  readonly load: number
  readonly node: string
  /** The measured commit; undefined outside a checkout. */
  readonly commit?: string
  /** Versions of the other programs and packages that took part. */
  readonly versions?: Versions
  readonly results: readonly Result[]
  readonly unmeasured?: readonly Unmeasured[]
  readonly failure?: string
}

const limitOf = ({ atMost, atLeast }: Result): string => {
  if (atMost !== undefined) return `at most ${atMost}`
  return atLeast === undefined ? '' : `at least ${atLeast}`
}

const verdictOf = (result: Result): string => {
  if (limitOf(result) === '') return 'no limit'
  return isHeld(result) ? 'met' : '**missed**'
}

const cell = (text: string): string => text.replaceAll('|', '\\|')

const rowOf = (result: Result): string =>
  `| ${cell(result.name)} | ${result.value} ${cell(result.unit)} | ${limitOf(result)} | ${cell(result.peer ?? '')} | ${verdictOf(result)} |`

const tableOf = (results: readonly Result[]): readonly string[] =>
  results.length === 0
    ? []
    : ['| Figure | Measured | Limit | Compared with | Verdict |', '|---|---|---|---|---|', ...results.map(rowOf), '']

const environmentOf = ({ at, seconds, machine, load }: Measurement): string =>
  `${at.slice(0, 16).replace('T', ' ')} UTC, ${seconds} s, ${machine}, load ${load}`

function versionsOf({ commit = 'not recorded', node, versions }: Measurement): string {
  const others =
    versions === undefined
      ? ['other versions not recorded']
      : Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return `Commit ${commit}; ${[`Node ${node}`, ...others].join(', ')}`
}

const sectionOf = (measurement: Measurement): string =>
  [
    `## ${measurement.name}`,
    '',
    `${environmentOf(measurement)}. ${versionsOf(measurement)}. Repeat: \`npm run bench -- ${measurement.name}\`.`,
    '',
    ...(measurement.failure === undefined ? [] : [`Failed: ${measurement.failure}.`, '']),
    ...(measurement.unmeasured ?? []).flatMap(({ name, reason }) => [`Not measured: ${name}: ${reason}.`, '']),
    ...tableOf(measurement.results),
  ].join('\n')

/** `shortfalls` explains missed limits, by the name of the result. */
export function benchmarkPage(
  measurements: readonly Measurement[],
  shortfalls: Readonly<Record<string, string>> = {},
): string {
  const missed = measurements.flatMap(({ name, results, unmeasured = [], failure }) => [
    ...(failure === undefined ? [] : [`- ${name}: ${failure}.`]),
    ...unmeasured.map((one) => `- ${name}: ${one.name}: not measured: ${one.reason}.`),
    ...results
      .filter((result) => !isHeld(result))
      .map(
        (result) =>
          `- ${name}: ${result.name}: ${result.value} ${result.unit}; the limit is ${limitOf(result)}. ${shortfalls[result.name] ?? 'The reason is not known yet.'}`,
      ),
  ])
  return [
    '# Benchmarks',
    '',
    'Written by `npm run bench`; do not edit. A figure with a limit is compared with it. Peers were measured in the same run. Ratios are',
    'more reliable than times, which depend on the machine and its load.',
    '',
    '## Missed limits',
    '',
    ...(missed.length === 0 ? ['None.'] : missed),
    '',
    ...measurements.map(sectionOf),
  ].join('\n')
}
