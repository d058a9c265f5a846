/**
 * The facts about an address that every score in this folder is computed from: its coins, its history, and examined
 * transactions. `serve/address-facts.ts` collects them.
 */
import type { FeeHistory, Tiers } from '../fees/fee-tiers.ts'
import type { ScriptType } from '../parse/script.ts'
import type { InputSize } from '../select/weights.ts'

export type Utxo = {
  /** Position in the chain of the transaction that created it. */
  readonly order: number
  readonly vout: number
  readonly value: number
  /** Confirmed and mature. */
  readonly isSettled: boolean
  /** Position of the first transaction of its address; without, the history is that of one address. */
  readonly firstUse?: number
}

/** How the addresses of a wallet were used. */
export type WalletUses = {
  /** Transactions that paid to the same address, for the address with the most. */
  readonly mostReceipts: number
  /** Addresses that were paid by more than one transaction. */
  readonly reused: number
  /** Positions of the transactions that paid to an address after a spend from it. */
  readonly paidAfterSpend: readonly number[]
}

/** A confirmed transaction of the address. */
export type HistoryFact = {
  /** Position in the chain; later transactions have a larger one. */
  readonly order: number
  readonly isReceipt: boolean
  readonly isSpend: boolean
  readonly received: number
}

/** An output of an examined transaction, or the output that one of its inputs spends. */
export type ExaminedOutput = {
  readonly script: string
  readonly type: ScriptType
  readonly value: number
  readonly isOwn: boolean
}

/** A transaction whose outputs, and inputs where they matter, were loaded. */
export type ExaminedTx = {
  readonly txid: string
  readonly order: number
  readonly isSpend: boolean
  /** Number of inputs, also if they were not loaded. */
  readonly inputCount: number
  /** Empty for a receipt whose inputs reveal nothing about the address. */
  readonly inputs: readonly ExaminedOutput[]
  readonly outputs: readonly ExaminedOutput[]
}

export type AddressFacts = {
  readonly scriptType: ScriptType
  readonly utxos: readonly Utxo[]
  /** Oldest first. */
  readonly history: readonly HistoryFact[]
  /** Newest first. */
  readonly txs: readonly ExaminedTx[]
  readonly txCount: number
  /** Size of an input that spends from this address. */
  readonly input: InputSize
  /** The same size in virtual bytes, rounded up. */
  readonly inputVsize: number
  readonly outputBytes: number
  /** Inputs of this address that fit into a standard transaction; can be 0 or negative. */
  readonly maxInputs: number
  /** Outputs of this address below this value are not relayed. */
  readonly dustThreshold: number
  /** Values below this are small enough for a dust attack; 1,000 on Bitcoin. */
  readonly dustSizedBelow: number
  readonly tiers: Tiers
  readonly feeHistory: FeeHistory
  /** Only of a wallet. What happens between its addresses is not a leak. */
  readonly wallet?: WalletUses
}

export const balanceOf = (utxos: readonly Utxo[]): number => utxos.reduce((sum, { value }) => sum + value, 0)
