/** Who signs for a multisig, down to single keys: one key behind several owners counts once. */
import type { Hex } from 'viem'
import type { Reason } from '../../../../vocabulary/reasons.ts'
import type { ContractRef } from '../registry/contracts.ts'
import { type Account, classify, summaryOf } from './account.ts'
import { labelByDelay, type Signer } from './control-node.ts'
import { type Hop, type Judgment, MAX_HOPS, type Walk } from './control-path.ts'
import { isBurnAddress } from './controllers.ts'
import { each, type Facts } from './facts.ts'
import { PROPOSER } from './roles.ts'
import { HARMLESS_MODULES } from './safe-account.ts'
import { signsByOwners } from './safe-storage.ts'
import { refKey } from './state.ts'
import { upgradeAuthority } from './upgrade-authority.ts'

type Multisig = { readonly threshold: number; readonly owners: readonly Hex[] }

/** `approvals`: owners whose approval of a transaction is stored and may be forged, for each transaction. */
export function signersOf(
  walk: Walk,
  facts: Facts,
  multisig: Multisig,
  hop: Hop,
  approvals: readonly (readonly Hex[])[] = [],
): Judgment {
  const group = groupOf(facts, multisig, hop.path)
  const needed = signersNeeded(group)
  const nested = nestedSafes(facts, multisig, needed)
  const signers = each(multisig.owners, (owner) => signerOf(walk, facts, owner))
  const notes: Reason[] = [...(nested === undefined ? [] : [nested]), ...qualityOf(multisig, signers)]
  const proven = keysProven(group)
  const forged = approvals.map((owners) => keysProven(withApprovals(group, multisig, owners)))
  // Where the known keys are too few, a contract or a forged approval may still make up for them.
  if ([needed, proven, ...forged].every((keys) => keys === undefined))
    return { label: 'immutable', paths: [], signers, notes: [...notes, { code: 'never_signs' }] }
  const counted = { paths: [], signers, ...(needed === undefined ? {} : { signersNeeded: needed }) }
  if (needed === 1) {
    const { threshold } = multisig
    return { ...counted, label: 'single_key', notes: [...notes, { code: 'single_signer', threshold }] }
  }
  if (proven !== undefined && (needed === undefined || proven < 2))
    return { ...counted, label: 'unknown', notes: [...notes, { code: 'contract_signers' }] }
  if (needed === undefined || forged.some((keys) => keys !== undefined && keys < 2))
    return { ...counted, label: 'unknown', notes: [...notes, { code: 'approvals_unproven' }] }
  if (hop.delaySeconds <= 0) notes.push({ code: 'no_delay' })
  return { ...counted, label: labelByDelay(hop.delaySeconds), notes }
}

/** What makes a multisig weaker than its figures: few of many signers, contracts, keys that were never used. */
function qualityOf({ threshold, owners }: Multisig, signers: readonly Signer[]): readonly Reason[] {
  const addresses = (those: readonly Signer[]): readonly Hex[] => those.map(({ address }) => address)
  const contracts = signers.filter(isContractSigner)
  const unused = signers.filter(({ isUnused }) => isUnused === true)
  return [
    ...(owners.length === 1 ? ([{ code: 'one_owner' }] as const) : []),
    ...(threshold * 2 < owners.length ? ([{ code: 'below_half', threshold, owners: owners.length }] as const) : []),
    ...(contracts.length > 0 ? ([{ code: 'signing_contracts', signers: addresses(contracts) }] as const) : []),
    ...(unused.length > 0 ? ([{ code: 'unused_signers', signers: addresses(unused) }] as const) : []),
  ]
}

/** A contract other than a multisig, whose signers are counted. */
export const isContractSigner = ({ account: { kind } }: Pick<Signer, 'account'>): boolean =>
  !['none', 'eoa', 'l1_alias', 'safe', 'multisig', 'unjudged'].includes(kind)

const groupOf = (facts: Facts, { threshold, owners }: Multisig, path: readonly ContractRef[]): Signatory => ({
  type: 'group',
  needed: threshold,
  members: each(owners, (owner) => signatoryOf(facts.sameChain(owner), path)),
})

/** The group as if some owners had signed: each counts like a contract that signs everything. */
const withApprovals = (group: Signatory, { owners }: Multisig, approved: readonly Hex[]): Signatory =>
  group.type !== 'group'
    ? group
    : {
        ...group,
        members: group.members.map((member, at) =>
          approved.includes(owners[at] as Hex) ? { type: 'contract', as: member } : member,
        ),
      }

