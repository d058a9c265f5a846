/** Finds what a change of signers means for a Safe: all owners replaced, or a threshold below half of the owners. */
import type { Hex } from '../../lib/hex.ts'
import { OWNERS_REPLACED, THRESHOLD_BELOW_HALF } from '../catalog/transaction-events.ts'
import { addressesOf } from '../profile/abi-values.ts'
import type { RpcPool } from '../rpc/pool.ts'
import { ethCall, type StateBlock } from '../rpc/requests.ts'
import { NoEndpointError } from '../rpc/rpc-error.ts'
import type { Decoded } from './event-context.ts'
import { type FoundInTransaction, parentBlock, type TransactionContext } from './transaction-events.ts'
import type { WatchStore } from './watch-store.ts'

const CHANGES: ReadonlySet<string> = new Set(['safe.added_owner', 'safe.removed_owner', 'safe.changed_threshold'])
const GET_OWNERS: Hex = '0xa0e67e2b'
const GET_THRESHOLD: Hex = '0xe75235b8'

type Signers = { readonly owners: readonly Hex[]; readonly threshold: number }

/** Owners that are replaced one after the other within this time are replaced as a whole. */
const REPLACED_WITHIN_MS = 7 * 24 * 3_600_000

/** Compares the signers of each watched Safe before and after a block that changes them. */
export async function findSignerChanges(
  { pool }: { readonly pool: RpcPool },
  decoded: readonly Decoded[],
  {
    isWatched,
    blockOf,
    getAddedOwners,
    ...options
  }: Omit<TransactionContext, 'transactions' | 'getControllers'> & Pick<WatchStore, 'getAddedOwners'>,
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
      const recent = new Set([
        ...(await getAddedOwners(log.address, block.time - REPLACED_WITHIN_MS, block.time)),
        ...addedUpTo(log),
      ])
      const isAtOnce = after.owners.every((owner) => !before.owners.includes(owner))
      const isReplaced =
        isAtOnce ||
        (after.owners.every((owner) => recent.has(owner)) && before.owners.some((owner) => !recent.has(owner)))
      const isLow = isBelowHalf(after) && !isBelowHalf(before)
      return [
        ...(isReplaced
          ? [{ ...OWNERS_REPLACED, ...event, args: { previous: before.owners, current: after.owners } }]
          : []),
        ...(isLow
          ? [{ ...THRESHOLD_BELOW_HALF, ...event, args: { threshold: after.threshold, owners: after.owners.length } }]
          : []),
      ]
    }),
  )
  return found.flat()

  /** Those of blocks that are read together are not stored yet. */
  function addedUpTo({ address, blockNumber }: Decoded['log']): readonly Hex[] {
    return changes.flatMap(({ log, event }) =>
      event.key === 'safe.added_owner' && log.address === address && log.blockNumber <= blockNumber
        ? (event.args.owner as Hex)
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

const isBelowHalf = ({ owners, threshold }: Signers): boolean => threshold * 2 < owners.length
