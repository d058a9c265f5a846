/** Who signs for a multisig, down to single keys: one key behind several owners counts once. */
import type { Hex } from 'viem'
import type { Reason } from '../../../../vocabulary/reasons.ts'
import type { ContractRef } from '../registry/contracts.ts'
import { type Account, classify, summaryOf } from './account.ts'
import type { Signer } from './control-node.ts'
import { type Hop, type Judgment, MAX_HOPS, type Walk } from './control-path.ts'
import { isBurnAddress } from './controllers.ts'
import { each, type Facts } from './facts.ts'
import { labelByDelay } from './label.ts'
import { PROPOSER } from './roles.ts'
import { HARMLESS_MODULES } from './safe-releases.ts'
import { refKey } from './state.ts'
import { type Signatory, signersNeeded } from './threshold.ts'
import { upgradeAuthority } from './upgrade-authority.ts'

type Multisig = { readonly threshold: number; readonly owners: readonly Hex[] }

export function signersOf(walk: Walk, facts: Facts, multisig: Multisig, hop: Hop): Judgment {
  const needed = signersNeeded(groupOf(facts, multisig, hop.path))
  const nested = nestedSafes(facts, multisig, needed)
  const notes: Reason[] = nested === undefined ? [] : [nested]
  const signers = multisig.owners.map((owner) => signerOf(walk, facts, owner))
  if (needed === undefined)
    return { label: 'immutable', paths: [], signers, notes: [...notes, { code: 'never_signs' }] }
  if (needed === 1) {
    const { threshold } = multisig
    return { label: 'single_key', paths: [], signers, notes: [...notes, { code: 'single_signer', threshold }] }
  }
  if (hop.delaySeconds <= 0) notes.push({ code: 'no_delay' })
  return { label: labelByDelay(hop.delaySeconds), paths: [], signers, notes }
}

const groupOf = (facts: Facts, { threshold, owners }: Multisig, path: readonly ContractRef[]): Signatory => ({
  type: 'group',
  needed: threshold,
  members: each(owners, (owner) => signatoryOf(facts.sameChain(owner), path)),
})

const isMultisig = (account: Account): account is Account & Multisig =>
  account.kind === 'multisig' || (account.kind === 'safe' && account.version !== undefined)

function signatoryOf(facts: Facts, path: readonly ContractRef[]): Signatory {
  const account = classify(facts)
  const key: Signatory = { type: 'key', id: facts.state.address }
  if (account.kind === 'none') return { type: 'none' }
  if (account.kind === 'l1_alias') return signatoryOf(facts.at(account.origin), path)
  // A group that contains itself, or is nested too deep, counts as one key: never more than it is.
  const isCircular = path.some((passed) => refKey(passed) === refKey(facts.ref)) || path.length > MAX_HOPS
  if (account.kind === 'eoa' || isCircular) return key
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
    return alone.length === 0 ? group : { type: 'group', needed: 1, members: [group, ...alone] }
  }
  return alone.length === 0 ? key : { type: 'group', needed: 1, members: alone }
}

const modulesOf = (account: Account): readonly Hex[] =>
  account.kind === 'safe' ? account.modules.filter((module) => !HARMLESS_MODULES.has(module)) : []

/** Accounts each of which can make the account sign; none where they are not known, so that the account is one key. */
function controllersOfSigner(facts: Facts, account: Account): readonly Hex[] {
  if (account.kind === 'ownable_contract' || account.kind === 'timelock_other')
    return account.controllers.map(({ address }) => address)
  if (account.kind === 'timelock_compound') return [account.admin]
  if (account.kind === 'proxy_admin') return [account.owner]
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
  return { address: owner, account: summaryOf(classify(there)), ...(name === undefined ? {} : { name }) }
}
