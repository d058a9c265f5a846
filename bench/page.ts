/** The page of figures, from what was measured and nothing else. */
import { isHeld, type Result, type Unmeasured, type Versions } from '../testing/report/result.ts'

export type Measured = {
  readonly name: string
  readonly at: string
  readonly seconds: number
  readonly machine: string
  /** How busy the machine was when it ended: above its cores, times say little. */
  readonly load: number
  readonly node: string
  /** Of the code that was measured; not known outside a checkout. */
  readonly commit?: string
  /** What took part beside Node. */
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
  if (limitOf(result) === '') return 'shown'
  return isHeld(result) ? 'held' : '**fell short**'
}

const cell = (text: string): string => text.replaceAll('|', '\\|')

const rowOf = (result: Result): string =>
  `| ${cell(result.name)} | ${result.value} ${cell(result.unit)} | ${limitOf(result)} | ${cell(result.peer ?? '')} | ${verdictOf(result)} |`

const tableOf = (results: readonly Result[]): readonly string[] =>
  results.length === 0
    ? []
    : ['| What | Measured | Limit | Against | Verdict |', '|---|---|---|---|---|', ...results.map(rowOf), '']

const circumstancesOf = ({ at, seconds, machine, load }: Measured): string =>
  `${at.slice(0, 16).replace('T', ' ')} UTC, ${seconds} s, ${machine}, load ${load}`

function partakersOf({ commit = 'not recorded', node, versions }: Measured): string {
  const others =
    versions === undefined
      ? ['other versions not recorded']
      : Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return `Commit ${commit}; ${[`Node ${node}`, ...others].join(', ')}`
}

const sectionOf = (one: Measured): string =>
  [
    `## ${one.name}`,
    '',
    `${circumstancesOf(one)}. ${partakersOf(one)}. Repeat: \`npm run bench -- --only ${one.name}\`.`,
    '',
    ...(one.failure === undefined ? [] : [`Failed: ${one.failure}.`, '']),
    ...(one.unmeasured ?? []).flatMap(({ name, reason }) => [`Not measured: ${name}: ${reason}.`, '']),
    ...tableOf(one.results),
  ].join('\n')

export function benchmarkPage(measured: readonly Measured[], reasons: Readonly<Record<string, string>> = {}): string {
  const short = measured.flatMap(({ name, results, unmeasured = [], failure }) => [
    ...(failure === undefined ? [] : [`- ${name}: ${failure}.`]),
    ...unmeasured.map((one) => `- ${name}: ${one.name}: not measured: ${one.reason}.`),
    ...results
      .filter((result) => !isHeld(result))
      .map(
        (result) =>
          `- ${name}: ${result.name}: ${result.value} ${result.unit}, ${limitOf(result)} was promised. ${reasons[result.name] ?? 'The reason is not known yet.'}`,
      ),
  ])
  return [
    '# Benchmarks',
    '',
    'Written by `npm run bench`; do not edit. A figure is held against the limit in its line, where it has one, and is only shown where it',
    'has none; peers were measured in the same run. Ratios say more than times, which depend on the machine and its load.',
    '',
    '## Fell short',
    '',
    ...(short.length === 0 ? ['Nothing that was measured.'] : short),
    '',
    ...measured.map(sectionOf),
  ].join('\n')
}
