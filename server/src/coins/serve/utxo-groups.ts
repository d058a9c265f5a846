/** The unspent outputs of an address by value and age: a chart of any number of them needs a few kilobytes. */
import { findTip } from '../index/coin-index.ts'
import { scriptCoinChunks } from '../index/history.ts'
import { withSnapshotAsync } from '../index/kv.ts'
import { txidFinder } from '../index/tx-locations.ts'
import { scriptMapKey } from '../mempool/mempool-view.ts'
import { scriptKey } from '../parse/script.ts'
import { readAddress } from './address-view.ts'
import type { ServedChain } from './served-chain.ts'
import { spentInMempool } from './spendable-coins.ts'

type Range = { readonly from: number; readonly to: number }
type Group = { readonly count: number; readonly value: Range; readonly confirmations: Range }

/** The age of a coin is read from a page of the index of its own, and any visitor may ask. */
const MAX_COINS = 50_000

/** Groups for each power of ten of a value, and of a number of confirmations. */
const PER_DECADE = 6

const stepOf = (amount: number): number => Math.floor(Math.log10(Math.max(1, amount)) * PER_DECADE)
const widened = ({ from, to }: Range, by: number): Range => ({ from: Math.min(from, by), to: Math.max(to, by) })

/** Reads at most about `most` confirmed outputs; `limited` if there are more. */
export async function getUtxoGroups(chain: ServedChain, text: string, most = MAX_COINS) {
  const { text: address, script } = readAddress(chain, text)
  const key = scriptKey(script)
  const groups = new Map<string, Group>()
  let limited = false
  const add = (value: number, confirmations: number): void => {
    const name = `${stepOf(value)} ${confirmations === 0 ? 'unconfirmed' : stepOf(confirmations)}`
    const before = groups.get(name)
    groups.set(name, {
      count: (before?.count ?? 0) + 1,
      value: widened(before?.value ?? { from: value, to: value }, value),
      confirmations: widened(before?.confirmations ?? { from: confirmations, to: confirmations }, confirmations),
    })
  }
  // Read before the first await, so that mempool and index snapshot belong together.
  for (const { value } of chain.mempool.coinsOf(scriptMapKey(key))) add(value, 0)
  await withSnapshotAsync(chain.index.kv, async (reader) => {
    const tip = findTip(reader)?.height ?? 0
    const spent = spentInMempool(chain, reader, key)
    const findTxid = txidFinder(reader)
    let read = 0
    for await (const part of scriptCoinChunks(reader, key)) {
      limited = read >= most && part.length > 0
      if (limited) break
      read += part.length
      for (const { value, txnum, vout } of part) {
        const found = spent.has(`${txnum}:${vout}`) ? undefined : findTxid(txnum)
        if (found !== undefined) add(value, tip - found.height + 1)
      }
    }
  })
  return { address, chain: chain.network.chain, groups: [...groups.values()], limited }
}
