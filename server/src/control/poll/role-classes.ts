/** SQL of how harmful roles are: the worst class of the functions that each opens. */
import { type PowerClass, worstClass } from '../../../../vocabulary/powers.ts'
import { type Hex, toBytes, toDigits, toHex } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import type { RoleWeight } from '../profile/role-weights.ts'
import type { ContractRef } from '../registry/contracts.ts'

/** Replaces the weights of the roles that open functions of a contract. */
export async function saveRoleWeights(
  client: Queryable,
  { chainId, address }: ContractRef,
  roles: readonly RoleWeight[],
): Promise<void> {
  await client.query(sql`delete from role_weight where chain_id = $1 and address = $2`, [chainId, toBytes(address)])
  if (roles.length === 0) return
  await client.query(
    sql`insert into role_weight (chain_id, book, role, address, class)
     select $1, decode(w.book, 'hex'), w.role, $2, w.class
     from unnest($3::text[], $4::text[], $5::text[]) as w (book, role, class) on conflict do nothing`,
    [
      chainId,
      toBytes(address),
      roles.map(({ book }) => toDigits(book)),
      roles.map(({ role }) => role),
      roles.map((role) => role.class),
    ],
  )
}

/** The worst class over all contracts whose functions a role opens, by `book role`. */
export async function getRoleClasses(
  database: Queryable,
  chainId: number,
  roles: readonly { readonly book: Hex; readonly role: string }[],
): Promise<ReadonlyMap<string, PowerClass>> {
  const { rows } = await database.query<{ book: Buffer; role: string; class: PowerClass }>({
    name: 'get_role_classes',
    text: sql`select distinct w.book, w.role, w.class from role_weight w
           join unnest($2::text[], $3::text[]) as r (book, role) on w.book = decode(r.book, 'hex') and w.role = r.role
           where w.chain_id = $1`,
    values: [chainId, roles.map(({ book }) => toDigits(book)), roles.map(({ role }) => role)],
  })
  const byRole = Map.groupBy(rows, ({ book, role }) => `${toHex(book)} ${role}`)
  return new Map([...byRole].map(([key, found]) => [key, worstClass(found.map((row) => row.class))]))
}
