/**
 * Changes of who controls a contract, as polls find them: the history of label and tone, changes of powers, and the
 * events for both.
 */
import { LABELS, type Label, type Leader, labelText, TONES, type Tone } from '../../../../vocabulary/labels.ts'
import { classOf, type Power, type PowerEffect, worstClass } from '../../../../vocabulary/powers.ts'
import type { Severity } from '../../../../vocabulary/severities.ts'
import { type Hex, toBytes } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import { POWERS_CHANGED, WEAKENED } from '../catalog/slot-events.ts'
import type { ContractRef } from '../registry/contracts.ts'
import { type DerivedEvent, derivedHash } from './derived-events.ts'

type At = ContractRef & { readonly block: { readonly number: number; readonly hash: Hex } }

/**
 * Powers as short texts, sorted: `mint:single_key:0x…`. The label states who can upgrade; powers that no account holds or
 * that are of no weight are left out.
 */
function powerTexts(powers: readonly Power[]): readonly string[] {
  const held = powers.filter(
    (power) => power.effect !== 'upgrade' && power.class !== 'info' && power.label !== 'immutable',
  )
  const texts = held.flatMap(({ effect, label, holders }) => {
    const addresses = holders.length === 0 ? [''] : holders.map(({ address }) => address)
    return addresses.map((address) => `${effect}:${holderLabel(holders, address) ?? label}:${address}`)
  })
  return [...new Set(texts)].sort()
}

const holderLabel = (holders: Power['holders'], address: string): Label | undefined =>
  holders.find((holder) => holder.address === address)?.label

/** Stores the powers that a poll found; returns the event for a change. What is found first is setup, not a change. */
export async function savePowers(
  client: Queryable,
  { chainId, address, block }: At,
  powers: readonly Power[],
): Promise<readonly DerivedEvent[]> {
  const { rows } = await client.query<{ powers: readonly string[] }>(
    sql`select powers from control_powers where chain_id = $1 and address = $2 order by block_number desc, id desc limit 1`,
    [chainId, toBytes(address)],
  )
  const [previous, current] = [rows[0]?.powers, powerTexts(powers)]
  if (previous !== undefined && previous.join() === current.join()) return []
  await client.query(
    sql`insert into control_powers (chain_id, address, block_number, block_hash, powers) values ($1, $2, $3, $4, $5)`,
    [chainId, toBytes(address), block.number, toBytes(block.hash), current],
  )
  if (previous === undefined) return []
  const event: DerivedEvent = {
    ...POWERS_CHANGED,
    severity: severityOf(previous, current, powers),
    txHash: derivedHash('slot', { chainId, address }, { field: 'powers', block: block.number }),
    logIndex: 0,
    args: {
      field: 'powers',
      previous: previous.join(', '),
      current: current.join(', '),
      effects: changedEffects(previous, current),
    },
  }
  return [event]
}

/** The effects whose holders changed. Subscriptions may name effects. */
const changedEffects = (previous: readonly string[], current: readonly string[]): readonly string[] => [
  ...new Set(
    [...previous, ...current]
      .filter((text) => !previous.includes(text) || !current.includes(text))
      .map((text) => text.split(':')[0] ?? ''),
  ),
]

/**
 * The worst class of a power that was gained, or whose holder became weaker; high if the same holder is only no longer known
 * to be strong. Powers that were only lost are information.
 */
function severityOf(previous: readonly string[], current: readonly string[], powers: readonly Power[]): Severity {
  const gained = current.filter((text) => !previous.includes(text))
  const strongest = new Map<string, Label>()
  for (const text of previous) {
    const [effect = '', label = ''] = text.split(':')
    const known = strongest.get(effect)
    if (known === undefined || LABELS.indexOf(label as Label) > LABELS.indexOf(known))
      strongest.set(effect, label as Label)
  }
  const classes = gained.map((text) => {
    const [effect = '', label = '', holder = ''] = text.split(':')
    const before = strongest.get(effect)
    const isStrongerHolder = before !== undefined && LABELS.indexOf(label as Label) < LABELS.indexOf(before)
    if (label === 'immutable' || isStrongerHolder) return 'info'
    const worst = powers.find((power) => power.effect === effect)?.class ?? classOf(effect as PowerEffect)
    const wasHeld = previous.some((other) => other.startsWith(`${effect}:`) && other.endsWith(`:${holder}`))
    return label === 'unknown' && wasHeld && worst === 'critical' ? 'high' : worst
  })
  return worstClass(classes)
}

/** Whether a label or tone is weaker than before. From unknown to known is not: nothing got worse. */
export function isWeaker(
  from: { readonly label: Label; readonly tone: Tone },
  to: { readonly label: Label; readonly tone: Tone },
): boolean {
  const isLabelWeaker = LABELS.indexOf(to.label) > LABELS.indexOf(from.label)
  const isToneWeaker = TONES.indexOf(to.tone) > TONES.indexOf(from.tone) && (from.tone !== 'grey' || to.tone === 'red')
  return isLabelWeaker || isToneWeaker
}

export type LabelChange = {
  readonly from: { readonly label: Label; readonly tone: Tone }
  readonly to: { readonly label: Label; readonly tone: Tone }
}

/** The event for a label or tone that got weaker; its cause is what the history records. */
export function weakenedEvent(
  { chainId, address, block }: At,
  { from, to }: LabelChange,
  leaders: { readonly from: Leader | null; readonly to: Leader | null },
  cause: readonly object[],
): DerivedEvent {
  return {
    ...WEAKENED,
    severity: to.tone === 'red' ? 'critical' : 'high',
    txHash: derivedHash('slot', { chainId, address }, { field: 'control', block: block.number }),
    logIndex: 0,
    args: {
      field: 'control',
      previous: `${from.label}:${from.tone}`,
      current: `${to.label}:${to.tone}`,
      previousText: labelText(from.label, leaders.from),
      currentText: labelText(to.label, leaders.to),
      cause,
    },
  }
}
