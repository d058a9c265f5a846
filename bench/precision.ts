/**
 * `npm run bench -- precision`: how many contracts are `unknown` although their sources show what they are.
 *
 * Each contract of `testing/npm-contracts` that cannot run other code by its source is labeled by itself, and as the logic
 * of one proxy of each family of the registry that npm packages contain, if a Safe controls it. The labels must be
 * `immutable` and `multisig`. `--differences` prints each contract that has another one.
 */
import { factsOfText } from '../server/src/control/profile/code-facts.ts'
import type { SlotName } from '../server/src/control/profile/slots.ts'
import type { Hex } from '../server/src/lib/hex.ts'
import { council } from '../testing/evm/sample-cases.ts'
import { SampleWorld } from '../testing/evm/sample-world.ts'
import { Analyses } from '../testing/npm-contracts/analysis.ts'
import { codeNamed, contractsOf } from '../testing/npm-contracts/contracts.ts'
import { download, packagesOf, SOURCES, type Source, specOf } from '../testing/npm-contracts/packages.ts'
import { report, reportVersions } from '../testing/report/result.ts'
import type { Label } from '../vocabulary/labels.ts'
import { reasonTexts } from '../vocabulary/reasons.ts'

const args = process.argv.slice(2)
const names = args.filter((arg) => !arg.startsWith('--'))
const sources = SOURCES.filter((source) => names.length === 0 || names.includes(source.package))
const analyses = new Analyses()
/** A proxy of a family: its package and contract, and the slots that name its logic and its administrator. */
type Family = {
  readonly name: string
  readonly from: readonly [spec: string, contract: string]
  readonly slots: (logic: Hex, admin: Hex) => Readonly<Partial<Record<SlotName, Hex>>>
}
const standard: Family['slots'] = (implementation, admin) => ({ implementation, admin })
const FAMILIES: readonly Family[] = [
  {
    name: 'OpenZeppelin 4',
    from: ['@openzeppelin/contracts@4.9.6', 'TransparentUpgradeableProxy'],
    slots: standard,
  },
  {
    name: 'OpenZeppelin 3',
    from: ['@openzeppelin/contracts@3.4.2', 'TransparentUpgradeableProxy'],
    slots: standard,
  },
  {
    name: 'Aave, with the administrator in its code',
    from: ['@aave/core-v3@1.19.3', 'InitializableImmutableAdminUpgradeabilityProxy'],
    slots: (implementation) => ({ implementation }),
  },
  { name: 'ChugSplash of Optimism', from: ['@eth-optimism/contracts@0.6.0', 'L1ChugSplashProxy'], slots: standard },
  {
    name: 'Polygon',
    from: ['@maticnetwork/pos-portal@1.5.2', 'UpgradableProxy'],
    slots: (polygonImplementation, polygonOwner) => ({ polygonImplementation, polygonOwner }),
  },
  { name: 'The Graph', from: ['@graphprotocol/contracts@7.2.1', 'GraphProxy'], slots: standard },
]

const isOfFamily = (source: Source): boolean => FAMILIES.some(({ from: [spec] }) => spec === specOf(source))
const needed = SOURCES.filter((source) => sources.includes(source) || isOfFamily(source))
for (const spec of packagesOf(needed)) download(spec, false)

const BY_ITSELF = 'by itself'
const setups: readonly string[] = [BY_ITSELF, ...FAMILIES.map(({ name }) => `behind a proxy of a Safe: ${name}`)]
const deserved = (setup: string): Label => (setup === BY_ITSELF ? 'immutable' : 'multisig')
const admin = council(new SampleWorld())
const proxies = new Map<string, string>()
for (const { name, from } of FAMILIES) proxies.set(name, (await analyses.of(codeNamed(...from, admin))).facts)
const labels: { readonly setup: string; readonly label: Label }[] = []
const publishers = new Set<string>()
const seen = new Set<string>()
let [linked, changing] = [0, 0]
for (const source of sources)
  for (const contract of contractsOf(source)) {
    if (seen.has(contract.hash)) continue
    seen.add(contract.hash)
    if (contract.libraries.size > 0) linked += 1
    else if (contract.mayChange()) changing += 1
    else {
      publishers.add(source.publisher)
      const { facts } = await analyses.of(contract.code)
      for (const setup of setups) {
        const { label, reasons } = profileOf(setup, facts)
        labels.push({ setup, label })
        if (label !== deserved(setup) && args.includes('--differences'))
          console.log(`${source.package} ${contract.name} ${setup}: ${label}: ${reasonTexts(reasons).join(' ')}`)
      }
    }
  }
await analyses.close()

function profileOf(setup: string, facts: string): ReturnType<SampleWorld['profile']> {
  const world = new SampleWorld()
  const code = factsOfText(facts)
  const family = FAMILIES.find(({ name }) => setup.endsWith(name))
  if (family === undefined) return world.profile(world.add('target', { code }))
  const slots = family.slots(world.add('logic', { code }), council(world))
  return world.profile(world.add('target', { code: factsOfText(proxies.get(family.name) as string), slots }))
}

reportVersions({ solc: [...new Set(sources.map(({ solc }) => solc))].sort().join(' ') })
const contracts = labels.length / setups.length
report({
  name: 'contracts that cannot run other code by their source',
  value: contracts,
  unit: 'contracts',
  atLeast: 300,
  peer: `of ${publishers.size} publishers; left out: ${changing} that may run other code or write where proxies keep it, ${linked} with libraries`,
})
for (const setup of setups) {
  const of = labels.filter((each) => each.setup === setup)
  const unknown = of.filter(({ label }) => label === 'unknown').length
  const other = of.filter(({ label }) => label !== 'unknown' && label !== deserved(setup)).length
  report({
    name: `unknown ${setup}`,
    value: (unknown / contracts) * 100,
    unit: '%',
    atMost: 5,
    peer: `${unknown} of ${contracts}; ${deserved(setup)} is right`,
  })
  report({ name: `another label ${setup}`, value: other, unit: 'contracts', atMost: 0 })
}
