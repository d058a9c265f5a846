/** SQL of the accounts that hold powers over a contract or sign for it, by which the powers of an address are found. */
import { toBytes, toDigits } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import type { Profile } from '../profile/profile.ts'
import type { ContractRef } from '../registry/contracts.ts'

/** The effect of a row for a signer of a multisig. */
export const SIGNER = 'signer'

type Row = ContractRef & {
  readonly effect: string
  readonly class: string
  readonly role: string
  readonly delaySeconds: number
  readonly threshold: number | null
}

/** Replaces the holders of a contract. A poll that could not read everything keeps those of the last one. */
export async function savePowerHolders(
  client: Queryable,
  { chainId, address }: ContractRef,
  { powers, tree, stale }: Pick<Profile, 'powers' | 'tree' | 'stale'>,
): Promise<void> {
  if (stale || powers === null) return
  const held = powers.flatMap(({ effect, class: of, holders }) =>
    holders.map((holder): Row => ({ ...holder, effect, class: of, threshold: null })),
  )
  const threshold = 'threshold' in tree.account ? tree.account.threshold : 1
  const signers = (tree.signers ?? []).map(
    (signer): Row => ({
      chainId,
      address: signer.address,
      effect: SIGNER,
      class: 'critical',
      role: 'Signer',
      delaySeconds: 0,
      threshold,
    }),
  )
  const rows = [...held, ...signers]
  await client.query(sql`delete from power_holder where chain_id = $1 and address = $2`, [chainId, toBytes(address)])
  await client.query(
    sql`insert into power_holder (holder_chain_id, holder, chain_id, address, effect, class, role, delay_seconds, threshold)
     select h.chain_id, decode(h.holder, 'hex'), $1, $2, h.effect, h.class, h.role, h.delay, h.threshold
     from unnest($3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::int[])
       as h (chain_id, holder, effect, class, role, delay, threshold)
     on conflict do nothing`,
    [
      chainId,
      toBytes(address),
      rows.map((row) => row.chainId),
      rows.map((row) => toDigits(row.address)),
      rows.map((row) => row.effect),
      rows.map((row) => row.class),
      rows.map((row) => row.role),
      rows.map((row) => Math.round(row.delaySeconds)),
      rows.map((row) => row.threshold),
    ],
  )
}
