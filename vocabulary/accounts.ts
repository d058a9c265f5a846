/** What an account in a control tree is, as data, and the English text for it. */
import { exactDuration } from './time.ts'

export type Hex = `0x${string}`

/** What was recognized at an address, with the figures that matter to a reader. */
export type AccountSummary =
  | { readonly kind: 'none' }
  | { readonly kind: 'eoa'; readonly delegatedTo?: Hex }
  /** `origin`: the L1 contract that acts under this alias. */
  | { readonly kind: 'l1_alias'; readonly origin: Hex }
  /** Without a version the singleton is not one that Safe released. */
  | { readonly kind: 'safe'; readonly threshold: number; readonly owners: number; readonly version?: string }
  /** `guardianSet`: the index of Wormhole's guardian set that signs. */
  | { readonly kind: 'multisig'; readonly threshold: number; readonly owners: number; readonly guardianSet?: string }
  | {
      readonly kind: 'timelock_oz' | 'timelock_compound' | 'timelock_other' | 'zodiac_delay' | 'payloads_controller'
      readonly delaySeconds: number
    }
  | ({ readonly kind: 'governor' } & VotingRules)
  | {
      readonly kind: 'proxy_admin' | 'executor' | 'access_manager' | 'wards' | 'ownable_contract' | 'unknown_contract'
    }
  | { readonly kind: 'aragon_app'; readonly kernel: Hex; readonly isVoting: boolean }
  | { readonly kind: 'lido_timelock'; readonly governance: Hex }
  | { readonly kind: 'unjudged'; readonly why?: NotJudged }

export type AccountKind = AccountSummary['kind']

/** Digits. `clock`: what delay and period count. */
export type VotingRules = {
  readonly clock?: 'blocks' | 'seconds'
  readonly votingDelay?: string
  readonly votingPeriod?: string
  readonly quorumPercent?: string
  readonly quorumVotes?: string
}

/** Why an account of the tree was not judged by itself. */
export type NotJudged =
  | { readonly code: 'repeated' }
  | { readonly code: 'limit'; readonly hops: number; readonly accounts: number }
  | { readonly code: 'unknown_upgrader' }

/** An account with its address and the name the registry gives it. */
export type NamedAccount = { readonly account: AccountSummary; readonly address: Hex; readonly name?: string }

/** `Safe 0x… (3 of 5, version 1.4.1)`. */
export function accountText({ account, address, name }: NamedAccount): string {
  const at = name === undefined ? address : `${name} ${address}`
  switch (account.kind) {
    case 'none':
      return `${at}, which has no known key (renounced, burned)`
    case 'eoa':
      return account.delegatedTo === undefined
        ? `${at}, an EOA: a single key`
        : `${at}, an EIP-7702 account acting through ${account.delegatedTo}: still one key`
    case 'l1_alias':
      return `${at}, the alias of L1 contract ${account.origin}`
    case 'safe':
      return account.version === undefined
        ? `${at}, which has the interface of a Safe (${quorumText(account)}) with an unofficial singleton`
        : `Safe ${at} (${quorumText(account)}, version ${account.version})`
    case 'multisig':
      return account.guardianSet === undefined
        ? `multisig ${at} (${quorumText(account)})`
        : `guardian set ${account.guardianSet} (${quorumText(account)} sign an upgrade)`
    case 'timelock_oz':
      return `OpenZeppelin timelock ${at} ${delayText(account.delaySeconds)}`
    case 'timelock_compound':
      return `Compound timelock ${at} ${delayText(account.delaySeconds)}`
    case 'timelock_other':
      return `timelock ${at} ${delayText(account.delaySeconds)}`
    case 'zodiac_delay':
      return `Zodiac delay module ${at} with a cooldown of ${exactDuration(account.delaySeconds)}`
    case 'payloads_controller':
      return `Aave PayloadsController ${at} with a payload delay of ${exactDuration(account.delaySeconds)}`
    case 'governor':
      return `governor ${at}: a token vote${votingText(account)}`
    case 'proxy_admin':
      return `ProxyAdmin ${at}`
    case 'executor':
      return `executor ${at}`
    case 'access_manager':
      return `AccessManager ${at}`
    case 'wards':
      return `contract ${at}, which its wards control`
    case 'aragon_app':
      return `Aragon ${account.isVoting ? 'voting ' : ''}app ${at}, which the access lists of kernel ${account.kernel} control`
    case 'lido_timelock':
      return `Lido timelock ${at}, to which governance ${account.governance} submits`
    case 'ownable_contract':
      return `contract ${at}`
    case 'unknown_contract':
      return `contract ${at}, which is not recognized`
    case 'unjudged':
    default:
      return notJudgedText(at, account.why)
  }
}

/** A signer next to others: what makes a single key alarming is that it stands alone. */
export const signerText = (signer: NamedAccount): string =>
  signer.account.kind === 'eoa' && signer.account.delegatedTo === undefined
    ? `${signer.name === undefined ? '' : `${signer.name} `}${signer.address}, an EOA`
    : accountText(signer)

function notJudgedText(at: string, why: NotJudged | undefined): string {
  switch (why?.code) {
    case 'repeated':
      return `${at} again`
    case 'limit':
      return `${at}, beyond ${why.hops} hops or ${why.accounts} accounts`
    case 'unknown_upgrader':
      return 'replaceable by accounts that are not known'
    case undefined:
    default:
      return at
  }
}

const quorumText = ({ threshold, owners }: { readonly threshold: number; readonly owners: number }): string =>
  `${threshold} of ${owners}`

const DAY = 86_400

/** `with a delay of 48 h (2 d)`. */
export function delayText(seconds: number): string {
  if (seconds <= 0) return 'whose delay is zero'
  if (seconds === DAY) return 'with a delay of exactly 24 h (1 d)'
  return seconds < DAY
    ? `with a delay of ${exactDuration(seconds)}, under 24 h`
    : `with a delay of ${exactDuration(seconds)}`
}

/** ` (voting delay 1 block, voting period 100 blocks, quorum 4 %)`. */
function votingText({ clock, votingDelay, votingPeriod, quorumPercent, quorumVotes }: VotingRules): string {
  const time = (digits: string): string => {
    if (clock === 'seconds') return exactDuration(Number(digits))
    return clock === undefined ? digits : `${digits} ${digits === '1' ? 'block' : 'blocks'}`
  }
  const rules = [
    ...(votingDelay === undefined ? [] : [`voting delay ${time(votingDelay)}`]),
    ...(votingPeriod === undefined ? [] : [`voting period ${time(votingPeriod)}`]),
    ...(quorumPercent === undefined ? [] : [`quorum ${quorumPercent} %`]),
    ...(quorumVotes === undefined ? [] : [`quorum ${quorumVotes} votes`]),
  ]
  return rules.length === 0 ? '' : ` (${rules.join(', ')})`
}
