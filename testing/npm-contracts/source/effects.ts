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

/** What an order at the next price costs, and how far two prices may differ, are terms. */
const PRICES = /(?<!next)price(?!Impact|\w*Interval|Divergence|Config)|oracle|aggregator|feed(?!elayed)/i
const VERIFIERS =
  /peer|trustedRemote|validator|verifier|attester|signer|\bdvn|interchainSecurityModule|sendLib|receiveLib|messageLib|remoteRouter|trustedForwarder|counterpart/i
const FREEZES = /black|blocked|frozen|freez|deny|banned/i
const PAUSES = /paus|stopped|halt|shutdown|suspen/i
const TRANSFERS =
  /^(?:transfer|transferFrom|safeTransfer|safeTransferFrom|safeApprove|approve|forceApprove|send|sendValue|safeTransferETH|safeBatchTransferFrom|setApprovalForAll)$/
const UPGRADES =
  /^_?(?:upgradeTo\w*|setImplementation|upgradeBeacon\w*|setBeacon|setTarget|diamondCut|_?upgrade\w*|updateImplementation|changeImplementation|setCode|_setPendingImplementation)$/
/** Functions of other contracts that decide who attests messages. */
const VERIFIER_CALLS = /^(?:setConfig|setSendVersion|setReceiveVersion|registerLibrary)$/
/** Who may act, where the table of it guards no function of the contract itself. */
const GRANTS =
  /^(?:grantRoles|setUserRole|setRoleCapability|setPublicCapability|changeProxyAdmin|changeThreshold|addOwnerWithThreshold|swapOwner|enableModule)$/
const MINTS = /^_?(?:mint|safeMint|mintBatch|_mint\w*|_safeMint|issue|_issue)$/

/** A table or variable without its keys. */
const placeOf = ({ at, path }: Stored): string =>
  keyOf([at, path.map((part) => ('member' in part ? part.member : '[]'))])

/** A path to its last key. */
const entryIn = (path: Stored['path']): Stored['path'] => {
  const last = path.findLastIndex((part) => 'key' in part)
  return last < 0 ? path : path.slice(0, last + 1)
}

const isZero = (value: Value | undefined): boolean => value?.kind === 'constant' && value.value === 0n
/** What storage holds was not chosen in this call, whatever the key. */
const isChosen = (value: Value | undefined): boolean =>
  value !== undefined &&
  mentions(
    value,
    ({ kind }) => kind === 'input' || kind === 'sender' || kind === 'unknown',
    ({ kind }) => kind !== 'stored',
  )

export type SourceEffects = { readonly effects: ReadonlySet<PowerEffect>; readonly worst: PowerEffect }

/** The effects of each guarded function by its selector. */
export function sourceEffects(functions: readonly SourceFunction[]): ReadonlyMap<string, SourceEffects> {
  const guarded = functions.filter(({ access }) => access === 'guarded')
  const guarding = new Set(
    guarded.flatMap(({ formula }) =>
      guardsIn(formula).flatMap((guard) => {
        // The entry of a table is written as a whole, or by its members.
        if (guard.type === 'slot' || guard.type === 'member')
          return [placeOf(guard.at), placeOf({ ...guard.at, path: entryIn(guard.at.path) })]
        // Who appoints the contract that answers, appoints the callers.
        return guard.type === 'answer' && guard.by.kind === 'stored' ? [placeOf(guard.by)] : []
      }),
    ),
  )
  const paid = new Set(functions.flatMap(({ changes }) => changes.flatMap(paidBy)))
  return new Map(
    guarded.map((each) => {
      const effects = new Set(each.changes.flatMap((change) => effectsOf(change, each, { guarding, paid })))
      const worst = EFFECTS.find((effect) => effects.has(effect)) ?? 'other'
      return [each.selector, { effects, worst }]
    }),
  )
}

/** Variables that guards read, and those with the accounts to which functions send tokens. */
type Places = { readonly guarding: ReadonlySet<string>; readonly paid: ReadonlySet<string> }

/** The variable with the account that a transfer or an approval names. An entry may be that of the caller. */
function paidBy({ kind, name = '', args = [] }: Change): readonly string[] {
  if ((kind !== 'call' && kind !== 'internal') || !TRANSFERS.test(name)) return []
  // A library gets the token before them.
  const account = args[(name.endsWith('From') ? 1 : 0) + (kind === 'internal' ? 1 : 0)]
  const isVariable = account?.kind === 'stored' && account.path.every((part) => 'member' in part)
  return isVariable ? [placeOf(account)] : []
}

function effectsOf(change: Change, { signature }: SourceFunction, places: Places): readonly PowerEffect[] {
  const [called = ''] = signature.split('(')
  const { kind, name = '', args = [] } = change
  if (UPGRADES.test(called)) return ['upgrade']
  if (GRANTS.test(called)) return ['grant']
  switch (kind) {
    case 'internal':
      if (UPGRADES.test(name)) return ['upgrade']
      if (MINTS.test(name)) return ['mint']
      if (/^_?burn/.test(name) && args.length > 1 && args[0]?.kind === 'input') return ['move_funds']
      return name === '_pause' || name === '_unpause' ? ['pause'] : []
    case 'event':
      if (name === 'Transfer' && isZero(args[0])) return ['mint']
      return name === 'Paused' || name === 'Unpaused' ? ['pause'] : []
    case 'destroy':
      return ['move_funds']
    case 'call':
      return callEffects(change, called)
    case 'write':
      return change.at === undefined ? [] : writeEffects(change, change.at, signature, places)
    case 'create':
    default:
      return []
  }
}

