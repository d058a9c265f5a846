/**
 * What a guarded function does, as its source states it: the most harmful effect of the list of powers.
 *
 * By the statements first (tokens minted or moved, calls with a chosen target, writes of what guards depend on), by the
 * names of variables and functions where statements look alike.
 */
import { EFFECTS, type PowerEffect } from '../../../vocabulary/powers.ts'
import type { Change } from './changes.ts'
import type { SourceFunction } from './functions.ts'
import { guardsIn } from './guards.ts'
import { keyOf, mentions, type Stored, type Value } from './values.ts'

const PRICES = /price(?!Impact)|oracle|aggregator|feed/i
const VERIFIERS =
  /peer|trustedRemote|validator|verifier|attester|signer|\bdvn|interchainSecurityModule|sendLib|receiveLib|messageLib|remoteRouter|trustedForwarder|counterpart/i
const FREEZES = /black|blocked|frozen|freez|deny|banned/i
const PAUSES = /paus|stopped|halt|shutdown|suspen/i
const TRANSFERS =
  /^(?:transfer|transferFrom|safeTransfer|safeTransferFrom|safeApprove|approve|forceApprove|send|sendValue|safeTransferETH|safeBatchTransferFrom|setApprovalForAll)$/
const UPGRADES =
  /^_?(?:upgradeTo\w*|setImplementation|upgradeBeacon\w*|setBeacon|setTarget|diamondCut|_?upgrade\w*|updateImplementation|changeImplementation|setCode|_setPendingImplementation)$/
const MINTS = /^_?(?:mint|safeMint|mintBatch|_mint\w*|_safeMint|issue|_issue)$/

/** A table or variable without its keys. */
const placeOf = ({ at, path }: Stored): string =>
  keyOf([at, path.map((part) => ('member' in part ? part.member : '[]'))])

const isZero = (value: Value | undefined): boolean => value?.kind === 'constant' && value.value === 0n
const isChosen = (value: Value | undefined): boolean =>
  value !== undefined && mentions(value, ({ kind }) => kind === 'input' || kind === 'sender' || kind === 'unknown')

export type SourceEffects = { readonly effects: ReadonlySet<PowerEffect>; readonly worst: PowerEffect }

/** The effects of each guarded function by its selector. */
export function sourceEffects(functions: readonly SourceFunction[]): ReadonlyMap<string, SourceEffects> {
  const guarded = functions.filter(({ access }) => access === 'guarded')
  const guarding = new Set(
    guarded.flatMap(({ formula }) =>
      guardsIn(formula).flatMap((guard) => {
        if (guard.type === 'slot' || guard.type === 'member') return [placeOf(guard.at)]
        // Who appoints the contract that answers, appoints the callers.
        return guard.type === 'answer' && guard.by.kind === 'stored' ? [placeOf(guard.by)] : []
      }),
    ),
  )
  return new Map(
    guarded.map((each) => {
      const effects = new Set(each.changes.flatMap((change) => effectsOf(change, each, guarding)))
      const worst = EFFECTS.find((effect) => effects.has(effect)) ?? 'other'
      return [each.selector, { effects, worst }]
    }),
  )
}

function effectsOf(
  change: Change,
  { signature }: SourceFunction,
  guarding: ReadonlySet<string>,
): readonly PowerEffect[] {
  const [called = ''] = signature.split('(')
  const { kind, name = '', args = [] } = change
  if (UPGRADES.test(called)) return ['upgrade']
  switch (kind) {
    case 'internal':
      if (UPGRADES.test(name)) return ['upgrade']
      if (MINTS.test(name)) return ['mint']
      if (/^_?burn/.test(name) && args[0]?.kind === 'input') return ['move_funds']
      return name === '_pause' || name === '_unpause' ? ['pause'] : []
    case 'event':
      if (name === 'Transfer' && isZero(args[0])) return ['mint']
      return name === 'Paused' || name === 'Unpaused' ? ['pause'] : []
    case 'destroy':
      return ['move_funds']
    case 'call':
      return callEffects(change)
    case 'write':
      return change.at === undefined ? [] : writeEffects(change, change.at, called, guarding)
    case 'create':
    default:
      return []
  }
}

function callEffects({ name = '', target, args = [], amount }: Change): readonly PowerEffect[] {
  if (name === 'delegatecall' || name === 'functionDelegateCall') return isChosen(target) ? ['execute'] : []
  if (name === 'call' || name === 'functionCall' || name === 'functionCallWithValue') {
    const data = name === 'call' ? args[0] : args.find(({ kind }) => kind === 'input')
    const isData = data !== undefined && mentions(data, ({ kind }) => kind === 'input')
    if (isChosen(target) && isData) return ['execute']
    return amount !== undefined && !isZero(amount) ? ['move_funds'] : []
  }
  if (MINTS.test(name)) return ['mint']
  if (amount !== undefined && !isZero(amount)) return name === 'send' ? ['move_funds'] : []
  if (!TRANSFERS.test(name)) return []
  const isDeposit = args.some(({ kind }) => kind === 'self') && name.endsWith('From')
  return isDeposit ? [] : ['move_funds']
}

function writeEffects(
  change: Change,
  at: Stored,
  called: string,
  guarding: ReadonlySet<string>,
): readonly PowerEffect[] {
  const { value, type = '', label = '' } = change
  const isGuard = guarding.has(placeOf(at))
  if (isGuard) return isZero(value) ? [] : ['grant']
  if (PAUSES.test(label) && /^bool|^uint/.test(type)) return ['pause']
  if (!isChosen(value) && value?.kind !== 'constant') return []
  if (PRICES.test(label)) return ['set_price']
  if (VERIFIERS.test(label)) return ['set_verifier']
  if (FREEZES.test(label) && at.path.some((part) => 'key' in part)) return ['freeze']
  if (!isChosen(value)) return []
  if (/^(?:address|contract )/.test(type)) return PRICES.test(called) ? ['set_price'] : ['set_dependency']
  return /^(?:u?int|bytes|bool|string|enum)/.test(type) ? ['set_terms'] : []
}
