/** The dust threshold of an output, as Bitcoin Core's `GetDustThreshold` computes it. */
import { isUnspendable, witnessVersion } from '../parse/script.ts'
import { outputBytes } from './weights.ts'

/** Virtual bytes that Bitcoin Core assumes for spending an output without and with witness. */
const SPENDING = 148
const WITNESS_SPENDING = 67

/** Values below the result are dust. `dustRelayRate` is in satoshi per 1,000 virtual bytes. */
export function dustThreshold(script: Buffer, dustRelayRate: number): number {
  if (isUnspendable(script, 0, script.length)) return 0
  const spending = witnessVersion(script) >= 0 ? WITNESS_SPENDING : SPENDING
  return Math.floor(((outputBytes(script) + spending) * dustRelayRate) / 1000)
}
