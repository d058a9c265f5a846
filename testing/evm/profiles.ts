/** Profiles of contracts on a local node, made with the polling of the service. */
import { after } from 'node:test'
import type { Hex } from 'viem'
import { createCodeAnalyzer } from '../../server/src/control/poll/code-analyzer.ts'
import { probe } from '../../server/src/control/poll/probe.ts'
import { openSession, type Session } from '../../server/src/control/poll/session.ts'
import type { Profile } from '../../server/src/control/profile/profile.ts'
import type { Need } from '../../server/src/control/profile/state.ts'
import { DEFAULT_POLICY } from '../../server/src/control/rpc/endpoint-health.ts'
import { createRpcPool } from '../../server/src/control/rpc/pool.ts'
import { systemTiming } from '../../server/src/lib/clock.ts'
import { type Anvil, anvilForTests, anvilMissing } from './anvil.ts'
import { type ControlContracts, controlContracts, FREE } from './control.ts'
import { type Evm, evmOf } from './evm.ts'

/** The chain id of the node. */
export const CHAIN_ID = 1
/** The local node needs no rate limit. */
const policy = { ...DEFAULT_POLICY, rate: { start: 5_000, min: 5_000, max: 5_000 } }

export type Profiles = {
  /** `onNeed`: reports each read. */
  readonly profileOf: (address: Hex, previous?: Profile, onNeed?: (need: Need) => void) => Promise<Profile>
  readonly close: () => Promise<void>
}

export function profilesOn({ url }: Pick<Anvil, 'url'>): Profiles {
  const codes = createCodeAnalyzer()
  const pool = createRpcPool(
    { timing: systemTiming, report: () => {} },
    { chain: 'ethereum', chainId: CHAIN_ID, urls: [url], policy },
  )
  return {
    profileOf: async (address, previous, onNeed = () => {}) => {
      const poolOf = (chainId: number) => (chainId === CHAIN_ID ? pool : undefined)
      const session = openSession({ poolOf, codes, confirmationsOf: () => 0 })
      const more: Session['more'] = (need) => {
        onNeed(need)
        return session.more(need)
      }
      return (await probe({ session: { ...session, more } }, { chainId: CHAIN_ID, address }, { previous })).profile
    },
    close: async () => {
      pool.close()
      await codes.close()
    },
  }
}

/** What the tests of a file share. Without a node all of them are skipped. */
type ProfiledNode = Pick<Profiles, 'profileOf'> & {
  readonly options: { readonly skip?: string }
  readonly node: Anvil
  readonly evm: Evm
  readonly made: ControlContracts
}

export async function profiledNode(): Promise<ProfiledNode> {
  if (anvilMissing !== false) return { options: { skip: anvilMissing } } as ProfiledNode
  const node = await anvilForTests(CHAIN_ID, FREE)
  const evm = await evmOf(node)
  const { profileOf, close } = profilesOn(node)
  after(close)
  return { options: {}, node, evm, made: controlContracts(node, evm), profileOf }
}
