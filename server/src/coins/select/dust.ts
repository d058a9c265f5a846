/** From which amount on an output is worth its place: Core's `GetDustThreshold`, with the rate of the network. */
import { isUnspendable } from '../parse/script.ts'
import { outputBytes } from './weights.ts'

/** What Core takes for spending an output: outpoint, sequence, and a key's script or, at a quarter, its witness. */
const SPENDING = 148
const WITNESS_SPENDING = 67

function isWitnessProgram(script: Buffer): boolean {
  const [opcode, push] = script
  if (opcode === undefined || push === undefined || script.length < 4 || script.length > 42) return false
  return push === script.length - 2 && (opcode === 0 || (opcode >= 0x51 && opcode <= 0x60))
}

/** `dustRelayRate`: smallest unit per 1,000 virtual bytes. Less than the answer is dust. */
export function dustThreshold(script: Buffer, dustRelayRate: number): number {
  if (isUnspendable(script, 0, script.length)) return 0
  const spending = isWitnessProgram(script) ? WITNESS_SPENDING : SPENDING
  return Math.floor(((outputBytes(script) + spending) * dustRelayRate) / 1000)
}
