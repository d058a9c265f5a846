/**
 * What is known of an address when it is judged: its coins, its lines of history, and transactions looked at whole.
 *
 * Owns the shapes that every judgement in this folder reads. Who gathers them, and how many, is `api/address-facts.ts`.
 */
import type { FeeHistory, Tiers } from '../fees/fee-tiers.ts'
import type { ScriptType } from '../parse/script.ts'
import type { InputSize } from '../select/weights.ts'

export type Utxo = {
  /** Place in the chain of the transaction that paid it. */
  readonly order: number
  readonly vout: number
  readonly value: number
  /** Confirmed and mature. */
  readonly isSettled: boolean
}

/** What one confirmed transaction paid to the address and took from it. */
export type Line = {
  /** Place in the chain: later is more. */
  readonly order: number
  readonly isReceipt: boolean
  readonly isSpend: boolean
  readonly received: number
}

export type SeenInput = {
  readonly script: string
  readonly type: ScriptType
  readonly value: number
  readonly isOwn: boolean
}
export type SeenOutput = {
  readonly script: string
  readonly type: ScriptType
  readonly value: number
  readonly isOwn: boolean
}

/** A transaction looked at whole. */
export type SeenTx = {
  readonly txid: string
  readonly order: number
  readonly isSpend: boolean
  /** How many inputs it has, also where they were not looked up. */
  readonly inputCount: number
  /** Empty for a receipt whose inputs tell nothing. */
  readonly inputs: readonly SeenInput[]
  readonly outputs: readonly SeenOutput[]
}

export type AddressFacts = {
  readonly scriptType: ScriptType
  readonly utxos: readonly Utxo[]
  /** Oldest first. */
  readonly lines: readonly Line[]
  /** Newest first. */
  readonly txs: readonly SeenTx[]
  readonly txCount: number
  /** What an input of this address takes. */
  readonly input: InputSize
  /** The same in whole virtual bytes: what a coin must be worth. */
  readonly inputVsize: number
  readonly outputBytes: number
  /** Inputs of this address that fit into one transaction; below one where not even one does. */
  readonly maxInputs: number
  /** Dust threshold of this address's own output. */
  readonly dust: number
  /** Below this an amount is dust-sized; ten times as much where the network's dust is. */
  readonly dustSized: number
  readonly tiers: Tiers
  readonly climate: FeeHistory
}

export const balanceOf = (utxos: readonly Utxo[]): number => utxos.reduce((sum, { value }) => sum + value, 0)
