/** Finds what a change of signers means for a Safe: all owners replaced, or a threshold below half of the owners. */
import type { Hex } from '../../lib/hex.ts'
import { OWNERS_REPLACED, THRESHOLD_BELOW_HALF } from '../catalog/transaction-events.ts'
import { addressesOf } from '../profile/abi-values.ts'
import type { RpcPool } from '../rpc/pool.ts'
import { ethCall, type StateBlock } from '../rpc/requests.ts'
import { NoEndpointError } from '../rpc/rpc-error.ts'
import type { Decoded } from './event-context.ts'
import { type FoundInTransaction, parentBlock, type TransactionContext } from './transaction-events.ts'
import type { OwnerChange, WatchStore } from './watch-store.ts'

const CHANGES: ReadonlySet<string> = new Set(['safe.added_owner', 'safe.removed_owner', 'safe.changed_threshold'])
const GET_OWNERS: Hex = '0xa0e67e2b'
const GET_THRESHOLD: Hex = '0xe75235b8'

type Signers = { readonly owners: readonly Hex[]; readonly threshold: number }

/** Owners that are replaced one after the other within this time are replaced as a whole, also by former owners. */
const REPLACED_WITHIN_MS = 7 * 24 * 3_600_000

const KINDS: Readonly<Record<string, OwnerChange['kind']>> = {
  'safe.added_owner': 'added',
  'safe.removed_owner': 'removed',
  [OWNERS_REPLACED.key]: 'replaced',
}

/** The change that a stored event reports, if it is one. */
export function ownerChange(key: string, owner: unknown, time: number): readonly OwnerChange[] {
  const kind = KINDS[key]
  if (kind === undefined || (kind !== 'replaced' && typeof owner !== 'string')) return []
  return [{ kind, owner: kind === 'replaced' ? undefined : (owner as Hex), time }]
}

/** Compares the signers of each watched Safe before and after a block that changes them. */
export async function findSignerChanges(
  { pool }: { readonly pool: RpcPool },
  decoded: readonly Decoded[],
  {
    isWatched,
    blockOf,
    getOwnerChanges,
    ...options
  }: Omit<TransactionContext, 'transactions' | 'getControllers' | 'getControlledSafes'> &
    Pick<WatchStore, 'getOwnerChanges'>,
): Promise<readonly FoundInTransaction[]> {
  const changes = decoded.filter(
    ({ log, event, isInit }) => !isInit && CHANGES.has(event.key) && isWatched(log.address),
  )
  // The last change of a block completes it.
  const last = new Map(changes.map((entry) => [`${entry.log.blockHash}${entry.log.address}`, entry]))
  const found = await Promise.all(
    [...last.values()].map(async ({ log }): Promise<FoundInTransaction[]> => {
      const block = blockOf(log.blockHash)
      const [before, after] = await Promise.all([
        signersAt(parentBlock(block), log.address),
        signersAt({ number: block.number, hash: log.blockHash }, log.address),
      ])
      if (before === undefined || after === undefined) return []
      const event = { transaction: { hash: log.txHash, blockHash: log.blockHash }, address: log.address, position: 0 }
      const history = [...(await getOwnerChanges(log.address, block.time)), ...changesUpTo(log)]
      // Not the one of this block, which is stored if the block is read again.
      const replacedAt = history.findLastIndex(({ kind, time }) => kind === 'replaced' && time < block.time)
      const recent = history.filter(({ time }) => time >= block.time - REPLACED_WITHIN_MS)
      const previous = [
        before.owners,
        ownersBefore(after.owners, recent),
        // One after the other, over any time.
        ownersBefore(after.owners, history.slice(replacedAt + 1)),
      ].find((owners) => isReplacement(owners, { before: before.owners, after: after.owners }))
      const isLow = isBelowHalf(after) && !isBelowHalf(before)
      return [
        ...(previous === undefined
          ? []
          : [{ ...OWNERS_REPLACED, ...event, args: { previous, current: after.owners } }]),
        ...(isLow
          ? [{ ...THRESHOLD_BELOW_HALF, ...event, args: { threshold: after.threshold, owners: after.owners.length } }]
          : []),
      ]
    }),
  )
  return found.flat()

  /** Those of blocks that are read together are not stored yet. */
  function changesUpTo({ address, blockNumber }: Decoded['log']): readonly OwnerChange[] {
    return changes.flatMap(({ log, event }) =>
      log.address === address && log.blockNumber <= blockNumber
        ? ownerChange(event.key, event.args.owner, blockOf(log.blockHash).time)
        : [],
    )
  }

  async function signersAt(block: StateBlock, safe: Hex): Promise<Signers | undefined> {
    try {
      const [owners, threshold] = await Promise.all(
        [GET_OWNERS, GET_THRESHOLD].map(
          async (data) => (await pool.request(ethCall({ to: safe, data }, block), options)).value,
        ),
      )
      const list = addressesOf(owners as Hex)
      return list === undefined || threshold?.length !== 66 ? undefined : { owners: list, threshold: Number(threshold) }
    } catch (error) {
      if (error instanceof NoEndpointError && error.isUnanimous('pruned', 'unsupported', 'reverted')) return undefined
      throw error
    }
  }
}

/** The owners before these changes. */
function ownersBefore(owners: readonly Hex[], changes: readonly OwnerChange[]): readonly Hex[] {
  const found = new Set(owners)
  for (const { kind, owner } of changes.toReversed())
    if (owner !== undefined && kind === 'added') found.delete(owner)
    else if (owner !== undefined) found.add(owner)
  return [...found]
}

/** Whether none of these owners is left, and some were before the block. */
const isReplacement = (
  owners: readonly Hex[],
  { before, after }: { readonly before: readonly Hex[]; readonly after: readonly Hex[] },
): boolean => after.every((owner) => !owners.includes(owner)) && before.some((owner) => owners.includes(owner))

const isBelowHalf = ({ owners, threshold }: Signers): boolean => threshold * 2 < owners.length
