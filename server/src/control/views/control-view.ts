/** The control page of a contract: its profile with the control tree, label changes, and states. */

import type { z } from 'zod'
import { LABEL_TONES, type Leader, labelText, type Tone } from '../../../../vocabulary/labels.ts'
import { upgradeTexts } from '../../../../vocabulary/upgrades.ts'
import { type Hex, toBytes } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import type { Chain } from '../chains/chains.ts'
import type { Check, CheckFailure } from '../poll/checks.ts'
import { type CodeChange, getUpgrades } from '../poll/code-changes.ts'
import { getLastingDisagreements } from '../poll/disagreements.ts'
import { getVersionTimes } from '../poll/profile-versions.ts'
import type { PowerPath } from '../profile/contract-powers.ts'
import type { ControlNode } from '../profile/control-node.ts'
import { unprofiled } from '../profile/profile.ts'
import type { ContractRef } from '../registry/contracts.ts'
import { isUpdating } from '../registry/poll-requests.ts'
import type { StoredControl } from './contract-view.ts'
import { controlNodeView, getSharedSigners } from './control-node-view.ts'
import type { check, control, controlled } from './control-schemas.ts'
import { labelOf, powersView, profileView } from './profile-view.ts'

export type ControlView = z.input<typeof control>

const HISTORY_LIMIT = 100
const UPGRADE_LIMIT = 20

/** Returns undefined before the first poll of the contract. */
export async function findControlView(
  { database }: { readonly database: Queryable },
  ref: ContractRef,
): Promise<ControlView | undefined> {
  const [found, labels, states, disagreements, upgrades, versions, updating] = await Promise.all([
    findControl(database, ref),
    getLabelChanges(database, ref, { limit: HISTORY_LIMIT }),
    getPolledStates(database, ref, HISTORY_LIMIT),
    getLastingDisagreements(database, ref),
    getUpgrades(database, ref, UPGRADE_LIMIT),
    getVersionTimes(database, ref, HISTORY_LIMIT),
    isUpdating(database, ref),
  ])
  if (found === undefined) return undefined
  return {
    ...(await controlledView(database, ref, found)),
    updatedAt: found.updatedAt.toISOString(),
    disagreements: disagreements.map(({ field, since, values }) => ({
      field,
      since: since.toISOString(),
      values: values.map(({ value }) => value),
    })),
    upgrades: upgrades.map(upgradeView),
    labels: labels.map(labelChangeView),
    states: states.map(polledStateView),
    versions: versions.map(({ at, blockNumber }) => ({ at: at.toISOString(), blockNumber })),
    isUpdating: updating,
  }
}

export const polledStateView = ({ takenAt, polledAt, ...state }: PolledState): ControlView['states'][number] => ({
  ...state,
  fields: { ...state.fields },
  takenAt: takenAt.toISOString(),
  polledAt: polledAt.toISOString(),
})

type Controlled = Omit<ControlRow, 'updatedAt'>

/** Who controls a contract, and what they can do, from a stored profile. */
async function controlledView(database: Queryable, ref: ContractRef, found: Controlled): Promise<ControlledView> {
  const nodes = [treeOf(ref, found), ...(found.powerPaths ?? []).map(({ node }) => node)]
  return controlledWith(ref, found, await getSharedSigners(database, nodes))
}

type ControlledView = z.input<typeof controlled>

const treeOf = (ref: ContractRef, { tree }: Controlled): ControlNode => ({
  ...unprofiled(ref).tree,
  ...(tree as Partial<ControlNode>),
})

/** `shared`: signers of several multisigs, which are known of the present only. */
export function controlledWith(
  ref: ContractRef,
  found: Controlled,
  shared: Awaited<ReturnType<typeof getSharedSigners>>,
): ControlledView {
  const { blockNumber, kind } = found
  const profile = profileView(found)
  const tree = treeOf(ref, found)
  const powerPaths = found.powerPaths ?? []
  return {
    profile: { ...profile, reasons: [...profile.reasons] },
    powers: powersView(found.powers),
    stale: found.stale,
    kind,
    blockNumber,
    tree: controlNodeView(tree, shared),
    powerPaths: powerPaths.map(({ effects, node }) => ({
      effects: [...effects],
      node: controlNodeView(node, shared),
    })),
  }
}

const FAILURES: Readonly<Record<CheckFailure, string>> = {
  slow_code: 'The code of this contract is still being analyzed. Check again in a minute.',
  unreadable: 'The chain could not be read. Check again in a minute.',
}

