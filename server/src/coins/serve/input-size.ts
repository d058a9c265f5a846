/** Estimates the size of an input that spends from an address. */
import { readHistory } from '../index/history.ts'
import { SENT } from '../index/history-entry.ts'
import { withSnapshot } from '../index/kv.ts'
import { findTxLocation } from '../index/tx-locations.ts'
import type { Address } from '../parse/address.ts'
import { scriptKey } from '../parse/script.ts'
import { measureSpend, type ObservedSpend, observeSpend } from '../select/observed-spend.ts'
import { findInputSize, type InputSize } from '../select/weights.ts'
import type { ServedChain } from './served-chain.ts'
import { locateTx } from './transaction-loader.ts'
import { loadPrevouts, outpointKey } from './transaction-view.ts'

export type InputSizeEstimate = {
  readonly size: InputSize
  /** An earlier spend from the address. */
  readonly observed: ObservedSpend | undefined
  /** What the estimate assumes, as `CODE: text`. */
  readonly assumptions: readonly string[]
}

/** History entries searched for a spend. */
const MAX_ENTRIES = 500

/** Types whose input size depends on more than the address, with what is assumed before the first spend. */
const ASSUMPTIONS: Readonly<Record<string, string>> = {
  p2pkh: 'INPUT_SIZE: The address has not spent yet. The estimate assumes a compressed public key.',
  p2sh: 'INPUT_SIZE: The address has not spent yet. The estimate assumes nested SegWit with one key (P2SH-P2WPKH).',
  p2tr: 'INPUT_SIZE: The address has not spent yet. The estimate assumes a key path spend.',
  p2wsh: 'INPUT_SIZE: The address has not spent yet. The estimate assumes a 2-of-3 multisig.',
}

/** Undefined if spending a script of this type is not standard. */
export async function estimateInputSize(chain: ServedChain, address: Address): Promise<InputSizeEstimate | undefined> {
  const size = findInputSize(address.type)
  if (size === undefined) return undefined
  const assumption = ASSUMPTIONS[address.type]
  if (assumption === undefined) return { size, observed: undefined, assumptions: [] }
  const observed = await findObservedSpend(chain, address)
  if (observed !== undefined) return { size: observed.size, observed, assumptions: [] }
  return { size, observed: undefined, assumptions: [assumption] }
}

async function findObservedSpend(chain: ServedChain, address: Address): Promise<ObservedSpend | undefined> {
  const located = withSnapshot(chain.index.kv, (reader) => {
    const { entries } = readHistory(reader, scriptKey(address.script), { limit: MAX_ENTRIES })
    const spend = entries.find(({ flags }) => (flags & SENT) !== 0)
    return spend === undefined ? undefined : locateTx(reader, findTxLocation(reader, spend.txnum))
  })
  const [tx] = located === undefined ? [] : await chain.loader.load([located])
  if (tx === undefined) return undefined
  if (address.type !== 'p2tr') return observeSpend(tx, address)
  // A taproot input reveals nothing that hashes to its address; the output it spends identifies it.
  const prevouts = await loadPrevouts(chain, [tx])
  const input = tx.inputs.find(
    ({ prevout }) =>
      prevout !== undefined && prevouts.get(outpointKey(prevout))?.script.equals(address.script) === true,
  )
  return input === undefined ? undefined : measureSpend(input, 'p2tr')
}
