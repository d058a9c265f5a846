/** Reports of `gatewatch check`: lines for a terminal, Markdown, JUnit XML and SARIF. */
import type { FieldPath } from '../../lib/yaml-file.ts'
import type { Check } from './compare.ts'

export type CheckedContract = {
  readonly chain: string
  readonly address: string
  readonly name: string | undefined
  /** Position in the policy. */
  readonly at: number
  readonly block: number | null
  readonly checks: readonly Check[]
}

export type CheckReport = {
  /** The policy file as it was named. */
  readonly file: string
  readonly contracts: readonly CheckedContract[]
  readonly lineOf: (path: FieldPath) => number
}

const failed = ({ checks }: CheckedContract): readonly Check[] => checks.filter(({ status }) => status !== 'ok')
const titleOf = ({ chain, address, name }: CheckedContract): string =>
  `${name === undefined ? '' : `${name} `}${chain} ${address}`
const fieldOf = ({ path }: Check): string => path.join('.')

/** "3 contracts, 12 expectations: all hold." */
export function summaryOf({ contracts }: CheckReport): string {
  const checks = contracts.flatMap((contract) => contract.checks)
  const of = (status: Check['status']): number => checks.filter((check) => check.status === status).length
  const total = `${count(contracts.length, 'contract')}, ${count(checks.length, 'expectation')}`
  if (of('differs') + of('unread') === 0) return `${total}: all hold.`
  return `${total}: ${of('differs')} ${of('differs') === 1 ? 'differs' : 'differ'}, ${of('unread')} could not be checked.`
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`

/** A table of what differs below each contract. */
export function reportLines(report: CheckReport): readonly string[] {
  return [
    ...report.contracts.flatMap((contract) => {
      const faults = failed(contract)
      const at = contract.block === null ? '' : ` at block ${contract.block}`
      const width = Math.max(0, ...faults.map((check) => fieldOf(check).length))
      return [
        `${faults.length === 0 ? 'ok    ' : 'FAILED'}  ${titleOf(contract)}${at}`,
        ...faults.flatMap((check) => [
          `        ${fieldOf(check).padEnd(width)}  expected  ${check.expected}`,
          `        ${' '.repeat(width)}  ${check.status === 'unread' ? 'unread  ' : 'found   '}  ${check.actual}`,
        ]),
      ]
    }),
    '',
    summaryOf(report),
  ]
}

/** For a comment on a pull request. Texts are in code spans, so that they cannot mention or link anything. */
export function reportMarkdown(report: CheckReport): string {
  const rows = report.contracts.flatMap((contract) =>
    failed(contract).map(
      (check) =>
        `| ${code(titleOf(contract))} | ${code(fieldOf(check))} | ${code(check.expected)} | ${code(check.actual)} |`,
    ),
  )
  const table = ['| Contract | Field | Expected | Found |', '| --- | --- | --- | --- |', ...rows.slice(0, MAX_ROWS)]
  return [
    '### Control of contracts',
    '',
    `${code(report.file)}: ${summaryOf(report)}`,
    ...(rows.length === 0 ? [] : ['', ...table]),
    ...(rows.length > MAX_ROWS ? ['', `${rows.length - MAX_ROWS} more differences are in the log of the run.`] : []),
    '',
  ].join('\n')
}

/** GitHub refuses comments of more than 65,536 characters. */
const MAX_ROWS = 100
const MAX_CELL = 200

function code(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}`|]/gu, ' ').trim()
  return `\`${plain.length > MAX_CELL ? `${plain.slice(0, MAX_CELL)}…` : plain || ' '}\``
}

/** One test suite for each contract, one test case for each expectation. */
export function reportJunit({ contracts, file }: CheckReport): string {
  const suites = contracts.map((contract) => {
    const cases = contract.checks.map((check) => {
      const name = `name="${xml(fieldOf(check))}" classname="${xml(titleOf(contract))}"`
      if (check.status === 'ok') return `    <testcase ${name}/>`
      const tag = check.status === 'unread' ? 'error' : 'failure'
      const message = `expected ${check.expected}, found ${check.actual}`
      return `    <testcase ${name}>\n      <${tag} message="${xml(message)}"/>\n    </testcase>`
    })
    return [`  <testsuite name="${xml(titleOf(contract))}" ${totals(contract.checks)}>`, ...cases, '  </testsuite>']
  })
  const all = contracts.flatMap(({ checks }) => checks)
  const lines = [`<testsuites name="${xml(file)}" ${totals(all)}>`, ...suites.flat(), '</testsuites>']
  return `<?xml version="1.0" encoding="UTF-8"?>\n${lines.join('\n')}\n`
}

function totals(checks: readonly Check[]): string {
  const of = (status: Check['status']): number => checks.filter((check) => check.status === status).length
  return `tests="${checks.length}" failures="${of('differs')}" errors="${of('unread')}"`
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** XML 1.0 has no form for most control characters and for lone surrogates. */
const xml = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\uFFFE\uFFFF]/gu, ' ')
    .replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '')

/** SARIF 2.1.0, with the line of the policy that does not hold. */
export function reportSarif({ contracts, file, lineOf }: CheckReport, version: string): object {
  const found = contracts.flatMap((contract) => failed(contract).map((check) => ({ contract, check })))
  const ruleOf = ({ path: [field] }: Check): string => `control/${field}`
  const rules = [...new Set(found.map(({ check }) => ruleOf(check)))].sort()
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Gatewatch',
            version,
            rules: rules.map((id) => ({
              id,
              shortDescription: { text: `The ${id.slice('control/'.length)} of a contract is as the policy states.` },
            })),
          },
        },
        results: found.map(({ contract, check }) => ({
          ruleId: ruleOf(check),
          ruleIndex: rules.indexOf(ruleOf(check)),
          level: check.status === 'unread' ? 'warning' : 'error',
          message: {
            text: `${titleOf(contract)}: ${fieldOf(check)}: expected ${check.expected}, found ${check.actual}`,
          },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: encodeURI(file.replaceAll('\\', '/')) },
                region: { startLine: lineOf(['contracts', contract.at, ...check.path]) },
              },
            },
          ],
          partialFingerprints: { expectation: `${contract.chain}:${contract.address}:${fieldOf(check)}` },
        })),
      },
    ],
  }
}
