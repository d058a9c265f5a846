/** The view of one account of a control tree, with what its signatures are worth where it is a multisig. */
import type { z } from 'zod'
import { accountText, signerText } from '../../../../vocabulary/accounts.ts'
import { roleTitle } from '../../../../vocabulary/control-roles.ts'
import { holderLabelText } from '../../../../vocabulary/labels.ts'
import { reasonTexts } from '../../../../vocabulary/reasons.ts'
import { toDigits, toHex } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import { findChain } from '../chains/chains.ts'
import { SIGNER } from '../poll/power-holders.ts'
import type { ControlNode } from '../profile/control-node.ts'
import { leaderOf } from '../profile/leader.ts'
import { isContractSigner } from '../profile/signers.ts'
import { refKey } from '../profile/state.ts'
import type { ContractRef } from '../registry/contracts.ts'
import type { controlNode } from './schemas.ts'

type NodeView = z.input<typeof controlNode>

type OtherMultisigs = NonNullable<NodeView['multisig']>['sharedSigners'][number]
/** Signers of several watched multisigs, by `refKey`. */
export type SharedSigners = ReadonlyMap<string, Pick<OtherMultisigs, 'multisigs' | 'signsFor'>>

/** So many multisigs of a signer are named. */
const NAMED_MULTISIGS = 20

/** Finds the watched multisigs of every signer in the trees, where there are several. */
export async function getSharedSigners(database: Queryable, trees: readonly ControlNode[]): Promise<SharedSigners> {
  const signers = [...new Map(trees.flatMap(signersIn).map((signer) => [refKey(signer), signer])).values()]
  if (signers.length === 0) return new Map()
  type Row = { chainId: number; holder: Buffer; multisigs: number; at: number; address: Buffer; name: string | null }
  const { rows } = await database.query<Row>(
    sql`select h."chainId", h.holder, h.multisigs, h.at, h.address, c.name
     from (select h.holder_chain_id as "chainId", h.holder, h.chain_id as at, h.address,
         count(*) over (partition by h.holder_chain_id, h.holder)::int as multisigs,
         row_number() over (partition by h.holder_chain_id, h.holder order by h.chain_id, h.address) as nth
       from unnest($1::int[], $2::text[]) as s (chain_id, signer)
       join power_holder h on h.holder_chain_id = s.chain_id and h.holder = decode(s.signer, 'hex') and h.effect = $3) h
     left join contract c on c.chain_id = h.at and c.address = h.address
     where h.multisigs > 1 and h.nth <= $4 order by h."chainId", h.holder, h.nth`,
    [signers.map(({ chainId }) => chainId), signers.map(({ address }) => toDigits(address)), SIGNER, NAMED_MULTISIGS],
  )
  const bySigner = Map.groupBy(rows, ({ chainId, holder }) => refKey({ chainId, address: toHex(holder) }))
  return new Map(
    [...bySigner].map(([signer, found]) => [
      signer,
      {
        multisigs: found[0]?.multisigs ?? 0,
        signsFor: found.map(({ at, address, name }) => ({
          chainId: at,
          chainSlug: findChain(at)?.slug ?? String(at),
          address: toHex(address),
          name,
        })),
      },
    ]),
  )
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
      const others = shared.get(refKey({ chainId, address }))
      return others === undefined ? [] : [{ address, ...others }]
    }),
  }
}
