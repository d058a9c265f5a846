/** What an upgrade changed: functions, guards and powers, as data, and the English text for it. */
import type { Hex } from './accounts.ts'
import type { Label } from './labels.ts'
import { EFFECT_TEXTS, holderText, type PowerClass, type PowerEffect, worstClass } from './powers.ts'
import type { Severity } from './severities.ts'

/** `access`: who may call it, in words. */
export type UpgradedFunction = { readonly selector: Hex; readonly signature: string | null; readonly access: string }

export type UpgradedPower = { readonly effect: PowerEffect; readonly class: PowerClass; readonly label: Label }

export type UpgradeReport = {
  readonly functionsAdded: readonly UpgradedFunction[]
  readonly functionsRemoved: readonly UpgradedFunction[]
  readonly guardsChanged: readonly (UpgradedFunction & { readonly previousAccess: string })[]
  readonly powersGained: readonly UpgradedPower[]
  readonly powersLost: readonly UpgradedPower[]
  readonly powersWeakened: readonly (UpgradedPower & { readonly previousLabel: Label })[]
  /** Functions that set up the contract and that every caller may call now. */
  readonly openInitializers: readonly UpgradedFunction[]
  /** False if a list was cut. */
  readonly isComplete: boolean
}

/** The access of a function that is not guarded. */
export const EVERY_CALLER = 'every caller'

/** The worst of what was gained, weakened or opened. */
export function upgradeSeverity(report: UpgradeReport): Severity {
  const { openInitializers, powersGained, powersWeakened, guardsChanged } = report
  if (openInitializers.length > 0) return 'critical'
  const held = [...powersGained, ...powersWeakened].filter(({ label }) => label !== 'immutable')
  return worstClass([
    ...held.map((power) => power.class),
    ...(guardsChanged.some(({ access }) => access === EVERY_CALLER) ? (['high'] as const) : []),
  ])
}

const MAX_NAMES = 4

const nameOf = ({ signature, selector }: UpgradedFunction): string => signature ?? selector

function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMES
  return more > 0 ? `${names.slice(0, MAX_NAMES).join(', ')} and ${more} more` : names.join(', ')
}

/** One line for each kind of change; none if only code without effect on callers changed. */
export function upgradeTexts(report: UpgradeReport): readonly string[] {
  const line = (title: string, names: readonly string[]): readonly string[] =>
    names.length === 0 ? [] : [`${title}: ${listed(names)}`]
  const power = ({ effect, label }: UpgradedPower): string => `${holderText(label)} can ${EFFECT_TEXTS[effect]}`
  return [
    ...line('Every caller can initialize it', report.openInitializers.map(nameOf)),
    ...line('Powers gained', report.powersGained.map(power)),
    ...line(
      'Powers with weaker holders',
      report.powersWeakened.map((each) => `${power(each)}, before ${lowered(holderText(each.previousLabel))}`),
    ),
    ...line('Powers lost', report.powersLost.map(power)),
    ...line('Functions added', report.functionsAdded.map(nameOf)),
    ...line('Functions removed', report.functionsRemoved.map(nameOf)),
    ...line(
      'Guards changed',
      report.guardsChanged.map((each) => `${nameOf(each)} (${each.previousAccess} → ${each.access})`),
    ),
  ]
}

const lowered = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`
