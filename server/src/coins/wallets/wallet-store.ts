/** Kept wallets in PostgreSQL. Names, descriptors and labels are sealed with a key outside the database. */
import { type Database, inTransaction, type Queryable } from '../../platform/database.ts'
import { sealContexts, vaultOf } from '../../platform/sealed-columns.ts'
import { sql } from '../../platform/sql.ts'
import { SealError } from '../../platform/vault.ts'
import type { LabelRecord } from './labels.ts'

export type KeptWallet = {
  readonly id: string
  readonly accountId: string
  readonly chain: 'btc' | 'ltc'
  readonly name: string
  /** With its checksum. */
  readonly descriptor: string
  readonly gapLimit: number
  readonly createdAt: Date
}

type Row = Omit<KeptWallet, 'name' | 'descriptor'> & { readonly content: string }
type Content = Pick<KeptWallet, 'name' | 'descriptor'>

const COLUMNS = sql`id, account_id as "accountId", chain, content, gap_limit as "gapLimit", created_at as "createdAt"`

/** Empty if the key of the wallet is lost, so that it does not make the others unreadable. */
function open(database: Queryable, { content, ...row }: Row): KeptWallet[] {
  try {
    const text = vaultOf(database).open(content, sealContexts.keptWallet(row.accountId))
    return [{ ...row, ...(JSON.parse(text) as Content) }]
  } catch (error) {
    if (error instanceof SealError) return []
    throw error
  }
}

/** Oldest first. */
export async function getWallets(database: Queryable, accountId: string): Promise<KeptWallet[]> {
  const { rows } = await database.query<Row>(
    sql`select ${COLUMNS} from kept_wallet where account_id = $1 order by created_at, id`,
    [accountId],
  )
  return rows.flatMap((row) => open(database, row))
}

export async function findWallet(database: Queryable, accountId: string, id: string): Promise<KeptWallet | undefined> {
  const { rows } = await database.query<Row>(
    sql`select ${COLUMNS} from kept_wallet where id = $1 and account_id = $2`,
    [id, accountId],
  )
  return rows.flatMap((row) => open(database, row))[0]
}

type LabelRow = { readonly labels: string | null }

function openLabels(database: Queryable, accountId: string, { labels }: LabelRow): LabelRecord[] {
  if (labels === null) return []
  try {
    return JSON.parse(vaultOf(database).open(labels, sealContexts.keptWallet(accountId))) as LabelRecord[]
  } catch (error) {
    if (error instanceof SealError) return []
    throw error
  }
}

/** The labels of a wallet; empty if the account keeps no such wallet. */
export async function getLabels(database: Queryable, accountId: string, id: string): Promise<LabelRecord[]> {
  const { rows } = await database.query<LabelRow>(
    sql`select labels from kept_wallet where id = $1 and account_id = $2`,
    [id, accountId],
  )
  return rows.flatMap((row) => openLabels(database, accountId, row))
}

/** Replaces the labels of a wallet with the result of `change`. Undefined if the account keeps no such wallet. */
export function changeLabels(
  database: Database,
  { accountId, id }: Pick<KeptWallet, 'accountId' | 'id'>,
  change: (known: readonly LabelRecord[]) => LabelRecord[],
): Promise<LabelRecord[] | undefined> {
  return inTransaction(database, async (client) => {
    const { rows } = await client.query<LabelRow>(
      sql`select labels from kept_wallet where id = $1 and account_id = $2 for update`,
      [id, accountId],
    )
    const [row] = rows
    if (row === undefined) return undefined
    const changed = change(openLabels(client, accountId, row))
    const sealed = vaultOf(client).seal(JSON.stringify(changed), sealContexts.keptWallet(accountId))
    await client.query(sql`update kept_wallet set labels = $2 where id = $1`, [id, sealed])
    return changed
  })
}

/** Returns whether there was such a wallet. */
export async function deleteWallet(database: Queryable, accountId: string, id: string): Promise<boolean> {
  const { rowCount } = await database.query(sql`delete from kept_wallet where id = $1 and account_id = $2`, [
    id,
    accountId,
  ])
  return (rowCount ?? 0) > 0
}

/**
 * Stores a wallet. One with the same chain and descriptor is updated instead and keeps its id. Undefined if the account
 * has `limit` wallets already.
 */
export function saveWallet(database: Database, wallet: KeptWallet, limit: number): Promise<KeptWallet | undefined> {
  return inTransaction(database, async (client) => {
    // Two requests at once must not exceed the limit together.
    await client.query(sql`select 1 from user_account where id = $1 for update`, [wallet.accountId])
    const kept = await getWallets(client, wallet.accountId)
    const same = kept.find(({ chain, descriptor }) => chain === wallet.chain && descriptor === wallet.descriptor)
    if (same === undefined && kept.length >= limit) return undefined
    const { id, createdAt } = same ?? wallet
    const { accountId, chain, name, descriptor, gapLimit } = wallet
    const content: Content = { name, descriptor }
    await client.query(
      sql`insert into kept_wallet (id, account_id, chain, content, gap_limit, created_at) values ($1, $2, $3, $4, $5, $6)
         on conflict (id) do update set content = excluded.content, gap_limit = excluded.gap_limit`,
      [
        id,
        accountId,
        chain,
        vaultOf(client).seal(JSON.stringify(content), sealContexts.keptWallet(accountId)),
        gapLimit,
        createdAt,
      ],
    )
    return { ...wallet, id, createdAt }
  })
}
