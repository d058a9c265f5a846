/** The page of figures, from what was measured and nothing else. */
import { isHeld, type Result } from './result.ts'

export type Measured = {
  readonly name: string
  readonly at: string
  readonly seconds: number
  readonly machine: string
  /** How busy the machine was when it ended: above its cores, times say little. */
  readonly load: number
  readonly node: string
  readonly results: readonly Result[]
  readonly failure?: string
}

const limitOf = ({ atMost, atLeast }: Result): string => {
  if (atMost !== undefined) return `at most ${atMost}`
  return atLeast === undefined ? '' : `at least ${atLeast}`
}

const cell = (text: string): string => text.replaceAll('|', '\\|')

const rowOf = (result: Result): string =>
  `| ${cell(result.name)} | ${result.value} ${cell(result.unit)} | ${limitOf(result)} | ${cell(result.peer ?? '')} | ${isHeld(result) ? 'held' : '**fell short**'} |`

const sectionOf = ({ name, at, seconds, machine, load, node, results, failure }: Measured): string =>
  [
    `## ${name}`,
    '',
    `${at.slice(0, 16).replace('T', ' ')} UTC, ${seconds} s, ${machine}, load ${load}, Node ${node}. Repeat: \`npm run bench -- --only ${name}\`.`,
    '',
    ...(failure === undefined
      ? ['| What | Measured | Limit | Against | Verdict |', '|---|---|---|---|---|', ...results.map(rowOf)]
      : [`Failed: ${failure}.`]),
    '',
  ].join('\n')

export function benchmarkPage(measured: readonly Measured[], reasons: Readonly<Record<string, string>> = {}): string {
  const short = measured.flatMap(({ name, results, failure }) => [
    ...(failure === undefined ? [] : [`- ${name}: ${failure}`]),
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
    'Written by `npm run bench`; do not edit. Every figure is held against a limit or a peer measured in the same run; ratios say more',
    'than times, which depend on the machine and its load.',
    '',
    '## Fell short',
    '',
    ...(short.length === 0 ? ['Nothing that was measured.'] : short),
    '',
    ...measured.map(sectionOf),
  ].join('\n')
}
