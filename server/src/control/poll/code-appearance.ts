/**
 * How code came to an address that had none.
 *
 * A deployment is setup. Other code that appears can act for an earlier contract or for an account, so it is a change.
 * In doubt it is not a deployment.
 */
import type { Hex } from '../../lib/hex.ts'
import { toBytes } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import type { CodeFacts } from '../profile/code-facts.ts'
import type { ContractRef } from '../registry/contracts.ts'
import type { RpcPool } from '../rpc/pool.ts'
import { getTransactionCount, type StateBlock } from '../rpc/requests.ts'
import { NoEndpointError } from '../rpc/rpc-error.ts'

export type CodeAppearance =
  /** A transaction created the contract at an unused address. */
  | 'deployment'
  /** A contract was at this address before. */
  | 'redeployment'
  /** The key of the account delegated it to code (EIP-7702). */
  | 'delegation'
  /** The address controls another contract. */
  | 'controller'
  /** The account sent transactions before, so it has a key. */
  | 'account'
  /** No transaction created it, as far as was read. */
  | 'unexplained'

/** `before`: the last block at which the address had no code. */
export async function codeAppearanceOf(
  { database, pool }: { readonly database: Queryable; readonly pool: RpcPool | undefined },
  ref: ContractRef,
  code: CodeFacts,
  { before, block }: { readonly before: StateBlock; readonly block: StateBlock },
): Promise<CodeAppearance> {
  if (code.delegatedTo !== undefined) return 'delegation'
  if (await wasContract(database, ref, before.number)) return 'redeployment'
  if (await isController(database, ref)) return 'controller'
  const [nonceBefore, nonce] = await Promise.all([before, block].map((at) => findNonce(pool, ref.address, at)))
  if (nonceBefore !== undefined && nonceBefore > 0) return 'account'
  // A contract starts with nonce 1 (EIP-161).
  return nonce !== undefined && nonce > 0 ? 'deployment' : 'unexplained'
}

/** Whether a snapshot, a creation or a log shows code at this address up to a block. */
async function wasContract(database: Queryable, { chainId, address }: ContractRef, until: number): Promise<boolean> {
  const { rows } = await database.query<{ found: boolean }>(
    sql`select exists (select 1 from control_snapshot where chain_id = $1 and address = $2 and block_number <= $3
         and fields ->> 'codeHash' is not null)
       or exists (select 1 from contract_creation where chain_id = $1 and address = $2 and present_from <= $3)
       or exists (select 1 from control_event where chain_id = $1 and address = $2 and block_number <= $3
         and not is_derived) as found`,
    [chainId, toBytes(address), until],
  )
  return rows[0]?.found === true
}

/** Whether the profile of another contract of the chain names this address as an account with control. */
async function isController(database: Queryable, { chainId, address }: ContractRef): Promise<boolean> {
  const { rowCount } = await database.query(
    sql`select from control_profile where chain_id = $1 and address <> $2
       and (tree::text like '%' || $3 || '%' or reasons::text like '%' || $3 || '%')
       and (jsonb_path_exists(tree::jsonb, '$.** ? (@.address == $account && exists (@.account))', $4)
         or jsonb_path_exists(reasons::jsonb, '$.** ? (@.address == $account && exists (@.account))', $4))
     limit 1`,
    [chainId, toBytes(address), address, JSON.stringify({ account: address })],
  )
  return (rowCount ?? 0) > 0
}

/** Undefined where no endpoint has the state of the block. */
async function findNonce(pool: RpcPool | undefined, address: Hex, block: StateBlock): Promise<number | undefined> {
  try {
    return (await pool?.request(getTransactionCount(address, block), { priority: 'bulk' }))?.value
  } catch (error) {
    if (error instanceof NoEndpointError) return undefined
    throw error
  }
}
