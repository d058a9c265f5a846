/** Why a node refuses a transaction, in words. The node's own reason begins with one of these codes. */

const EXPLANATIONS: readonly (readonly [code: string, explanation: string])[] = [
  [
    'bad-txns-inputs-missingorspent',
    'An input spends a coin that does not exist, or that another transaction has spent.',
  ],
  ['missing-inputs', 'An input spends a coin that does not exist, or that another transaction has spent.'],
  ['bad-txns-inputs-spent', 'An input spends a coin that a confirmed transaction has spent.'],
  ['bad-txns-inputs-duplicate', 'Two inputs spend the same coin.'],
  ['bad-txns-in-belowout', 'The outputs pay more than the inputs contain.'],
  ['bad-txns-premature-spend-of-coinbase', 'An input spends a mined coin that needs more confirmations.'],
  ['bad-txns-nonstandard-inputs', 'An input spends a script that nodes do not relay.'],
  ['bad-txns-vin-empty', 'The transaction has no inputs.'],
  ['bad-txns-vout-empty', 'The transaction has no outputs.'],
  ['bad-txns-vout-negative', 'An output has a negative amount.'],
  ['bad-txns-vout-toolarge', 'An output has a larger amount than there can be.'],
  ['bad-txns-spends-conflicting-tx', 'The transaction replaces a transaction that it spends itself.'],
  ['bad-txns-too-many-sigops', 'The transaction needs more signature checks than nodes allow.'],
  ['bad-witness-nonstandard', 'The witness of an input is larger or of another form than nodes relay.'],
  ['mempool min fee not met', 'The fee is below the minimum of the full mempool. Pay a higher fee rate.'],
  ['min relay fee not met', 'The fee is below the minimum that nodes relay. Pay a higher fee rate.'],
  ['insufficient fee', 'The transaction replaces another one, and its fee is not high enough for that.'],
  ['rejecting replacement', 'The transaction replaces another one, and its fee is not high enough for that.'],
  [
    'replacement-adds-unconfirmed',
    'The transaction replaces another one, and spends an unconfirmed coin that the other did not.',
  ],
  ['too many potential replacements', 'The transaction would replace too many others.'],
  ['txn-mempool-conflict', 'An unconfirmed transaction spends the same coin, and cannot be replaced by this one.'],
  ['txn-same-nonwitness-data-in-mempool', 'The same transaction with another witness is in the mempool.'],
  ['too-long-mempool-chain', 'Too many unconfirmed transactions depend on each other. Wait for a block.'],
  ['package-mempool-limits', 'Too many unconfirmed transactions depend on each other. Wait for a block.'],
  ['package-not-sorted', 'A transaction comes before one that it spends. Send parents first.'],
  ['package-contains-duplicates', 'A transaction is in the package twice.'],
  ['conflict-in-package', 'Two transactions of the package spend the same coin.'],
  ['package-too-many-transactions', 'The package has too many transactions.'],
  ['package-too-large', 'The package is too large.'],
  ['package-not-child-with-parents', 'The package is not one child with its unconfirmed parents.'],
  [
    'TRUC-violation',
    'A transaction of version 3 (TRUC) is too large, or has more unconfirmed relatives than such transactions may have.',
  ],
  [
    'v3-',
    'A transaction of version 3 (TRUC) is too large, or has more unconfirmed relatives than such transactions may have.',
  ],
  [
    'max-fee-exceeded',
    'The fee rate is above maxFeeRate. Check the outputs: a forgotten change output goes to the miner.',
  ],
  [
    'absurdly-high-fee',
    'The fee rate is above maxFeeRate. Check the outputs: a forgotten change output goes to the miner.',
  ],
  ['non-final', 'Its locktime is in the future. Send it again when the block or time is reached.'],
  ['non-BIP68-final', 'A relative locktime of an input is not over yet.'],
  ['mandatory-script-verify-flag-failed', 'A signature or script of an input is not valid.'],
  ['block-script-verify-flag-failed', 'A signature or script of an input is not valid.'],
  [
    'non-mandatory-script-verify-flag',
    'A signature or script of an input is valid, but of a form that nodes do not relay.',
  ],
  [
    'mempool-script-verify-flag-failed',
    'A signature or script of an input is not valid, or of a form that nodes do not relay.',
  ],
  ['dust', 'An output is too small to be worth spending.'],
  ['scriptpubkey', 'An output has a script that nodes do not relay.'],
  ['scriptsig-', 'The script of an input is of a form that nodes do not relay.'],
  ['bare-multisig', 'An output is a multisig without a script hash, which nodes do not relay.'],
  ['multi-op-return', 'The transaction has several data outputs, which nodes do not relay.'],
  ['datacarrier', 'A data output is larger than nodes relay.'],
  ['tx-size-small', 'The transaction is smaller than nodes relay.'],
  ['tx-size', 'The transaction is larger than nodes relay.'],
  ['version', 'The version of the transaction is not one that nodes relay.'],
  ['coinbase', 'A coinbase transaction is created by a miner and cannot be broadcast.'],
  ['not-examined', 'It was not examined, because another transaction of the package was refused.'],
]

/** Explains a reason of the node; a general sentence for one that is not known. */
export function explainRefusal(reason: string): string {
  const found = EXPLANATIONS.find(([code]) => reason.startsWith(code))
  return found?.[1] ?? 'The node refuses the transaction. The reason is the one that the node gives.'
}
