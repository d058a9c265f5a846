/** Reads which contracts are tokens, with symbol and decimals, as the registry knows them. */
import type { Token } from '../../../../vocabulary/tokens.ts'
import { type Hex, toDigits, toHex } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import type { ContractRef } from './contracts.ts'

/** Looks up a token among the contracts that were read. */
export type TokenLookup = (contract: ContractRef) => Token | undefined

type TokenRow = { chain_id: number; address: Buffer; symbol: string; decimals: number }

export async function getTokens(
  database: Pick<Queryable, 'query'>,
  contracts: readonly ContractRef[],
): Promise<TokenLookup> {
  if (contracts.length === 0) return () => undefined
  const { rows } = await database.query<TokenRow>({
    name: 'get_tokens',
    text: sql`select c.chain_id, c.address, c.metadata ->> 'symbol' as symbol, c.metadata -> 'decimals' as decimals
           from (select distinct u.chain_id, decode(u.digits, 'hex') as address
                 from unnest($1::int[], $2::text[]) as u (chain_id, digits)) as k
           join contract c using (chain_id, address)
           where c.metadata ->> 'symbol' is not null and c.metadata ->> 'decimals' is not null`,
    values: [contracts.map(({ chainId }) => chainId), contracts.map(({ address }) => toDigits(address))],
  })
  const keyOf = (chainId: number, address: Hex): string => `${chainId}:${address}`
  const tokens = new Map(
    rows.map(({ chain_id: chainId, address, symbol, decimals }) => [
      keyOf(chainId, toHex(address)),
      { symbol, decimals },
    ]),
  )
  return ({ chainId, address }) => tokens.get(keyOf(chainId, address))
}
