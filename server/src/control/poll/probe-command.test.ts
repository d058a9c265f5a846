import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, SampleWorld } from '../../../../testing/evm/sample-world.ts'
import { profileLines } from './probe-command.ts'

test('a profile reads as a tree', () => {
  const world = new SampleWorld()
  const [one, two] = [at('one'), at('two')]
  const council = world.safe('council', 2, [one, two])
  const timelock = world.timelock('timelock', 172_800, [council])
  const admin = world.proxyAdmin('admin', timelock)
  const target = world.transparent('target', admin)
  assert.deepEqual(profileLines(world.profile(target)).slice(0, 9), [
    'Multisig + 24h+ timelock (timelocked, green)',
    'Kind: proxy_transparent',
    '',
    target,
    `└─ Proxy admin: ProxyAdmin ${admin}  [timelocked]`,
    `   └─ Owner: OpenZeppelin timelock ${timelock} with a delay of 48 h (2 d)  [timelocked]`,
    `      └─ Proposer: Safe ${council} (2 of 2, version 1.5.0)  [timelocked]`,
    `         ├─ signer: ${one}, an EOA`,
    `         └─ signer: ${two}, an EOA`,
  ])
})
