/**
 * Wallets: derives the scripts of a descriptor and reads their coins and history.
 *
 * A branch ends after as many unused scripts in succession as the gap limit. Nothing is stored: scripts and their history
 * stay in memory for the next request, under a hash of the descriptor. Keys are derived and histories are read in turns:
 * other requests are served in between.
 */
import { createHash } from 'node:crypto'
import { tooManyRequests } from '../../lib/http/api-error.ts'
import type { WalletUses } from '../analyze/facts.ts'
import type { Descriptor } from '../descriptors/descriptor.ts'
import { findTip } from '../index/coin-index.ts'
import { historyChunks, readTotals, type ScriptCoin, scriptCoinChunks } from '../index/history.ts'
import { RECEIVED, type ScriptTotals, SENT } from '../index/history-entry.ts'
import { type KvReader, withSnapshotAsync } from '../index/kv.ts'
import type { MempoolView } from '../mempool/mempool-view.ts'
import { hashHex } from '../parse/block.ts'
import { DerivedScripts, MAX_ENTRIES, readWalletDescriptor, tooLarge, type WalletScript } from './derived-scripts.ts'
import type { ServedChain } from './served-chain.ts'
import { spentInMempool } from './spendable-coins.ts'
import { Turns } from './turns.ts'

export type WalletCoin = ScriptCoin & { readonly owner: WalletScript }

/** The confirmed state of a wallet. */
export type Wallet = {
  readonly descriptor: Descriptor
  /** All scripts up to the gap limit. */
  readonly scripts: readonly WalletScript[]
  /** Their `mapKey`s. */
  readonly owned: ReadonlySet<string>
  /** How many indexes of each branch are in use, and the first one after the last of them. */
  readonly branches: readonly { readonly used: number; readonly next: number }[]
  readonly received: bigint
  readonly sent: bigint
  /** One entry per transaction, newest first. */
  readonly entries: readonly { readonly txnum: number; readonly received: number; readonly sent: number }[]
  readonly coins: readonly WalletCoin[]
  readonly uses: WalletUses
  /** The number of the first transaction of every used script, by its `mapKey`. */
  readonly firstUses: ReadonlyMap<string, number>
  readonly tip: string
}

export type WalletRequest = {
  readonly descriptor: string
  readonly gapLimit: number
  /** Only one scan at a time runs for an account. */
  readonly accountId: string
}

export type Wallets = {
  /** Reads a wallet, and calls `use` with it and the state of the index that it was read from. */
  readonly read: <T>(
    chain: ServedChain,
    request: WalletRequest,
    use: (reader: KvReader, wallet: Wallet) => T | Promise<T>,
  ) => Promise<T>
}

/** Keys whose scripts are kept in memory, of all wallets together. */
const MAX_KEPT = 100_000
/** Work of a scan, in units of a turn. */
const UNITS = { script: 50, entry: 1, coin: 1 }
/** How often a wallet is read again because a block arrived meanwhile. */
const ATTEMPTS = 5

/** Reads the scripts of all branches, up to the gap limit, and their entries and coins. */
async function scan(
  { mempool }: ServedChain,
  reader: KvReader,
  derived: DerivedScripts,
  gapLimit: number,
): Promise<Wallet> {
  const { descriptor } = derived
  const turns = new Turns()
  const scripts: WalletScript[] = []
  const owned = new Set<string>()
  const entries = new Map<number, { txnum: number; received: number; sent: number }>()
  const coins: WalletCoin[] = []
  const firstUses = new Map<string, number>()
  const uses = { mostReceipts: 0, reused: 0, paidAfterSpend: [] as number[] }
  let total: ScriptTotals = { txCount: 0, received: 0n, sent: 0n }

  async function take(owner: WalletScript, { txCount, received, sent }: ScriptTotals): Promise<void> {
    total = { txCount: total.txCount + txCount, received: total.received + received, sent: total.sent + sent }
    if (total.txCount > MAX_ENTRIES) throw tooLarge()
    let receipts = 0
    const paid: number[] = []
    let firstUse = Number.POSITIVE_INFINITY
    let firstSpend = Number.POSITIVE_INFINITY
    for (const chunk of historyChunks(reader, owner.key)) {
      await turns.take(chunk.length * UNITS.entry)
      for (const { txnum, flags, received, sent } of chunk) {
        firstUse = Math.min(firstUse, txnum)
        if ((flags & RECEIVED) !== 0) receipts++
        if ((flags & SENT) !== 0) firstSpend = Math.min(firstSpend, txnum)
        else paid.push(txnum)
        const sum = entries.get(txnum) ?? { txnum, received: 0, sent: 0 }
        sum.received += received
        sum.sent += sent
        entries.set(txnum, sum)
      }
    }
    firstUses.set(owner.mapKey, firstUse)
    uses.mostReceipts = Math.max(uses.mostReceipts, receipts)
    if (receipts > 1) uses.reused++
    for (const txnum of paid) if (txnum > firstSpend) uses.paidAfterSpend.push(txnum)
    for await (const part of scriptCoinChunks(reader, owner.key)) {
      await turns.take(part.length * UNITS.coin)
      for (const coin of part) coins.push({ ...coin, owner })
    }
  }

  const branches: { used: number; next: number }[] = []
  for (const [branch, { isRanged }] of descriptor.branches.entries()) {
    const state = { used: 0, next: 0 }
    const end = (): number => (isRanged ? state.next + gapLimit : 1)
    for (let index = 0; index < end(); index++) {
      let isUsed = false
      for (const owner of await derived.at(branch, index, turns)) {
        await turns.take(UNITS.script)
        scripts.push(owner)
        const totals = readTotals(reader, owner.key)
        // Two branches can derive the same script.
        if (totals.txCount > 0 && !owned.has(owner.mapKey)) await take(owner, totals)
        owned.add(owner.mapKey)
        isUsed ||= totals.txCount > 0 || mempool.ofScript(owner.mapKey).length > 0
      }
      if (!isUsed) continue
      state.used++
      state.next = index + 1
    }
    branches.push(state)
  }
  return {
    descriptor,
    scripts,
    owned,
    branches,
    received: total.received,
    sent: total.sent,
    entries: await turns.sorted([...entries.values()], (a, b) => b.txnum - a.txnum),
    coins: await turns.sorted(coins, (a, b) => b.value - a.value || a.txnum - b.txnum || a.vout - b.vout),
    uses,
    firstUses,
    tip: tipOf(reader),
  }
}

