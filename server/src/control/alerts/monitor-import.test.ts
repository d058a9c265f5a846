/** Configurations in the form of OpenZeppelin Monitor. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importMonitors, type MonitorConfig } from './monitor-import.ts'

const A = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const network = {
  network_type: 'EVM',
  slug: 'ethereum_mainnet',
  name: 'Ethereum Mainnet',
  rpc_urls: [{ type_: 'rpc', url: { type: 'plain', value: 'https://rpc.example' }, weight: 100 }],
  chain_id: 1,
  block_time_ms: 12_000,
  confirmation_blocks: 12,
}
const triggers = {
  ops_slack: {
    name: 'Ops',
    trigger_type: 'slack',
    config: { slack_url: { type: 'plain', value: 'https://hooks.example' } },
  },
  ops_script: { name: 'Script', trigger_type: 'script', config: {} },
}
const monitor = {
  name: 'Pause alert',
  paused: false,
  networks: ['ethereum_mainnet'],
  addresses: [{ address: A, contract_spec: [] }],
  match_conditions: {
    functions: [],
    events: [{ signature: 'Paused(address)', expression: null }],
    transactions: [{ status: 'Success', expression: null }],
  },
  trigger_conditions: [],
  triggers: ['ops_slack'],
}
const config = (changes: object, others: Partial<MonitorConfig> = {}): MonitorConfig => ({
  monitors: [{ ...monitor, ...changes }],
  networks: [network],
  triggers: [triggers],
  ...others,
})
const refusalsOf = (changes: object, others?: Partial<MonitorConfig>) =>
  importMonitors(config(changes, others)).refusals
const conditions = (changes: object) => ({ match_conditions: { ...monitor.match_conditions, ...changes } })

test('a monitor of control events becomes a subscription', () => {
  const { subscriptions, refusals, notes } = importMonitors(config({}))
  assert.deepEqual(refusals, [])
  assert.deepEqual(subscriptions, [
    { chain: 'ethereum', address: A.toLowerCase(), minSeverity: 'high', channels: ['slack'], paused: false },
  ])
  assert.ok(notes.some((note) => /must set up its slack channel/.test(note)))
})

test('two monitors of a contract become one subscription that reports what either did', () => {
  const second = {
    ...monitor,
    name: 'Owner',
    ...conditions({ events: [{ signature: 'OwnershipTransferred(address,address)' }] }),
  }
  const { subscriptions } = importMonitors(config({}, { monitors: [monitor, { ...second, paused: true }] }))
  assert.deepEqual(
    subscriptions.map(({ minSeverity, paused }) => [minSeverity, paused]),
    [['high', false]],
  )
})

test('what cannot be carried over is refused by name', () => {
  const cases: readonly (readonly [object, RegExp])[] = [
    [
      conditions({ events: [{ signature: 'Transfer(address,address,uint256)', expression: 'value > 10' }] }),
      /Transfer\(address,address,uint256\) is not a control event/,
    ],
    [
      conditions({ events: [{ signature: 'Paused(address)', expression: 'account == 0x1' }] }),
      /the expression of Paused\(address\) is not evaluated/,
    ],
    [
      conditions({ functions: [{ signature: 'transfer(address,uint256)' }] }),
      /calls of transfer\(address,uint256\) are not matched/,
    ],
    [conditions({ transactions: [{ status: 'Failure', expression: null }] }), /conditions about transactions/],
    [{ trigger_conditions: [{ script_path: 'filter.sh' }] }, /filter scripts are not run/],
    [{ triggers: ['ops_script'] }, /triggers of the type "script" do not exist/],
    [{ triggers: ['nothing'] }, /there is no trigger "nothing"/],
    [{ networks: ['nowhere'] }, /there is no network "nowhere"/],
    [{ addresses: [{ address: 'CA6PUJ' }] }, /the address "CA6PUJ" must be 0x/],
    [conditions({ events: [{ signature: 'Upgraded program Gv1' }] }), /Upgraded program Gv1 is not a control event/],
    [conditions({ functions: [{ signature: 'post()' }], events: [] }), /it matches no event/],
    [{ addresses: [] }, /it names no contract/],
  ]
  for (const [changes, reason] of cases) {
    const refusals = refusalsOf(changes)
    assert.ok(
      refusals.some((refusal) => refusal.startsWith('monitor "Pause alert": ') && reason.test(refusal)),
      `${reason}: ${refusals.join()}`,
    )
  }
  assert.match(
    refusalsOf({}, { networks: [{ ...network, network_type: 'Stellar' }] })[0] ?? '',
    /is of the type "Stellar"/,
  )
  assert.match(
    refusalsOf({}, { networks: [{ ...network, chain_id: 987_654 }] })[0] ?? '',
    /chain id 987654, which is not configured/,
  )
})

/** The forms of the examples of OpenZeppelin Monitor: transfers with a script, and networks without an EVM. */
test('a folder of monitors is carried over as far as it goes, and every other one is refused', () => {
  const transfers = {
    name: 'Transfers',
    ...conditions({
      functions: [{ signature: 'transfer(address,uint256)', expression: null }],
      events: [{ signature: 'Transfer(address,address,uint256)', expression: 'value > 10' }],
    }),
    trigger_conditions: [{ script_path: './filter.sh', language: 'Bash', arguments: ['--verbose'], timeout_ms: 1_000 }],
  }
  const foreign = { name: 'Deposit', networks: ['other'], addresses: [{ address: 'KLend2g3', contract_spec: {} }] }
  const local = { name: 'Local', networks: ['anvil_local'] }
  const { subscriptions, refusals } = importMonitors({
    monitors: [monitor, ...[transfers, foreign, local].map((changes) => ({ ...monitor, ...changes }))],
    networks: [
      network,
      { ...network, slug: 'other', network_type: 'Solana', chain_id: undefined },
      { ...network, slug: 'anvil_local', chain_id: 31_337 },
    ],
    triggers: [triggers],
  })
  assert.deepEqual(
    subscriptions.map(({ chain, address }) => [chain, address]),
    [['ethereum', A.toLowerCase()]],
  )
  assert.deepEqual(
    ['Pause alert', 'Transfers', 'Deposit', 'Local'].map(
      (name) => refusals.filter((refusal) => refusal.startsWith(`monitor "${name}"`)).length,
    ),
    [0, 3, 3, 1],
  )
})

test('files of another form are no error', () => {
  assert.deepEqual(importMonitors({ monitors: [null, 3, []], networks: ['x'], triggers: [[]] }).subscriptions, [])
})
