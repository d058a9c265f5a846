/** How accounts, delays and thresholds are written for people. */
import type { Hex } from 'viem'
import type { Account, VotingRules } from './account.ts'

const DAY = 86_400
const HOUR = 3_600

/** `48 h (2 d)`, `23 h 59 min 59 s`. */
export function duration(seconds: number): string {
  if (seconds >= DAY && seconds % DAY === 0) return `${seconds / HOUR} h (${seconds / DAY} d)`
  const parts = [
    [Math.floor(seconds / HOUR), 'h'],
    [Math.floor((seconds % HOUR) / 60), 'min'],
    [seconds % 60, 's'],
  ] as const
  const shown = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}`)
  return shown.length === 0 ? '0 s' : shown.join(' ')
}

export function delayNote(seconds: number): string {
  if (seconds <= 0) return 'whose delay is zero'
  if (seconds === DAY) return 'with a delay of exactly 24 h (1 d)'
  return seconds < DAY ? `with a delay of ${duration(seconds)}, under 24 h` : `with a delay of ${duration(seconds)}`
}

/** What stands at an address, with the figures that matter. */
export function describe(account: Account, address: Hex, name?: string): string {
  const at = name === undefined ? address : `${name} ${address}`
  switch (account.kind) {
    case 'none':
      return `${at}, which nobody holds (renounced, burned)`
    case 'eoa':
      return account.delegatedTo === undefined
        ? `${at}, an EOA: a single key`
        : `${at}, an EIP-7702 account acting through ${account.delegatedTo}: still one key`
    case 'l1_alias':
      return `${at}, the alias of L1 contract ${account.origin.address}`
    case 'safe':
      return account.version === undefined
        ? `${at}, which answers as a Safe (${account.threshold} of ${account.owners.length}) with an unofficial singleton`
        : `Safe ${at} (${account.threshold} of ${account.owners.length}, version ${account.version})`
    case 'multisig':
      return `multisig ${at} (${account.threshold} of ${account.owners.length})`
    case 'timelock_oz':
      return `OpenZeppelin timelock ${at} ${delayNote(account.delay)}`
    case 'timelock_compound':
      return `Compound timelock ${at} ${delayNote(account.delay)}`
    case 'timelock_other':
      return `timelock ${at} ${delayNote(account.delay)}`
    case 'zodiac_delay':
      return `Zodiac delay module ${at} with a cooldown of ${duration(account.cooldown)}`
    case 'payloads_controller':
      return `Aave PayloadsController ${at} with a payload delay of ${duration(account.delay)}`
    case 'governor':
      return `governor ${at}: a token vote${votingNote(account)}`
    case 'proxy_admin':
      return `ProxyAdmin ${at}`
    case 'executor':
      return `executor ${at}`
    case 'access_manager':
      return `AccessManager ${at}`
    case 'wards':
      return `contract ${at}, which obeys its wards`
    case 'aragon_app':
      return `Aragon ${account.isVoting ? 'voting ' : ''}app ${at}, which obeys the access lists of kernel ${account.kernel}`
    case 'lido_timelock':
      return `Lido timelock ${at}, to which governance ${account.governance} submits`
    case 'ownable_contract':
      return `contract ${at}`
    case 'unknown_contract':
    default:
      return `contract ${at}, a controller that is not recognised`
  }
}

/** ` (voting delay 1, voting period 100, quorum 4 %)`, in the governor's own units. */
function votingNote({ delay, period, quorumPercent, quorumVotes }: VotingRules): string {
  const rules = [
    ...(delay === undefined ? [] : [`voting delay ${delay}`]),
    ...(period === undefined ? [] : [`voting period ${period}`]),
    ...(quorumPercent === undefined ? [] : [`quorum ${quorumPercent} %`]),
    ...(quorumVotes === undefined ? [] : [`quorum ${quorumVotes} votes`]),
  ]
  return rules.length === 0 ? '' : ` (${rules.join(', ')})`
}