export type PendingCoins = {
  /** What unconfirmed transactions spend, as `txnum:vout`. */
  readonly spent: ReadonlySet<string>
  readonly unconfirmed: readonly (ReturnType<MempoolView['coinsOf']>[number] & { readonly owner: WalletScript })[]
}

/** What unconfirmed transactions spend of a wallet and pay to it. */
export function readPendingCoins(chain: ServedChain, reader: KvReader, { scripts }: Wallet): PendingCoins {
  const { mempool } = chain
  const spent = new Set<string>()
  const unconfirmed: PendingCoins['unconfirmed'][number][] = []
  const touched = new Map(
    scripts.flatMap((owner) => (mempool.ofScript(owner.mapKey).length === 0 ? [] : [[owner.mapKey, owner] as const])),
  )
  for (const owner of touched.values()) {
    for (const outpoint of spentInMempool(chain, reader, owner.key)) spent.add(outpoint)
    for (const coin of mempool.coinsOf(owner.mapKey)) unconfirmed.push({ ...coin, owner })
  }
  return { spent, unconfirmed }
}

function tipOf(reader: KvReader): string {
  const tip = findTip(reader)
  return tip === undefined ? '' : hashHex(tip.hash)
}

type Kept = { readonly derived: DerivedScripts; wallet: Wallet | undefined }

export function createWallets(): Wallets {
  /** The last used comes last. */
  const kept = new Map<string, Kept>()
  const scanning = new Set<string>()

  function keep(id: string, each: Kept): void {
    kept.delete(id)
    kept.set(id, each)
    let keys = 0
    for (const [other, { derived }] of [...kept].toReversed()) {
      keys += derived.keys
      if (keys > MAX_KEPT && other !== id) kept.delete(other)
    }
  }

  /** Whether an unconfirmed transaction pays a script that was not in use, so that the gap begins later. */
  function hasGrown({ mempool }: ServedChain, wallet: Wallet): boolean {
    return wallet.scripts.some(
      ({ mapKey, branch, index }) =>
        index >= (wallet.branches[branch]?.next ?? 0) && mempool.ofScript(mapKey).length > 0,
    )
  }

  async function scanOnce(chain: ServedChain, each: Kept, { gapLimit, accountId }: WalletRequest): Promise<void> {
    if (scanning.has(accountId))
      throw tooManyRequests({
        code: 'TOO_MANY_SCANS',
        message: 'Another wallet of this account is being read. Wait for its response.',
        retryAfterSeconds: 1,
      })
    scanning.add(accountId)
    try {
      each.wallet = await withSnapshotAsync(chain.index.kv, (reader) => scan(chain, reader, each.derived, gapLimit))
    } finally {
      scanning.delete(accountId)
    }
  }

  return {
    read: async (chain, request, use) => {
      const descriptor = readWalletDescriptor(chain, request.descriptor)
      const { chain: chainId, name } = chain.network
      const id = createHash('sha256').update([chainId, name, request.gapLimit, descriptor.text].join(' ')).digest('hex')
      const each = kept.get(id) ?? { derived: new DerivedScripts(descriptor), wallet: undefined }
      for (let attempt = 1; ; attempt++) {
        const { wallet } = each
        const found = await withSnapshotAsync(chain.index.kv, async (reader) => {
          // A wallet of an older block is used after several attempts: blocks arrive faster than it can be read.
          const isCurrent = wallet?.tip === tipOf(reader) && !hasGrown(chain, wallet)
          if (wallet === undefined || !(isCurrent || attempt > ATTEMPTS)) return undefined
          return { result: await use(reader, wallet) }
        })
        if (found !== undefined) return found.result
        await scanOnce(chain, each, request)
        keep(id, each)
      }
    },
  }
}
