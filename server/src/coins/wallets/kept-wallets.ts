/** Keeps wallets for accounts, so that a request can name one instead of sending its descriptor. */
import { randomUUID } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'
import type { Database } from '../../platform/database.ts'
import { type LabelRecord, mergeLabels } from './labels.ts'
import {
  changeLabels,
  deleteWallet,
  findWallet,
  getLabels,
  getWallets,
  type KeptWallet,
  saveWallet,
} from './wallet-store.ts'

export type KeptWallets = {
  /** Keeps a wallet, or updates it if the account keeps it already. Undefined if the account has `limit` wallets. */
  readonly keep: (
    wallet: Pick<KeptWallet, 'accountId' | 'chain' | 'name' | 'descriptor' | 'gapLimit'>,
    limit: number,
  ) => Promise<KeptWallet | undefined>
  /** Oldest first. */
  readonly list: (accountId: string) => Promise<KeptWallet[]>
  readonly find: (accountId: string, id: string) => Promise<KeptWallet | undefined>
  /** Returns whether the account kept it. */
  readonly remove: (accountId: string, id: string) => Promise<boolean>
  readonly labels: (accountId: string, id: string) => Promise<LabelRecord[]>
  /** Adds labels, or replaces all. Returns those it has then; undefined if the account keeps no such wallet. */
  readonly addLabels: (
    wallet: Pick<KeptWallet, 'accountId' | 'id'>,
    added: readonly LabelRecord[],
    options: { readonly replace: boolean },
  ) => Promise<LabelRecord[] | undefined>
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function createKeptWallets({
  database,
  clock,
}: {
  readonly database: Database
  readonly clock: Clock
}): KeptWallets {
  return {
    keep: (wallet, limit) =>
      saveWallet(database, { ...wallet, id: randomUUID(), createdAt: new Date(clock.now()) }, limit),
    list: (accountId) => getWallets(database, accountId),
    find: async (accountId, id) => (UUID.test(id) ? findWallet(database, accountId, id) : undefined),
    labels: async (accountId, id) => (UUID.test(id) ? getLabels(database, accountId, id) : []),
    addLabels: async (wallet, added, { replace }) =>
      UUID.test(wallet.id)
        ? changeLabels(database, wallet, (known) => mergeLabels(replace ? [] : known, added))
        : undefined,
    remove: async (accountId, id) => UUID.test(id) && (await deleteWallet(database, accountId, id)),
  }
}
