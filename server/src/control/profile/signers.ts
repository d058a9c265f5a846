/** Who signs for a multisig, down to the keys: one person behind several owners is one key. */
import type { Hex } from 'viem'
import { type Account, classify, isNobody } from './account.ts'
import type { Seat } from './control-node.ts'
import { type Hop, type Judged, MOST_HOPS, type Walk } from './control-path.ts'
import { each, type Facts } from './facts.ts'
import { labelByDelay } from './label.ts'
import { PROPOSER } from './roles.ts'
import { HARMLESS_MODULES } from './safe-releases.ts'
import { describe } from './sentences.ts'
import { type Place, placeKey } from './state.ts'
import { keysNeeded, type Signer } from './threshold.ts'
import { upgradeAuthority } from './upgrade-authority.ts'

type Owners = { readonly threshold: number; readonly owners: readonly Hex[] }
type Group = Signer & { readonly type: 'group' }

export function signersOf(to: Walk, facts: Facts, group: Owners, hop: Hop): Judged {
  const signer = groupOf(facts, group, hop.path)
  const needed = keysNeeded(signer)
  const notes: string[] = []
  const nested = nestedText(facts, group, signer)
  if (nested !== undefined)
    notes.push(`${nested}${needed === undefined ? '' : `; ${needed} ${needed === 1 ? 'key is' : 'keys are'} enough`}.`)
  const signers = group.owners.map((owner) => seatOf(to, facts, owner))
  if (needed === undefined)
    return {
      label: 'immutable',
      paths: [],
      signers,
      notes: [...notes, 'Too few of its signers are held by anyone: it can never sign.'],
    }
  if (needed === 1) {
    const why = group.threshold === 1 ? 'Its threshold is 1' : 'One key signs for all the owners it needs'
    return { label: 'single_key', paths: [], signers, notes: [...notes, `${why}: a single key suffices.`] }
  }
  if (hop.delay <= 0) notes.push('Its signers act with no delay.')
  return { label: labelByDelay(hop.delay), paths: [], signers, notes }
}

const groupOf = (facts: Facts, { threshold, owners }: Owners, path: readonly Place[]): Group => ({
  type: 'group',
  needed: threshold,
  members: each(owners, (owner) => signerOf(facts.beside(owner), path)),
})

const isGroup = (account: Account): account is Account & Owners =>
  account.kind === 'multisig' || (account.kind === 'safe' && account.version !== undefined)

function signerOf(facts: Facts, path: readonly Place[]): Signer {
  const account = classify(facts)
  const key: Signer = { type: 'key', id: facts.state.address }
  if (account.kind === 'none') return { type: 'nobody' }
  if (account.kind === 'l1_alias') return signerOf(facts.elsewhere(account.origin), path)
  // A group that contains itself, or hides in groups without end, is counted as one key: never more than it is.
  const isCircular = path.some((passed) => placeKey(passed) === placeKey(facts.place)) || path.length > MOST_HOPS
  if (account.kind === 'eoa' || isCircular) return key
  const further = [...path, facts.place]
  const those = (addresses: readonly Hex[]): readonly Signer[] =>
    each(
      addresses.filter((address) => !isNobody(address)),
      (address) => signerOf(facts.beside(address), further),
    ).filter((signer) => signer.type !== 'key' || signer.id !== facts.state.address)
  // A module signs for it alone, whatever the owners say; so does whoever leads it or can replace its code.
  const alone = those([...modulesOf(account), ...leadersOf(facts, account), ...replacersOf(facts)])
  if (isGroup(account)) {
    const group = groupOf(facts, account, further)
    return alone.length === 0 ? group : { type: 'group', needed: 1, members: [group, ...alone] }
  }
  return alone.length === 0 ? key : { type: 'group', needed: 1, members: alone }
}

const modulesOf = (account: Account): readonly Hex[] =>
  account.kind === 'safe' ? account.modules.filter((module) => !HARMLESS_MODULES.has(module)) : []

/** Each of whom can make the account sign; empty where that is not known, and then it is a key of its own. */
function leadersOf(facts: Facts, account: Account): readonly Hex[] {
  if (account.kind === 'ownable_contract' || account.kind === 'timelock_other')
    return account.controllers.map(({ address }) => address)
  if (account.kind === 'timelock_compound') return [account.admin]
  if (account.kind === 'proxy_admin') return [account.owner]
  if (account.kind !== 'timelock_oz') return []
  return (facts.book('roles')?.roles.get(PROPOSER)?.members ?? []).filter((member) => member !== facts.state.address)
}

function replacersOf(facts: Facts): readonly Hex[] {
  if (facts.code()?.delegating !== true) return []
  const authority = upgradeAuthority(facts)
  return authority.type === 'immutable' ? [] : (authority.roots ?? []).map(({ address }) => address)
}

function nestedText(facts: Facts, { owners }: Owners, { members }: Group): string | undefined {
  const nested = owners.map((owner) => classify(facts.beside(owner))).filter(isGroup)
  if (nested.length === 0) return undefined
  const sizes = nested.map(({ threshold, owners: { length } }) => `${threshold} of ${length}`)
  const all = `(${sizes.join(', ')})`
  if (nested.length === 1) return `One of its owners is a nested Safe ${all}`
  const count = nested.length === 2 ? 'two' : nested.length
  return `${nested.length < members.length ? 'Among its owners' : 'Its owners'} are ${count} nested Safes ${all}`
}

function seatOf(to: Walk, facts: Facts, owner: Hex): Seat {
  const there = facts.beside(owner)
  const account = classify(there)
  return { address: owner, text: describe(account, owner, to.nameOf(there.place)), kind: account.kind }
}
