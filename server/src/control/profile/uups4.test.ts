/** UUPS of OpenZeppelin 4: it has both upgrade functions, one of which calls the logic even with empty data. */
import type { Hex } from 'viem'
import { council, eoa, locked, testCases, ZERO } from '../../../../testing/evm/sample-cases.ts'
import {
  at,
  type Described,
  FORWARDER,
  refusals,
  type SampleWorld,
  UUPS,
} from '../../../../testing/evm/sample-world.ts'
import { MULTICALL3 } from '../chains/chains.ts'
import { DEFAULT_ADMIN, roleNamed } from './roles.ts'
import { upgradeCalls } from './simulated-calls.ts'

const UPGRADE_TO: Hex = '0x3659cfe6'
const UUPS4 = { ...UUPS, selectors: new Set<Hex>([UPGRADE_TO, ...(UUPS.selectors ?? [])]) }

/** Only `upgradeTo` succeeds, from `who` or from anyone: the other function calls logic that has no fallback. */
const uups4 = (w: SampleWorld, calls: Described['calls'], who: Hex | 'anyone', more: Described = {}): Hex =>
  w.add('target', {
    ...more,
    code: FORWARDER,
    slots: { implementation: w.add('target logic', { code: UUPS4 }) },
    calls: calls ?? {},
    allows: (from, data) => data.startsWith(UPGRADE_TO) && (who === 'anyone' || from === who),
  })

testCases([
  {
    setup: 'a Safe as owner',
    build: (w) => {
      const owner = council(w)
      return uups4(w, { owner }, owner)
    },
    label: 'multisig',
  },
  {
    setup: 'an owner that renounced',
    build: (w) => uups4(w, { owner: ZERO }, ZERO),
    label: 'immutable',
    reason: /renounced/,
  },
  {
    setup: 'an owner of one key, and roles that a timelock gives',
    build: (w) => uups4(w, { owner: eoa, hasRole: 0 }, eoa, { roles: { [DEFAULT_ADMIN]: [locked(w)] } }),
    label: 'single_key',
    reason: /UUPS owner is .* an EOA/,
  },
  {
    setup: 'an upgrade that is open to anyone, and roles that a timelock gives',
    build: (w) => uups4(w, { hasRole: 0 }, 'anyone', { roles: { [DEFAULT_ADMIN]: [locked(w)] } }),
    label: 'single_key',
    reason: /open to anyone/,
  },
  {
    setup: 'a role that only the revert of the second function names',
    build: (w) => {
      const role = roleNamed('GARDENER_ROLE')
      const roles = { [DEFAULT_ADMIN]: [], [role]: [] }
      const target = uups4(w, { hasRole: 0 }, at('another'), { roles })
      w.addAt(MULTICALL3, refusals(target, upgradeCalls(UUPS4.selectors, at('target logic')).at(-1) as Hex, role))
      return target
    },
    label: 'immutable',
  },
])