/** The check of a contract that a visitor requested. */
export async function checkView(
  database: Queryable,
  { chain, address }: { readonly chain: Chain; readonly address: Hex },
  { requestedAt, checkedAt, result }: Check,
): Promise<z.input<typeof check>> {
  const failure = result !== null && 'failure' in result ? FAILURES[result.failure] : null
  const checked = result === null || 'failure' in result ? undefined : result
  return {
    chain: { id: chain.id, slug: chain.slug },
    address,
    state: result === null ? 'waiting' : failure === null ? 'done' : 'failed',
    requestedAt: requestedAt.toISOString(),
    checkedAt: checkedAt?.toISOString() ?? null,
    failure,
    control:
      checked === undefined || checked.profile === null
        ? null
        : await controlledView(
            database,
            { chainId: chain.id, address },
            { ...checked.profile, blockNumber: checked.blockNumber },
          ),
  }
}

/** The report is stored as JSON that this view returns. */
const upgradeView = ({ at, blockNumber, report }: CodeChange): ControlView['upgrades'][number] => ({
  ...(structuredClone(report) as Omit<ControlView['upgrades'][number], 'at' | 'blockNumber' | 'summary'>),
  at: at.toISOString(),
  blockNumber,
  summary: [...upgradeTexts(report)],
})

export type LabelChange = {
  readonly id: number
  readonly at: Date
  readonly blockNumber: number
  readonly from: string | null
  readonly to: string
  readonly fromTone: Tone | null
  readonly toTone: Tone | null
  readonly fromLeader: Leader | null
  readonly toLeader: Leader | null
  readonly cause: readonly Record<string, unknown>[]
}

export const labelChangeView = ({ at, blockNumber, from, to, fromTone, toTone, cause, ...leaders }: LabelChange) => ({
  at: at.toISOString(),
  blockNumber,
  from: from === null ? null : labelOf(from),
  fromText: from === null ? null : labelText(labelOf(from), leaders.fromLeader),
  fromTone: from === null ? null : (fromTone ?? LABEL_TONES[labelOf(from)]),
  to: labelOf(to),
  toText: labelText(labelOf(to), leaders.toLeader),
  toTone: toTone ?? LABEL_TONES[labelOf(to)],
  cause: cause as ControlView['labels'][number]['cause'],
})

export const LABEL_CHANGE_COLUMNS = sql`id, changed_at as at, block_number as "blockNumber", from_label as "from", to_label as "to",
  from_tone as "fromTone", to_tone as "toTone", from_led_by as "fromLeader", to_led_by as "toLeader", cause`

/** Newest first. `before` is the id of the last change read. */
export async function getLabelChanges(
  database: Queryable,
  { chainId, address }: ContractRef,
  { before, limit }: { readonly before?: number | undefined; readonly limit: number },
): Promise<readonly LabelChange[]> {
  const { rows } = await database.query<LabelChange>(
    sql`select ${LABEL_CHANGE_COLUMNS} from control_profile_change where chain_id = $1 and address = $2 and id < coalesce($4, 9223372036854775807)
     order by id desc limit $3`,
    [chainId, toBytes(address), limit, before ?? null],
  )
  return rows
}

export type PolledState = {
  readonly takenAt: Date
  readonly blockNumber: number
  readonly polledAt: Date
  readonly polledBlock: number
  readonly fields: Readonly<Record<string, string | null>>
}

export const POLLED_STATE_COLUMNS = sql`taken_at as "takenAt", block_number as "blockNumber", polled_at as "polledAt",
  polled_block as "polledBlock", fields`

/** Newest first. Each state held from `takenAt` until at least `polledAt`. */
async function getPolledStates(
  database: Queryable,
  { chainId, address }: ContractRef,
  limit: number,
): Promise<readonly PolledState[]> {
  const { rows } = await database.query<PolledState>(
    sql`select ${POLLED_STATE_COLUMNS} from control_snapshot where chain_id = $1 and address = $2 order by block_number desc, id desc limit $3`,
    [chainId, toBytes(address), limit],
  )
  return rows
}

type ControlRow = StoredControl & {
  readonly kind: string
  readonly powerPaths: readonly PowerPath[] | null
  readonly blockNumber: number
  readonly updatedAt: Date
}

async function findControl(database: Queryable, { chainId, address }: ContractRef): Promise<ControlRow | undefined> {
  const { rows } = await database.query<ControlRow>(
    sql`select label, tone, led_by as leader, stale, reasons, kind, tree, powers, power_paths as "powerPaths", block_number as "blockNumber", updated_at as "updatedAt"
     from control_profile where chain_id = $1 and address = $2`,
    [chainId, toBytes(address)],
  )
  return rows[0]
}
