/** The tools of the MCP server. Each one is an operation of the HTTP API, which validates, counts and logs the call. */
import type { Api } from '../../accounts/plans.ts'

export type ToolDefinition = {
  readonly name: string
  readonly title: string
  /** What the operation returns and when to use it, for a language model. */
  readonly description: string
  /** The API whose key the operation needs; undefined if it needs none. */
  readonly api: Api | undefined
  readonly method: 'get' | 'post'
  /** A path of the OpenAPI description. */
  readonly path: string
  /** Smaller than those of the operation, because a model reads all of the response. */
  readonly defaults?: Readonly<Record<string, number>>
  /** The fields of `data` that the tool returns; without it all. */
  readonly fields?: readonly string[]
}

const CONTRACT = '/v1/contracts/{chain}/{address}'

export const TOOLS: readonly ToolDefinition[] = [
  {
    name: 'search',
    title: 'Search',
    description:
      'Finds contracts, protocols, controlling accounts, kinds of events and transactions by name, address or hash. Use it first to find the chain and address of a contract.',
    api: undefined,
    method: 'get',
    path: '/public/control/search',
  },
  {
    name: 'contract_profile',
    title: 'Who controls a contract',
    description:
      'Returns the control label of a watched contract with its reasons, its owner, admin and implementation, its recent control events, and its queued changes.',
    api: 'v1',
    method: 'get',
    path: CONTRACT,
    fields: ['chain', 'address', 'contract', 'latestSnapshot', 'counts', 'recentEvents', 'controlProfile', 'pending'],
  },
  {
    name: 'contract_powers',
    title: 'What privileged callers can do',
    description:
      'Returns what privileged callers of a watched contract can do (upgrade, mint, pause, seize and others), with the functions and the accounts that hold each power.',
    api: 'v1',
    method: 'get',
    path: CONTRACT,
    fields: ['chain', 'address', 'controlProfile', 'powers'],
  },
  {
    name: 'control_events',
    title: 'Control events',
    description:
      'Lists control events over all chains, newest first: upgrades, changes of owners, roles and signers, pauses, timelock operations. Filters by chain, contract, severity, category and kind.',
    api: 'v1',
    method: 'get',
    path: '/v1/events',
    defaults: { limit: 20 },
  },
  {
    name: 'pending_changes',
    title: 'Queued changes',
    description:
      'Lists what timelocks, governors and Safes are about to do, with decoded calls and the earliest time of execution.',
    api: 'v1',
    method: 'get',
    path: '/v1/pending',
    defaults: { limit: 10 },
  },
  {
    name: 'address_powers',
    title: 'What an address can do',
    description:
      'Returns the powers of an address over watched contracts: itself, as a signer of multisigs, and through accounts that it controls.',
    api: 'v1',
    method: 'get',
    path: '/v1/addresses/{chain}/{address}',
  },
  {
    name: 'protocol',
    title: 'A protocol across chains',
    description: 'Returns the contracts of a protocol with their control labels, its recent events and queued changes.',
    api: 'v1',
    method: 'get',
    path: '/v1/protocols/{slug}',
  },
  {
    name: 'coin_address',
    title: 'Balance of an address',
    description: 'Returns the balance and totals of a Bitcoin or Litecoin address.',
    api: 'v2',
    method: 'get',
    path: '/api/v2/address/{address}',
  },
  {
    name: 'coin_utxos',
    title: 'Coins of an address',
    description: 'Lists the unspent outputs of a Bitcoin or Litecoin address, most valuable first.',
    api: 'v2',
    method: 'get',
    path: '/api/v2/address/{address}/utxos',
    defaults: { limit: 50 },
  },
  {
    name: 'coin_history',
    title: 'History of an address',
    description: 'Lists the transactions of a Bitcoin or Litecoin address, newest first.',
    api: 'v2',
    method: 'get',
    path: '/api/v2/address/{address}/txs',
  },
  {
    name: 'coin_health',
    title: 'Health of the coins of an address',
    description: 'Rates the unspent outputs of an address: dust, fragmentation, and what a consolidation would save.',
    api: 'v2',
    method: 'get',
    path: '/api/v2/health/{address}',
  },
  {
    name: 'coin_transaction',
    title: 'A coin transaction',
    description: 'Returns a Bitcoin or Litecoin transaction with its inputs, outputs, fee and confirmations.',
    api: 'v2',
    method: 'get',
    path: '/api/v2/tx/{txid}',
  },
  {
    name: 'wallet',
    title: 'Balance of a wallet',
    description:
      'Returns the balance and totals of a wallet by its output descriptor or extended public key, which is not stored. Never send private keys.',
    api: 'v2',
    method: 'post',
    path: '/api/v2/wallets',
  },
  {
    name: 'wallet_utxos',
    title: 'Coins of a wallet',
    description: 'Lists the unspent outputs of a wallet with their derivation paths, most valuable first.',
    api: 'v2',
    method: 'post',
    path: '/api/v2/wallets/utxos',
    defaults: { limit: 50 },
  },
  {
    name: 'wallet_history',
    title: 'History of a wallet',
    description: 'Lists the transactions of a wallet, newest first.',
    api: 'v2',
    method: 'post',
    path: '/api/v2/wallets/txs',
  },
  {
    name: 'simulate_payment',
    title: 'Simulate a payment',
    description:
      'Selects the coins of an address for a payment and returns fee, change and size. Nothing is signed or sent. Amounts are satoshi.',
    api: 'v2',
    method: 'post',
    path: '/api/v2/simulate',
  },
  {
    name: 'fee_rates',
    title: 'Fee rates',
    description: 'Returns the fee rates of the next blocks of Bitcoin or Litecoin, in sat/vB.',
    api: 'v2',
    method: 'get',
    path: '/api/v2/fees',
  },
]