const isMultisig = (account: Account): account is Account & Multisig =>
  account.kind === 'multisig' || (account.kind === 'safe' && account.version !== undefined)

function signatoryOf(facts: Facts, path: readonly ContractRef[]): Signatory {
  const account = classify(facts)
  const key: Signatory = { type: 'key', id: facts.state.address }
  if (account.kind === 'none') return { type: 'none' }
  if (account.kind === 'l1_alias') return signatoryOf(facts.at(account.origin), path)
  // The contract that a key runs (EIP-7702) may sign and approve for others.
  if (account.kind === 'eoa') return account.delegatedTo === undefined ? key : { type: 'contract', as: key }
  // A group that contains itself counts as one key: never more than it is. Any other contract signs by rules of its own.
  if (path.some((passed) => refKey(passed) === refKey(facts.ref))) {
    const isProven = account.kind === 'safe' && account.version !== undefined && signsByOwners(facts, account)
    return isProven ? key : { type: 'contract', as: key }
  }
  // The same key may be behind several groups that are nested too deep to be followed.
  if (path.length > MAX_HOPS) return { type: 'contract', as: key }
  const further = [...path, facts.ref]
  const signatories = (addresses: readonly Hex[]): readonly Signatory[] =>
    each(
      addresses.filter((address) => !isBurnAddress(address)),
      (address) => signatoryOf(facts.sameChain(address), further),
    ).filter((signatory) => signatory.type !== 'key' || signatory.id !== facts.state.address)
  // A module acts without the owners; so does a controller of the account, and an account that can replace its code.
  const alone = signatories([...modulesOf(account), ...controllersOfSigner(facts, account), ...upgradersOf(facts)])
  if (isMultisig(account)) {
    const group = groupOf(facts, account, further)
    const signed: Signatory = alone.length === 0 ? group : { type: 'group', needed: 1, members: [group, ...alone] }
    const isProven = account.kind === 'safe' && signsByOwners(facts, account)
    return isProven ? signed : { type: 'contract', as: signed }
  }
  return { type: 'contract', as: alone.length === 0 ? key : { type: 'group', needed: 1, members: alone } }
}

const modulesOf = (account: Account): readonly Hex[] =>
  account.kind === 'safe' ? account.modules.filter((module) => !HARMLESS_MODULES.has(module)) : []

/** Accounts each of which can make the account sign; none where they are not known, so that the account is one key. */
function controllersOfSigner(facts: Facts, account: Account): readonly Hex[] {
  if (account.kind === 'ownable_contract' || account.kind === 'timelock_other')
    return account.controllers.map(({ address }) => address)
  if (account.kind === 'timelock_compound') return [account.admin]
  if (account.kind === 'proxy_admin') return [account.owner]
  if (account.kind === 'access_manager')
    return [...(facts.members('manager')?.values() ?? [])].flat().map((member) => member.account)
  if (account.kind !== 'timelock_oz') return []
  return (facts.members('roles')?.roles.get(PROPOSER)?.members ?? []).filter((member) => member !== facts.state.address)
}

function upgradersOf(facts: Facts): readonly Hex[] {
  if (facts.code()?.delegating !== true) return []
  const authority = upgradeAuthority(facts)
  return authority.type === 'immutable' ? [] : (authority.upgraders ?? []).map(({ address }) => address)
}

function nestedSafes(facts: Facts, { owners }: Multisig, needed: number | undefined): Reason | undefined {
  const nested = owners.map((owner) => classify(facts.sameChain(owner))).filter(isMultisig)
  if (nested.length === 0) return undefined
  return {
    code: 'nested_safes',
    safes: nested.map((safe) => ({ threshold: safe.threshold, owners: safe.owners.length })),
    owners: owners.length,
    ...(needed === undefined ? {} : { signersNeeded: needed }),
  }
}

function signerOf(walk: Walk, facts: Facts, owner: Hex): Signer {
  const there = facts.sameChain(owner)
  const name = walk.nameOf(there.ref)
  const account = summaryOf(classify(there))
  const isUnused = account.kind === 'eoa' && account.delegatedTo === undefined && there.sentTransactions() === 0
  return { address: owner, account, ...(name === undefined ? {} : { name }), ...(isUnused ? { isUnused } : {}) }
}

