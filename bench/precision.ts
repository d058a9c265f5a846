/**
 * `npm run bench -- precision`: how many contracts are `unknown` although their sources show what they are.
 *
 * Each contract of `testing/npm-contracts` that cannot run other code by its source is labeled twice: by itself, and as the
 * logic of a transparent proxy that a Safe controls. The labels must be `immutable` and `multisig`. `--differences` prints
 * each contract that has another one.
 */
import { factsOfText } from '../server/src/control/profile/code-facts.ts'
import { artifactCode } from '../testing/evm/compile.ts'
import { council } from '../testing/evm/sample-cases.ts'
import { SampleWorld } from '../testing/evm/sample-world.ts'
import { Analyses } from '../testing/npm-contracts/analysis.ts'
import { contractsOf } from '../testing/npm-contracts/contracts.ts'
import { download, packagesOf, SOURCES } from '../testing/npm-contracts/packages.ts'
import { report, reportVersions } from '../testing/report/result.ts'
import type { Label } from '../vocabulary/labels.ts'
import { reasonTexts } from '../vocabulary/reasons.ts'

const args = process.argv.slice(2)
const names = args.filter((arg) => !arg.startsWith('--'))
const sources = SOURCES.filter((source) => names.length === 0 || names.includes(source.package))
for (const spec of packagesOf(sources)) download(spec, false)
const analyses = new Analyses()
const proxyFacts = (await analyses.of(artifactCode('openzeppelin-contracts-4', 'TransparentUpgradeableProxy'))).facts

type Setup = 'by itself' | 'behind a proxy of a Safe'
const DESERVED: Readonly<Record<Setup, Label>> = { 'by itself': 'immutable', 'behind a proxy of a Safe': 'multisig' }
const labels: { readonly setup: Setup; readonly label: Label }[] = []
const publishers = new Set<string>()
const seen = new Set<string>()
let [linked, changing] = [0, 0]
for (const source of sources)
  for (const contract of contractsOf(source)) {
    if (seen.has(contract.hash)) continue
    seen.add(contract.hash)
    if (contract.isLinked) linked += 1
    else if (contract.mayChange()) changing += 1
    else {
      publishers.add(source.publisher)
      const { facts } = await analyses.of(contract.code)
      for (const setup of ['by itself', 'behind a proxy of a Safe'] as const) {
        const { label, reasons } = profileOf(setup, facts)
        labels.push({ setup, label })
        if (label !== DESERVED[setup] && args.includes('--differences'))
          console.log(`${source.package} ${contract.name} ${setup}: ${label}: ${reasonTexts(reasons).join(' ')}`)
      }
    }
  }
await analyses.close()

function profileOf(setup: Setup, facts: string): ReturnType<SampleWorld['profile']> {
  const world = new SampleWorld()
  const code = factsOfText(facts)
  if (setup === 'by itself') return world.profile(world.add('target', { code }))
  const slots = { implementation: world.add('logic', { code }), admin: council(world) }
  return world.profile(world.add('target', { code: factsOfText(proxyFacts), slots }))
}

reportVersions({ solc: [...new Set(sources.map(({ solc }) => solc))].sort().join(' ') })
const contracts = labels.length / 2
report({
  name: 'contracts that cannot run other code by their source',
  value: contracts,
  unit: 'contracts',
  atLeast: 300,
  peer: `of ${publishers.size} publishers; left out: ${changing} that may run other code or write where proxies keep it, ${linked} with libraries`,
})
for (const setup of Object.keys(DESERVED) as Setup[]) {
  const of = labels.filter((each) => each.setup === setup)
  const unknown = of.filter(({ label }) => label === 'unknown').length
  const other = of.filter(({ label }) => label !== 'unknown' && label !== DESERVED[setup]).length
  report({
    name: `unknown ${setup}`,
    value: (unknown / contracts) * 100,
    unit: '%',
    atMost: 5,
    peer: `${unknown} of ${contracts}; ${DESERVED[setup]} is right`,
  })
  report({ name: `another label ${setup}`, value: other, unit: 'contracts', atMost: 0 })
}
