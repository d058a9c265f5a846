/** What a payment spends from: the coins of an address or of a wallet, and the scripts that a PSBT needs to sign them. */
import type { Address } from '../parse/address.ts'
import type { Transaction } from '../parse/transaction.ts'
import {
  encodePsbts,
  type PsbtInput,
  type PsbtOutput,
  type PsbtScripts,
  type Psbts,
  type PsbtTerms,
} from '../select/psbt.ts'
import type { Coin } from '../select/spend.ts'
import type { InputSizeEstimate } from './input-size.ts'
import { invalid } from './payment-terms.ts'
import type { ServedChain } from './served-chain.ts'
import type { SpendableCoins } from './spendable-coins.ts'
import { loadTransactions } from './transaction-view.ts'

export type PaymentSource = {
  /** The field of the request that names it. */
  readonly field: 'fromAddress' | 'descriptor'
  readonly id: string
  readonly scriptType: string
  readonly estimate: InputSizeEstimate
  readonly available: SpendableCoins
  /** Receives the change if the request states no address. */
  readonly change: Address
  readonly owns: (script: Buffer) => boolean
  /** Whether the address of a coin was used before the coin. */
  readonly wasUsedBefore: (coin: Coin) => boolean
  /** Whether the transaction that created a coin spends other coins of the source. */
  readonly spentIn: (coin: Coin) => boolean
  readonly scriptOf: (coin: Coin) => Buffer
  /** What a signer needs to spend a coin. A wallet derives keys for it. */
  readonly solvingDataOf: (coin: Coin) => PsbtScripts
  /** What a signer needs to recognize the change; only if `change` receives it. */
  readonly changeScripts: PsbtScripts
}

/** Keeps the response small: for inputs without witness a PSBT contains the whole previous transactions. */
const MAX_PSBT_INPUTS = 500

/** Encodes a payment; inputs without witness are completed with their previous transactions. */
export async function encodePayment(
  chain: ServedChain,
  { scriptType, estimate }: PaymentSource,
  inputs: readonly Omit<PsbtInput, 'previous'>[],
  outputs: readonly PsbtOutput[],
  terms: PsbtTerms,
): Promise<Psbts> {
  if (inputs.length > MAX_PSBT_INPUTS)
    throw invalid(
      `psbt: the payment needs ${inputs.length} inputs, and a PSBT has at most ${MAX_PSBT_INPUTS}. Send a smaller amount or omit psbt.`,
    )
  const isWitness = scriptType === 'p2sh' ? estimate.size.isSegwit : scriptType !== 'p2pkh'
  const previous = isWitness
    ? new Map<string, Transaction>()
    : await loadTransactions(chain, new Set(inputs.map(({ txid }) => txid)))
  return encodePsbts(
    inputs.map((input) => ({ ...input, previous: previous.get(input.txid) })),
    outputs,
    terms,
  )
}