/** `transfer`, `transferFrom`, `approve`. */
const TOKEN_CALLS: ReadonlyMap<bigint, string> = new Map([
  [0xa9059cbbn, 'transfer'],
  [0x23b872ddn, 'transferFrom'],
  [0x095ea7b3n, 'approve'],
])

/** The selector that assembly writes to memory before a call: at the start of a word, or at its end. */
function selectorIn(value: Value): readonly bigint[] {
  if (value.kind !== 'constant') return []
  for (const shift of [224n, 96n, 0n]) {
    const selector = value.value >> shift
    if (selector << shift === value.value && selector > 0xff_ffffn && selector <= 0xffff_ffffn) return [selector]
  }
  return []
}

const isSent = (amount: Value | undefined): boolean => amount !== undefined && !isZero(amount)

function callEffects(change: Change, called: string): readonly PowerEffect[] {
  const { name = '', target, args = [], amount } = change
  if (name === 'delegatecall' || name === 'functionDelegateCall') return isChosen(target) ? ['execute'] : []
  if (name === 'call' || name === 'functionCall' || name === 'functionCallWithValue') {
    const [encoded] = args.filter((each) => each.kind === 'encoded')
    if (encoded !== undefined) {
      const named = TOKEN_CALLS.get(encoded.selector) ?? encoded.name
      return [...(isSent(amount) ? (['move_funds'] as const) : []), ...namedEffects(named, encoded.passed, [], called)]
    }
    const selectors = args.flatMap(selectorIn)
    if (selectors.length > 0) return selectors.some((each) => TOKEN_CALLS.has(each)) ? ['move_funds'] : []
    const data = name === 'call' ? args[0] : args.find(({ kind }) => kind === 'input')
    const isData = data !== undefined && mentions(data, ({ kind }) => kind === 'input')
    if (isChosen(target) && isData) return ['execute']
    return isSent(amount) ? ['move_funds'] : []
  }
  if (isSent(amount)) return name === 'send' ? ['move_funds'] : []
  return namedEffects(name, args, change.types ?? [], called)
}

/** Functions of other contracts that set what they are named after. */
const SETTERS = /^_?(?:set|update|change|configure|enable|disable|replace)(?:[A-Z_]|$)/
const GRANT_CALLS =
  /^(?:transferOwnership|grantRole|setOwner|setAdmin|changeAdmin|setAuthority|rely|setGovernor|setGovernance)$/
/** What a market may do is stopped for all callers; only accounts are frozen. */
const MARKETS = /reserve|pool|market|asset|vault/i

/** What a call of another contract does, by the name of the function that is called. `called`: the function that calls. */
function namedEffects(
  name: string,
  args: readonly Value[],
  types: readonly string[],
  called: string,
): readonly PowerEffect[] {
  if (VERIFIER_CALLS.test(name)) return ['set_verifier']
  if (MINTS.test(name)) return ['mint']
  if (TRANSFERS.test(name)) return args[1]?.kind === 'self' && name.endsWith('From') ? [] : ['move_funds']
  if (/^(?:un)?pause[A-Z]?\w*$/.test(name)) return ['pause']
  if (!args.some(isChosen)) return []
  if (UPGRADES.test(name)) return ['upgrade']
  if (GRANT_CALLS.test(name)) return ['grant']
  if (!SETTERS.test(name)) return []
  const names = `${called} ${name}`
  if (PRICES.test(names)) return ['set_price']
  if (VERIFIERS.test(names)) return ['set_verifier']
  if (PAUSES.test(names)) return ['pause']
  if (FREEZES.test(names)) return MARKETS.test(names) ? ['pause'] : ['freeze']
  // The last argument is the value, those before it are keys.
  return /^(?:address|contract )/.test(types.at(-1) ?? '') ? ['set_dependency'] : ['set_terms']
}

function writeEffects(
  change: Change,
  at: Stored,
  signature: string,
  { guarding, paid }: Places,
): readonly PowerEffect[] {
  const { value, type = '', label = '' } = change
  const isGuard = guarding.has(placeOf(at))
  if (isGuard) return isZero(value) ? [] : ['grant']
  if (PAUSES.test(label) && /^bool|^uint/.test(type)) return ['pause']
  if (!isChosen(value) && value?.kind !== 'constant') return []
  // To remove an entry sets nothing.
  if (isZero(value)) return []
  if (PRICES.test(label)) return ['set_price']
  if (VERIFIERS.test(label)) return ['set_verifier']
  if (FREEZES.test(label) && at.path.some((part) => 'key' in part)) return ['freeze']
  if (!isChosen(value)) return []
  // To choose who is paid is to move the funds.
  if (paid.has(placeOf(at))) return ['move_funds']
  // Assembly writes words without a type.
  const isAccount = type === '' ? /\(address/.test(signature) : /^(?:address|contract )/.test(type)
  if (isAccount) return PRICES.test(signature.split('(')[0] ?? '') ? ['set_price'] : ['set_dependency']
  return type === '' || /^(?:u?int|bytes|bool|string|enum)/.test(type) ? ['set_terms'] : []
}
