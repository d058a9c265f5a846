/** How an address is spent, learned from its own history where the address does not tell. */
import { findBlockRow } from '../index/coin-index.ts'
import { readHistory } from '../index/history.ts'
import { SENT } from '../index/history-entry.ts'
import { withSnapshot } from '../index/kv.ts'
import { findTxLocation } from '../index/tx-locations.ts'
import type { Address } from '../parse/address.ts'
import { hashHex } from '../parse/block.ts'
import { scriptKey } from '../parse/script.ts'
import { type LearnedSpend, learnFromTx, learnSpend } from '../select/observed-spend.ts'
import { findInputSize, type InputSize } from '../select/weights.ts'
import type { ServedChain } from './served-chain.ts'
import { loadPrevouts } from './transaction-view.ts'

export type SpendSize = {
  readonly size: InputSize
  readonly learned: LearnedSpend | undefined
  /** What was taken for granted, in words. */
  readonly assumptions: readonly string[]
}

/** Lines of history looked through for a spend. */
const LINES = 500

/** Undefined where spending such a script is not standard. */
export async function findSpendSize(chain: ServedChain, address: Address): Promise<SpendSize | undefined> {
  const size = findInputSize(address.type)
  if (size === undefined) return undefined
  const guess = GUESSES[address.type]
  if (guess === undefined) return { size, learned: undefined, assumptions: [] }
  const learned = await findLearned(chain, address)
  if (learned !== undefined) return { size: learned.size, learned, assumptions: [] }
  return { size, learned: undefined, assumptions: [guess] }
}

const GUESSES: Readonly<Record<string, string>> = {
  p2pkh: 'INPUT_SIZE: the address was never spent from; a compressed key is assumed',
  p2sh: 'INPUT_SIZE: the address was never spent from; one key behind a witness (P2SH-P2WPKH) is assumed',
  p2tr: 'INPUT_SIZE: the address was never spent from; a signature by its key is assumed',
  p2wsh: 'INPUT_SIZE: the address was never spent from; two of three keys are assumed',
}

async function findLearned(chain: ServedChain, address: Address): Promise<LearnedSpend | undefined> {
  const [place] = withSnapshot(chain.index.kv, (reader) => {
    const { entries: lines } = readHistory(reader, scriptKey(address.script), { limit: LINES })
    const spend = lines.find(({ flags }) => (flags & SENT) !== 0)
    const found = spend === undefined ? undefined : findTxLocation(reader, spend.txnum)
    const row = found === undefined ? undefined : findBlockRow(reader, found.height)
    return found === undefined || row === undefined ? [] : [{ place: found, blockHash: hashHex(row.hash) }]
  })
  if (place === undefined) return undefined
  const [tx] = await chain.loader.load([place])
  if (tx === undefined) return undefined
  if (address.type !== 'p2tr') return learnFromTx(tx, address)
  // What a taproot input shows does not hash to its address: the coin it spends tells whose it is.
  const prevouts = await loadPrevouts(chain, [tx])
  const input = tx.inputs.find(
    ({ prevout }) =>
      prevout !== undefined && prevouts.get(`${prevout.txid}:${prevout.vout}`)?.script.equals(address.script) === true,
  )
  return input === undefined ? undefined : learnSpend(input, 'p2tr')
}
