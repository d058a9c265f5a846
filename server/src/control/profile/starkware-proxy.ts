/** StarkWare's proxy: governors announce an upgrade, which can be activated after a delay. */
import type { Hex } from 'viem'
import { uintOf } from './abi-values.ts'
import type { Authority } from './authority.ts'
import type { Facts } from './facts.ts'
import { upgrader } from './upgrader.ts'

export function starkwareAuthority(facts: Facts): Authority {
  const implementation = facts.slot('starkwareImplementation') as Hex
  const base = { kind: 'proxy_custom', implementation } as const
  // The logic behind the proxy may forge the getter, so the shorter of the two delays counts.
  const stored = facts.word('starkwareDelay')
  const delays = [facts.uint('upgradeActivationDelay'), stored === undefined ? undefined : uintOf(stored)]
  const known = delays.filter((delay) => delay !== undefined).map((delay) => Math.min(Number(delay), 10 ** 12))
  const governors = facts.members('governors')
  if (governors === undefined || governors.length === 0)
    return { ...base, type: 'unresolved', notes: [{ code: 'governors_unknown' }] }
  const delaySeconds = known.length === 0 ? 0 : Math.min(...known)
  const upgraders = governors.map((address) => upgrader(address, { code: 'starkware_governor' }, delaySeconds))
  return { ...base, type: 'upgradeable', upgraders, notes: [{ code: 'activation_delay', delaySeconds }] }
}
