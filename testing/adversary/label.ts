/**
 * Labels every system of the adversary suite before its exploit, and compares the label with the truth.
 *
 *     node testing/adversary/label.ts               all cases and twins with all compiler settings
 *     node testing/adversary/label.ts fallback Safe those whose title contains one of these texts
 *     node testing/adversary/label.ts --part 2/5    every fifth of them, from the second on
 *     node testing/adversary/label.ts --twins       the honest twins only
 *
 * A label that is greener than the truth is a fault. A twin that does not get the label it deserves is counted, because
 * a label that is never green would be safe and useless.
 */
import { parseArgs } from 'node:util'
import type { Profile } from '../../server/src/control/profile/profile.ts'
import { reasonTexts } from '../../vocabulary/reasons.ts'
import { startAnvil } from '../evm/anvil.ts'
import { CHAIN_ID } from '../evm/profiles.ts'
import type { Case, Twin } from './case.ts'
import { CASES, type Instance, instancesOf, TWINS } from './cases.ts'
import { chainFor, HARDFORKS, optionsOf } from './chain.ts'
import { createLabeler } from './labeler.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { part: { type: 'string', default: '1/1' }, twins: { type: 'boolean', default: false } },
})
const [part = 1, parts = 1] = values.part.split('/').map(Number)
const words = positionals.length === 0 ? [''] : positionals
const wanted = <T extends { readonly title: string }>(entries: readonly T[]): readonly T[] =>
  entries.filter(({ title }) => words.some((word) => title.includes(word))).filter((_, at) => at % parts === part - 1)

const faults: string[] = []
let [labeled, kept, twins] = [0, 0, 0]

for (const hardfork of HARDFORKS) {
  const isHere = (entry: Case | Twin): boolean => ('hardfork' in entry ? entry.hardfork : 'prague') === hardfork
  const node = await startAnvil(CHAIN_ID, optionsOf(hardfork))
  try {
    const labeler = await createLabeler(node)
    const profileOf = async (entry: Instance<Case | Twin>): Promise<Profile> => {
      const { address } = await entry.build(chainFor(labeler.environment, entry.name, entry.with))
      return labeler.profileOf(address)
    }
    for (const entry of wanted(instancesOf(values.twins ? [] : CASES)).filter(isHere)) {
      const { label, reasons } = await profileOf(entry)
      labeled += 1
      if (labeled % 25 === 0) console.error(`${labeled} labeled`)
      if (entry.truth.includes(label)) continue
      faults.push(entry.title)
      console.log(`GREENER ${entry.cause}: ${entry.title}: ${label}\n  ${reasonTexts(reasons).join('\n  ')}`)
    }
    for (const entry of wanted(instancesOf(TWINS)).filter(isHere)) {
      const { label, reasons } = await profileOf(entry)
      twins += 1
      if (label === entry.deserves) kept += 1
      else
        console.log(`TWIN ${entry.title}: ${label}, deserves ${entry.deserves}\n  ${reasonTexts(reasons).join('\n  ')}`)
    }
    await labeler.close()
  } finally {
    await node.stop()
  }
}
console.log(`${faults.length} of ${labeled} labels greener than the truth; ${kept} of ${twins} twins as they deserve`)
process.exitCode = faults.length === 0 ? 0 : 1
