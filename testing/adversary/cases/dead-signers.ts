/** Safes whose keys are too few to sign, and for which other code signs or an approval is stored. */
import type { Hex } from 'viem'
import { type Case, type Twin, WEAK } from '../case.ts'
import { type Built, type Chain, callData } from '../chain.ts'
import { deploySafe, execSafe, upgradeCall } from '../safes.ts'
import { compatibilityHandler, owned, upgradeData } from './hidden-entries.ts'
import { controlledBy, part } from './lying-getters.ts'
import { approvals, contractSignatures } from './modules.ts'

const DEAD: Hex = '0x000000000000000000000000000000000000dead'
const BURNED: Hex = '0xdead000000000000000042069420694206942069'

/** A Safe whose only signer is a Safe of two addresses that no key has. */
const ofDeadSigners =
  (handler: (chain: Chain) => Promise<Hex>) =>
  async (chain: Chain): Promise<Built> => {
    const setup = { owners: [DEAD, BURNED], threshold: 2, fallbackHandler: await handler(chain) }
    const signer = await deploySafe(chain, setup)
    return controlledBy(chain, await deploySafe(chain, { owners: [signer], threshold: 1 }), { signer })
  }
const HANDLED = 'the handler of a nested Safe without a key accepts every signature'

export const deadSigners: readonly Case[] = [
  {
    name: HANDLED,
    cause: 'module',
    by: 'anyone',
    truth: WEAK,
    settings: ['optimized'],
    build: ofDeadSigners((chain) => chain.deploy('SigningLogic')),
    exploit: (attack, built) =>
      execSafe(
        attack,
        part(built, 'controller'),
        part(built, 'admin'),
        upgradeCall(built.address, attack.code),
        contractSignatures([part(built, 'signer')], '0x'),
      ),
  },
  {
    name: 'the setup of a Safe approved its first transaction for a signer that no key has, with the event',
    cause: 'module',
    by: 'one key',
    truth: WEAK,
    settings: ['optimized'],
    build: (chain) =>
      owned(chain, async (admin, data) =>
        deploySafe(chain, {
          owners: [chain.hidden().address, DEAD],
          threshold: 2,
          to: await chain.deploy('SetupApprovals'),
          data: callData('approveFirst(address[],address,bytes)', [[DEAD], admin, data]),
        }),
      ),
    exploit: (attack, built) =>
      execSafe(
        attack,
        part(built, 'controller'),
        part(built, 'admin'),
        upgradeData(built),
        approvals([attack.account.address, DEAD]),
      ),
  },
]

export const deadSignerTwins: readonly Twin[] = [
  {
    name: 'a nested Safe without a key has the released fallback handler',
    cause: 'module',
    twinOf: HANDLED,
    deserves: 'immutable',
    settings: ['optimized'],
    build: ofDeadSigners(compatibilityHandler),
  },
]
