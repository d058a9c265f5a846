/** What an address can do: powers it holds itself, as a signer of multisigs, and through the accounts it controls. */
import type { z } from 'zod'
import { EFFECTS, POWER_CLASSES, type PowerClass, type PowerEffect } from '../../../../vocabulary/powers.ts'
import { type Hex, toDigits, toHex } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import { type Chain, findChain } from '../chains/chains.ts'
import { SIGNER } from '../poll/power-holders.ts'
import type { ContractRef } from '../registry/contracts.ts'
import type { addressView } from './schemas.ts'

export type AddressView = z.input<typeof addressView>

/** Accounts that act for others are followed so many times. */
const MAX_HOPS = 4
const MAX_POWERS = 500
const MAX_RUNNERS = 100

/** Kinds of contracts that act on others by the will of their holders. */
const ACTING: ReadonlySet<string> = new Set([
  'safe',
  'multisig',
  'timelock_oz',
  'timelock_compound',
  'timelock_custom',
  'governor',
  'executor',
  'access_manager',
  'proxy_admin',
])

/** An account on the way, and how the address acts through it. */
type Reached = ContractRef & {
  readonly through: readonly Hex[]
  readonly signatures: number
  readonly delaySeconds: number
}

type Held = {
  readonly holderChainId: number
  readonly holder: Hex
  readonly chainId: number
  readonly address: Hex
  readonly effect: string
  readonly class: PowerClass
  readonly role: string
  readonly delaySeconds: number
  readonly threshold: number | null
  readonly kind: string | null
  readonly name: string | null
  readonly protocol: string | null
}

type ContractPower = AddressView['powers'][number]['contracts'][number]

export async function findAddressView(
  { database }: { readonly database: Queryable },
  { chain, address }: { readonly chain: Chain; readonly address: Hex },
): Promise<AddressView> {
  const found = new Map<PowerEffect, { class: PowerClass; contracts: ContractPower[] }>()
  const seen = new Set<string>([keyOf({ chainId: chain.id, address })])
  let level: readonly Reached[] = [{ chainId: chain.id, address, through: [], signatures: 1, delaySeconds: 0 }]
  let count = 0
  for (let hop = 0; hop < MAX_HOPS && level.length > 0 && count < MAX_POWERS; hop += 1) {
    const byKey = new Map(level.map((reached) => [keyOf(reached), reached]))
    const next: Reached[] = []
    for (const held of await getHeld(database, level, MAX_POWERS - count)) {
      const by = byKey.get(keyOf({ chainId: held.holderChainId, address: held.holder }))
      if (by === undefined) continue
      count += 1
      const reached: Reached = {
        chainId: held.chainId,
        address: held.address,
        through: [...by.through, held.address],
        signatures: Math.max(by.signatures, held.threshold ?? 1),
        delaySeconds: Math.max(by.delaySeconds, held.delaySeconds),
      }
      if (held.effect !== SIGNER) add(found, held, by, reached)
      const isFollowed = held.effect === SIGNER || (held.kind !== null && ACTING.has(held.kind))
      if (!isFollowed || seen.has(keyOf(reached))) continue
      seen.add(keyOf(reached))
      next.push(reached)
    }
    level = next
  }
  const powers = EFFECTS.flatMap((effect) => {
    const power = found.get(effect)
    return power === undefined ? [] : [{ effect, class: power.class, contracts: power.contracts }]
  })
  return {
    chain: { id: chain.id, slug: chain.slug },
    address,
    powers,
    isComplete: count < MAX_POWERS,
    implementationOf: (await getRunners(database, { chainId: chain.id, address })).map((runner) => ({
      ...runner,
      chainId: chain.id,
      chainSlug: chain.slug,
    })),
  }
}

const keyOf = ({ chainId, address }: ContractRef): string => `${chainId}:${address}`

function add(
  found: Map<PowerEffect, { class: PowerClass; contracts: ContractPower[] }>,
  held: Held,
  by: Reached,
  { delaySeconds, signatures }: Reached,
): void {
  const effect = EFFECTS.find((known) => known === held.effect)
  if (effect === undefined) return
  const power = found.get(effect) ?? { class: held.class, contracts: [] }
  power.class = POWER_CLASSES.find((each) => each === power.class || each === held.class) ?? held.class
  power.contracts.push({
    chainId: held.chainId,
    chainSlug: findChain(held.chainId)?.slug ?? String(held.chainId),
    address: held.address,
    name: held.name,
    protocol: held.protocol,
    role: held.role,
    through: [...by.through],
    signaturesNeeded: signatures,
    delaySeconds,
  })
  found.set(effect, power)
}

async function getHeld(database: Queryable, holders: readonly ContractRef[], limit: number): Promise<readonly Held[]> {
  const { rows } = await database.query<Omit<Held, 'holder' | 'address'> & { holder: Buffer; address: Buffer }>({
    name: 'get_held_powers',
    text: sql`select h.holder_chain_id as "holderChainId", h.holder, h.chain_id as "chainId", h.address, h.effect, h.class,
        h.role, h.delay_seconds as "delaySeconds", h.threshold, c.kind, c.name, p.label as protocol
      from (select u.chain_id, decode(u.digits, 'hex') as holder from unnest($1::int[], $2::text[]) as u (chain_id, digits)) as w
      join power_holder h on h.holder_chain_id = w.chain_id and h.holder = w.holder
      left join contract c on c.chain_id = h.chain_id and c.address = h.address
      left join protocol p on p.id = c.protocol_id
      order by h.chain_id, h.address, h.effect limit $3`,
    values: [holders.map(({ chainId }) => chainId), holders.map(({ address }) => toDigits(address)), limit],
  })
  return rows.map(({ holder, address, ...row }) => ({ ...row, holder: toHex(holder), address: toHex(address) }))
}

type Runner = {
  readonly address: Hex
  readonly name: string | null
  readonly protocol: string | null
  readonly isCurrent: boolean
}

/** The contracts with a snapshot that has this implementation, those whose latest snapshot has it first. */
async function getRunners(database: Queryable, { chainId, address }: ContractRef): Promise<readonly Runner[]> {
  const { rows } = await database.query<Omit<Runner, 'address'> & { address: Buffer }>({
    name: 'get_runners',
    text: sql`select s.address, c.name, p.label as protocol, bool_or(not exists (
          select from control_snapshot later where later.chain_id = s.chain_id and later.address = s.address
            and (later.block_number, later.id) > (s.block_number, s.id))) as "isCurrent"
      from control_snapshot s
      left join contract c using (chain_id, address)
      left join protocol p on p.id = c.protocol_id
      where s.chain_id = $1 and coalesce(s.fields ->> 'implementation', s.fields ->> 'beaconImplementation') = $2
      group by s.address, c.name, p.label order by "isCurrent" desc, c.name, s.address limit $3`,
    values: [chainId, address, MAX_RUNNERS],
  })
  return rows.map((row) => ({ ...row, address: toHex(row.address) }))
}