/**
 * A key, a group of which `needed` members must sign, an address that cannot sign, or a contract: it signs by rules of
 * its own, perhaps for the accounts in `as`.
 */
export type Signatory =
  | { readonly type: 'key'; readonly id: string }
  | { readonly type: 'contract'; readonly as: Signatory }
  | { readonly type: 'group'; readonly needed: number; readonly members: readonly Signatory[] }
  | { readonly type: 'none' }

/** Beyond this many combinations, or so many keys in all of them, the sum is the result. */
const MAX_COMBINATIONS = 20_000
const MAX_KEYS_TRIED = 2_000_000

/**
 * The least number of distinct keys that can sign, counted through nested multisigs: exact where all combinations can be
 * tried. Undefined: it can never sign.
 */
export function signersNeeded(signatory: Signatory): number | undefined {
  const sum = costOf(signatory)
  if (sum === undefined) return undefined
  const all = keysOf(signatory)
  const keys = [...new Set(all)]
  if (keys.length === all.length) return sum // no key is in two groups
  const most = Math.min(MAX_COMBINATIONS, MAX_KEYS_TRIED / all.length)
  // A single key that suffices is in two groups. Where there are too many to try them all, one may suffice.
  const shared = sum > 1 ? repeated(all) : []
  if (shared.length > most || shared.some((key) => canSign(signatory, new Set([key])))) return 1
  let tried = 0
  for (let size = 2; size < sum; size += 1) {
    for (const chosen of choose(keys, size)) {
      tried += 1
      if (tried > most) return sum
      if (canSign(signatory, new Set(chosen))) return size
    }
  }
  return sum
}

function repeated(keys: readonly string[]): readonly string[] {
  const [once, twice] = [new Set<string>(), new Set<string>()]
  for (const key of keys) (once.has(key) ? twice : once).add(key)
  return [...twice]
}

/** The least number of keys if every contract signs whatever it is asked to sign. */
const keysProven = (signatory: Signatory): number | undefined => signersNeeded(withFreeContracts(signatory))

function withFreeContracts(signatory: Signatory): Signatory {
  if (signatory.type === 'contract') return { type: 'contract', as: signatory }
  return signatory.type === 'group' ? { ...signatory, members: signatory.members.map(withFreeContracts) } : signatory
}

/** A contract that was made free stands for itself. */
const isFree = (signatory: Signatory & { readonly type: 'contract' }): boolean => signatory.as.type === 'contract'

function canSign(signatory: Signatory, keys: ReadonlySet<string>): boolean {
  if (signatory.type === 'key') return keys.has(signatory.id)
  if (signatory.type === 'contract') return isFree(signatory) || canSign(signatory.as, keys)
  if (signatory.type === 'none') return false
  return distinct(signatory.members).filter((member) => canSign(member, keys)).length >= signatory.needed
}

/** The sum of the cheapest members that suffice, as if no key were in two groups. */
function costOf(signatory: Signatory): number | undefined {
  if (signatory.type === 'none') return undefined
  if (signatory.type === 'key') return 1
  if (signatory.type === 'contract') return isFree(signatory) ? 0 : costOf(signatory.as)
  const costs = distinct(signatory.members)
    .map(costOf)
    .filter((cost) => cost !== undefined)
    .sort((a, b) => a - b)
  if (signatory.needed < 1 || costs.length < signatory.needed) return undefined
  return costs.slice(0, signatory.needed).reduce((sum, cost) => sum + cost, 0)
}

/** An owner listed twice signs once. */
function distinct(members: readonly Signatory[]): readonly Signatory[] {
  const seen = new Set<string>()
  return members.filter((member) => {
    if (member.type !== 'key') return true
    if (seen.has(member.id)) return false
    seen.add(member.id)
    return true
  })
}

/** One entry per membership: a key in two groups is listed twice. */
function keysOf(signatory: Signatory): readonly string[] {
  if (signatory.type === 'key') return [signatory.id]
  if (signatory.type === 'contract') return isFree(signatory) ? [] : keysOf(signatory.as)
  return signatory.type === 'group' ? distinct(signatory.members).flatMap(keysOf) : []
}

function* choose(keys: readonly string[], size: number, from = 0): Generator<readonly string[]> {
  if (size === 0) {
    yield []
    return
  }
  for (let at = from; at <= keys.length - size; at += 1)
    for (const rest of choose(keys, size - 1, at + 1)) yield [keys[at] as string, ...rest]
}
