/** The view of one account of a control tree, with what its signatures are worth where it is a multisig. */
import type { z } from 'zod'
import { accountText, signerText } from '../../../../vocabulary/accounts.ts'
import { roleTitle } from '../../../../vocabulary/control-roles.ts'
import { holderLabelText } from '../../../../vocabulary/labels.ts'
import { reasonTexts } from '../../../../vocabulary/reasons.ts'
import { toDigits, toHex } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import { SIGNER } from '../poll/power-holders.ts'
import type { ControlNode } from '../profile/control-node.ts'
import { leaderOf } from '../profile/leader.ts'
import { isContractSigner } from '../profile/signers.ts'
import { refKey } from '../profile/state.ts'
import type { ContractRef } from '../registry/contracts.ts'
import type { controlNode } from './schemas.ts'

type NodeView = z.input<typeof controlNode>

/** How many watched multisigs an account signs for, by `refKey`. */
export type SharedSigners = ReadonlyMap<string, number>

/** Counts the watched multisigs of every signer in the trees. */
export async function getSharedSigners(database: Queryable, trees: readonly ControlNode[]): Promise<SharedSigners> {
  const signers = [...new Map(trees.flatMap(signersIn).map((signer) => [refKey(signer), signer])).values()]
  if (signers.length === 0) return new Map()
  const { rows } = await database.query<{ chainId: number; holder: Buffer; multisigs: number }>(
    sql`select h.holder_chain_id as "chainId", h.holder, count(*)::int as multisigs
     from unnest($1::int[], $2::text[]) as s (chain_id, signer)
     join power_holder h on h.holder_chain_id = s.chain_id and h.holder = decode(s.signer, 'hex') and h.effect = $3
     group by 1, 2 having count(*) > 1`,
    [signers.map(({ chainId }) => chainId), signers.map(({ address }) => toDigits(address)), SIGNER],
  )
  return new Map(rows.map(({ chainId, holder, multisigs }) => [refKey({ chainId, address: toHex(holder) }), multisigs]))
}

const signersIn = ({ chainId, signers = [], paths }: ControlNode): readonly ContractRef[] => [
  ...signers.map(({ address }) => ({ chainId, address })),
  ...paths.flatMap(signersIn),
]

export function controlNodeView(node: ControlNode, shared: SharedSigners): NodeView {
  const { chainId, address, role, account, label, delaySeconds, notes, paths, signers = [] } = node
  return {
    chainId,
    address,
    role: roleTitle(role),
    kind: account.kind,
    text: accountText(node),
    threshold: 'threshold' in account ? account.threshold : null,
    owners: 'owners' in account ? account.owners : null,
    label,
    labelText: label === 'circular' ? 'Circular' : holderLabelText(label, leaderOf(node)),
    multisig: multisigView(node, shared),
    delaySeconds,
    notes: [...reasonTexts(notes)],
    signers: signers.map((signer) => ({ address: signer.address, text: signerText(signer) })),
    paths: paths.map((path) => controlNodeView(path, shared)),
  }
}

function multisigView(
  { chainId, account, signers = [], signersNeeded }: ControlNode,
  shared: SharedSigners,
): NodeView['multisig'] {
  if (account.kind !== 'safe' && account.kind !== 'multisig') return null
  const { threshold, owners } = account
  return {
    threshold,
    signers: owners,
    keysNeeded: signersNeeded ?? null,
    isBelowHalf: threshold * 2 < owners,
    contractSigners: signers.filter(isContractSigner).map(({ address }) => address),
    unusedSigners: signers.filter(({ isUnused }) => isUnused === true).map(({ address }) => address),
    sharedSigners: signers.flatMap(({ address }) => {
      const multisigs = shared.get(refKey({ chainId, address }))
      return multisigs === undefined ? [] : [{ address, multisigs }]
    }),
  }
}
