/** A contract as polls recorded it at a moment in the past: its label, its state, and who controlled it. */
import type { z } from 'zod'
import { toBytes } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import { findProfileVersion, type Moment, momentValues } from '../poll/profile-versions.ts'
import type { ContractRef } from '../registry/contracts.ts'
import type { pastControl } from './control-schemas.ts'
import {
  controlledWith,
  LABEL_CHANGE_COLUMNS,
  type LabelChange,
  labelChangeView,
  POLLED_STATE_COLUMNS,
  type PolledState,
  polledStateView,
} from './control-view.ts'

export type PastView = z.input<typeof pastControl>

/** Returns undefined if nothing was recorded until then. */
export async function findPastView(
  { database }: { readonly database: Queryable },
  ref: ContractRef,
  moment: Moment,
): Promise<PastView | undefined> {
  const [label, state, version] = await Promise.all([
    findLabel(database, ref, moment),
    findState(database, ref, moment),
    findProfileVersion(database, ref, moment),
  ])
  const starts = [
    ...(label === undefined ? [] : [{ at: label.at, blockNumber: label.blockNumber }]),
    ...(state === undefined ? [] : [{ at: state.takenAt, blockNumber: state.blockNumber }]),
    ...(version === undefined ? [] : [{ at: version.recordedAt, blockNumber: version.blockNumber }]),
  ].toSorted((a, b) => a.blockNumber - b.blockNumber)
  const from = starts.at(-1)
  if (from === undefined) return undefined
  const until = await findNextChange(database, ref, from.blockNumber)
  return {
    from: changeView(from),
    until: until === undefined ? null : changeView(until),
    label: label === undefined ? null : labelChangeView(label),
    state: state === undefined ? null : polledStateView(state),
    control: version === undefined ? null : controlledWith(ref, version, new Map()),
  }
}

type Change = { readonly at: Date; readonly blockNumber: number }

const changeView = ({ at, blockNumber }: Change): PastView['from'] => ({ at: at.toISOString(), blockNumber })

async function findLabel(
  database: Queryable,
  { chainId, address }: ContractRef,
  moment: Moment,
): Promise<LabelChange | undefined> {
  const { rows } = await database.query<LabelChange>(
    sql`select ${LABEL_CHANGE_COLUMNS} from control_profile_change
     where chain_id = $1 and address = $2 and (block_number <= $3 or changed_at <= $4) order by id desc limit 1`,
    [chainId, toBytes(address), ...momentValues(moment)],
  )
  return rows[0]
}

async function findState(
  database: Queryable,
  { chainId, address }: ContractRef,
  moment: Moment,
): Promise<PolledState | undefined> {
  const { rows } = await database.query<PolledState>(
    sql`select ${POLLED_STATE_COLUMNS} from control_snapshot
     where chain_id = $1 and address = $2 and (block_number <= $3 or taken_at <= $4)
     order by block_number desc, id desc limit 1`,
    [chainId, toBytes(address), ...momentValues(moment)],
  )
  return rows[0]
}

/** The first change of label, state or control after a block. */
async function findNextChange(
  database: Queryable,
  { chainId, address }: ContractRef,
  block: number,
): Promise<Change | undefined> {
  const { rows } = await database.query<Change>(
    sql`select min(at) as at, block_number as "blockNumber" from (
       select changed_at as at, block_number from control_profile_change where chain_id = $1 and address = $2 and block_number > $3
       union all
       select taken_at, block_number from control_snapshot where chain_id = $1 and address = $2 and block_number > $3
       union all
       select recorded_at, block_number from profile_version where chain_id = $1 and address = $2 and block_number > $3) as later
     group by block_number order by block_number limit 1`,
    [chainId, toBytes(address), block],
  )
  return rows[0]
}
