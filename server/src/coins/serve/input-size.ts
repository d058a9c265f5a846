/** Estimates the size of an input that spends from an address. */
import { readHistory } from '../index/history.ts'
import { SENT } from '../index/history-entry.ts'
import { withSnapshot } from '../index/kv.ts'
import { findTxLocation } from '../index/tx-locations.ts'
import type { Address } from '../parse/address.ts'
import { scriptKey } from '../parse/script.ts'
import { type HintedInput, type InputHint, readHint } from '../select/input-hint.ts'
import { measureSpend, type ObservedSpend, observeSpend } from '../select/observed-spend.ts'
import { findInputSize, INPUT_RANGES, type InputSize } from '../select/weights.ts'
import type { ServedChain } from './served-chain.ts'
import { locateTx } from './transaction-loader.ts'
import { loadPrevouts, outpointKey } from './transaction-view.ts'

export type InputSizeEstimate = {
  readonly size: InputSize
  /** The scripts behind the hashes of the address, as far as they are known. */
  readonly scripts: Omit<HintedInput, 'size'> | undefined
  /** The smallest and largest usual sizes, if the size is assumed and nothing but a hash is known. */
  readonly range: readonly [least: InputSize, most: InputSize] | undefined
  /** What the estimate assumes, as `CODE: text`. */
  readonly assumptions: readonly string[]
}

/** History entries searched for a spend. */
const MAX_ENTRIES = 500

/** Types whose input size depends on more than the address, with what is assumed before the first spend. */
const ASSUMPTIONS: Readonly<Record<string, string>> = {
  p2pkh: 'INPUT_SIZE: The address has not spent yet. The estimate assumes a compressed public key.',
  p2sh: 'INPUT_SIZE: The address has not spent yet. The estimate assumes nested SegWit with one key (P2SH-P2WPKH), feeRange covers up to a 3-of-5 multisig. Send inputType, redeemScript, witnessScript or descriptor for an exact fee.',
  p2tr: 'INPUT_SIZE: The address has not spent yet. The estimate assumes a key path spend.',
  p2wsh:
    'INPUT_SIZE: The address has not spent yet. The estimate assumes a 2-of-3 multisig, feeRange covers one key to a 3-of-5 multisig. Send inputType, witnessScript or descriptor for an exact fee.',
}

/** Undefined if spending a script of this type is not standard. Throws a HintError if the hint does not fit. */
export async function estimateInputSize(
  chain: ServedChain,
  address: Address,
  hint: InputHint = {},
): Promise<InputSizeEstimate | undefined> {
  const size = findInputSize(address.type)
  if (size === undefined) return undefined
  const known = readHint(address, hint)
  const assumption = ASSUMPTIONS[address.type]
  const scripts = known ?? (assumption === undefined ? undefined : await findObservedSpend(chain, address))
  if (scripts !== undefined) return { size: scripts.size, scripts, range: undefined, assumptions: [] }
  const assumptions = assumption === undefined ? [] : [assumption]
  return { size, scripts: undefined, range: INPUT_RANGES[address.type], assumptions }
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
