/**
 * `npm run bench -- powers [PACKAGE …]`: compares what the analysis of bytecode finds about functions with their sources.
 *
 * The corpus is described in `testing/npm-contracts`. `--differences` prints each function on which they differ.
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Hex } from '../server/src/lib/hex.ts'
import { Analyses } from '../testing/npm-contracts/analysis.ts'
import { measure } from '../testing/npm-contracts/measure.ts'
import { download, packagesOf, SOURCES } from '../testing/npm-contracts/packages.ts'
import { report, reportVersions } from '../testing/report/result.ts'

const args = process.argv.slice(2)
const names = args.filter((arg) => !arg.startsWith('--'))
const sources = SOURCES.filter((source) => names.length === 0 || names.includes(source.package))
for (const spec of packagesOf(sources)) download(spec, false)
const analyses = new Analyses()
const { contracts, verdicts, accesses, effects, differences } = await measure(sources, analyses)
const largest = contracts.reduce((a, b) => (b.contract.code.length > a.contract.code.length ? b : a))
const slowest = contracts.toSorted((a, b) => b.analysis.ms - a.analysis.ms).slice(0, 3)
const largestMs = await analyses.msOf(largest.contract.code)
const times: { readonly name: string; readonly ms: number }[] = []
for (const { contract } of slowest) times.push({ name: contract.name, ms: await analyses.msOf(contract.code) })
await analyses.close()

if (args.includes('--differences'))
  for (const { verdict, contract, signature, source, found } of differences)
    console.log(`${verdict} | ${contract} ${signature} | source ${source} | found ${found}`)

const count = (verdict: Parameters<typeof verdicts.get>[0]): number => verdicts.get(verdict) ?? 0
const guarded = accesses.get('guarded') ?? 0
const open = accesses.get('open') ?? 0
const publishers = new Set(contracts.map(({ contract }) => contract.source.publisher))
reportVersions({ solc: [...new Set(sources.map(({ solc }) => solc))].sort().join(' ') })
report({ name: 'contracts of npm packages, each code once', value: contracts.length, unit: 'contracts', atLeast: 300 })
report({ name: 'publishers of these packages', value: publishers.size, unit: 'publishers', atLeast: 15 })
report({
  name: 'guarded functions found with the right guard',
  value: (count('right guard') / guarded) * 100,
  unit: '%',
  atLeast: 95,
  peer: `${guarded} guarded functions by their source; guard unknown ${count('guard unknown')}, another guard ${count('other guard')}`,
})
report({
  name: 'guarded functions called open',
  value: count('guarded called open'),
  unit: 'functions',
  atMost: 0,
  peer: `${guarded} guarded functions`,
})
report({
  name: 'open functions called guarded',
  value: count('open called guarded'),
  unit: 'functions',
  atMost: 0,
  peer: `${open} open functions`,
})
report({
  name: 'open functions whose check of the caller is not understood',
  value: (count('open unknown') / open) * 100,
  unit: '%',
  peer: `${open} open functions`,
})
report({
  name: 'guarded functions with the right effect',
  value: (effects.right / effects.all) * 100,
  unit: '%',
  atLeast: 90,
  peer: `the most harmful effect of ${effects.all} guarded functions by their source; not known ${effects.unknown}`,
})
report({
  name: 'guarded functions with an effect that is milder than the truth',
  value: effects.milder,
  unit: 'functions',
  peer: `${effects.all} guarded functions`,
})
report({
  name: 'guarded functions with an effect that is harsher than the truth',
  value: effects.harsher,
  unit: 'functions',
  peer: `${effects.all} guarded functions`,
})
report({
  name: 'functions that the rules for sources do not decide',
  value: accesses.get('undecided') ?? 0,
  unit: 'functions',
  peer: 'mostly signatures; not counted above',
})
const unsettled = contracts.filter(({ analysis }) => !analysis.isSettled)
report({
  name: 'codes that are not followed to their end',
  value: unsettled.length,
  unit: 'codes',
  peer: unsettled.map(({ contract }) => contract.name).join(', '),
})
const [longest] = times.toSorted((a, b) => b.ms - a.ms)
report({
  name: 'analysis of the largest code, CPU time',
  value: largestMs,
  unit: 'ms',
  atMost: 1_000,
  peer: `${largest.contract.name}, ${largest.contract.code.length / 2 - 1} bytes; longest of all ${Math.round(longest?.ms ?? 0)} ms, ${longest?.name ?? ''}`,
})
measureMainLoop(slowest.map(({ contract }) => contract.code))

/**
 * The main loop of a process while others analyze. Its thread blocks it only while it computes; the rest of a delay is the
 * wait for a processor, as long as that without an analysis.
 */
function measureMainLoop(codes: readonly Hex[]): void {
  const file = fileURLToPath(new URL('./analysis-delay.ts', import.meta.url))
  const output = execFileSync(process.execPath, [file], { input: JSON.stringify(codes), encoding: 'utf8' })
  type Turn = { readonly wall: number; readonly cpu: number }
  const { idle, busy } = JSON.parse(output) as { readonly idle: Turn; readonly busy: Turn }
  const ms = ({ wall, cpu }: Turn): string => `${cpu.toFixed(1)} ms of CPU time and ${wall.toFixed(1)} ms in all`
  report({
    name: 'longest turn of the main loop while codes are analyzed, CPU time',
    value: busy.cpu,
    unit: 'ms',
    atMost: 10,
    peer: `${codes.length} slowest codes: ${ms(busy)}; ${ms(idle)} while the process is idle`,
  })
}
