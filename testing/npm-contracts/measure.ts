/** Compares the analysis of every contract of the corpus with its source, and prints where they differ. */
import type { CodePower, CodePowers } from '../../server/src/control/powers/code-powers.ts'
import { type LibrariesAt, powersWithLibraries } from '../../server/src/control/powers/with-libraries.ts'
import { factsOfText } from '../../server/src/control/profile/code-facts.ts'
import type { Hex } from '../../server/src/lib/hex.ts'
import { EFFECTS, type PowerEffect } from '../../vocabulary/powers.ts'
import type { Analyses, Analysis } from './analysis.ts'
import { type Verdict, verdictOf } from './compare.ts'
import { type CorpusContract, contractsOf } from './contracts.ts'
import type { Source } from './packages.ts'
import { sourceEffects } from './source/effects.ts'
import type { SourceAccess } from './source/functions.ts'
import { keyOf } from './source/values.ts'

export type Difference = {
  readonly contract: string
  readonly signature: string
  readonly verdict: Verdict | 'effect'
  readonly source: string
  readonly found: string
}

export type Measured = {
  readonly contracts: readonly { readonly contract: CorpusContract; readonly analysis: Analysis }[]
  readonly verdicts: ReadonlyMap<Verdict, number>
  readonly accesses: ReadonlyMap<SourceAccess, number>
  /** Guarded functions by what was found: the most harmful effect of the source, a milder or harsher one, or not known. */
  readonly effects: Readonly<Record<'all' | 'right' | 'milder' | 'harsher' | 'unknown', number>>
  readonly differences: readonly Difference[]
}

const worstOf = (effects: readonly string[]): PowerEffect | undefined => EFFECTS.find((each) => effects.includes(each))

/** The powers that the code gives, with those of its libraries. */
async function powersIn(
  { libraries }: CorpusContract,
  { facts }: Analysis,
  analyses: Analyses,
): Promise<readonly CodePower[]> {
  const codes = new Map<Hex, CodePowers>()
  for (const [address, code] of libraries) codes.set(address, factsOfText((await analyses.of(code)).facts).powers)
  const librariesAt: LibrariesAt = (target) => {
    const code = target.type === 'constant' ? codes.get(target.address) : undefined
    return code === undefined ? undefined : [code]
  }
  return powersWithLibraries(factsOfText(facts).powers, librariesAt).powers
}

/** Contracts with the same code count once. */
export async function measure(sources: readonly Source[], analyses: Analyses): Promise<Measured> {
  const seen = new Set<string>()
  const contracts: { contract: CorpusContract; analysis: Analysis }[] = []
  const verdicts = new Map<Verdict, number>()
  const accesses = new Map<SourceAccess, number>()
  const effects = { all: 0, right: 0, milder: 0, harsher: 0, unknown: 0 }
  const differences: Difference[] = []
  const add = <K>(counts: Map<K, number>, key: K): void => void counts.set(key, (counts.get(key) ?? 0) + 1)
  for (const source of sources)
    for (const contract of contractsOf(source)) {
      if (seen.has(contract.hash)) continue
      seen.add(contract.hash)
      const functions = contract.functions()
      const analysis = await analyses.of(contract.code)
      contracts.push({ contract, analysis })
      const powers = await powersIn(contract, analysis, analyses)
      const found = new Map(
        analysis.functions.map((each) => [
          each.selector as string,
          { ...each, effects: powers.filter(({ selector }) => selector === each.selector).map(({ effect }) => effect) },
        ]),
      )
      const name = `${source.package}@${source.version} ${contract.name}`
      for (const each of functions) {
        add(accesses, each.access)
        if (each.access !== 'open' && each.access !== 'guarded') continue
        const its = found.get(each.selector)
        const verdict = verdictOf(contract, each, its)
        add(verdicts, verdict)
        if (!verdict.startsWith('right'))
          differences.push({
            contract: name,
            signature: each.signature,
            verdict,
            source: keyOf(each.formula),
            found: JSON.stringify(its?.access),
          })
      }
      for (const [selector, { worst }] of sourceEffects(functions)) {
        const its = found.get(selector)
        const foundWorst = worstOf(its?.effects ?? [])
        effects.all += 1
        if (foundWorst === worst) effects.right += 1
        else {
          if (foundWorst === undefined) effects.unknown += 1
          else if (EFFECTS.indexOf(foundWorst) > EFFECTS.indexOf(worst)) effects.milder += 1
          else effects.harsher += 1
          const signature = functions.find((each) => each.selector === selector)?.signature ?? selector
          differences.push({ contract: name, signature, verdict: 'effect', source: worst, found: String(foundWorst) })
        }
      }
    }
  return { contracts, verdicts, accesses, effects, differences }
}
