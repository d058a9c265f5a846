/**
 * Decides whether an event is part of a contract's setup.
 *
 * Setup is omitted from the feed and from alerts, so a change that looks like setup would be hidden. The decision depends
 * on when the contract was created, never on argument values: a `previousOwner` of zero also occurs when an uninitialized
 * proxy is taken over. In doubt an event is not setup.
 */

import type { Hex } from 'viem'
import type { DecodedEvent } from './catalog.ts'
import { catalogRows } from './events/rows.ts'

export type InitFacts = {
  /** Whether the transaction of the event created its emitter. */
  readonly isCreatedHere?: boolean
  /** Whether the same transaction sets the emitter up, see `isSetUpBy`. */
  readonly isSetUpHere?: boolean
  /** Whether an earlier transaction set the emitter up: a second setup is a change. */
  readonly wasSetUpBefore?: boolean
}

const SETUP_KEYS: ReadonlySet<string> = new Set(catalogRows.filter((row) => row.setup === true).map((row) => row.key))

export function isInit(event: DecodedEvent, facts: InitFacts): boolean {
  if (facts.isCreatedHere === true || locksItself(event)) return true
  if (facts.wasSetUpBefore === true && event.key !== 'safe.proxy_creation') return false
  return facts.isSetUpHere === true || SETUP_KEYS.has(event.key)
}

/** Whether an implementation disables its own initializers by setting the highest version. */
function locksItself({ key, signature, args }: DecodedEvent): boolean {
  if (key !== 'proxy.initialized') return false
  return signature.includes('uint8 ') ? args.version === 255 : args.version === '18446744073709551615'
}

/**
 * Factories of the Safe project, the same on all chains: 1.1.1, 1.3.0 (both deployments), 1.4.1 and 1.5.0. Any contract
 * can emit `ProxyCreation` with any address; these emit it only for contracts they create.
 */
const SAFE_FACTORIES: ReadonlySet<string> = new Set([
  '0x76e2cfc1f5fa8f6a5b3fc4c8f4788f0116861f9b',
  '0xa6b71e26c5e0845f74c812102ca7114b6a896ab2',
  '0xc22834581ebc8527d974f8a1c97e1bea4ef910bc',
  '0x4e1dcf7ad4e460cfd30791ccc4f9c8a4f820ec67',
  '0x14f2982d601c9458f93bd70b218933a6f8165e7b',
])

/** Whether one event of a transaction, emitted by `emitter`, sets `contract` up: for `InitFacts.isSetUpHere`. */
export function isSetUpBy(contract: Hex, emitter: Hex, event: DecodedEvent): boolean {
  if (event.key === 'safe.setup') return emitter === contract
  return event.key === 'safe.proxy_creation' && event.subject === contract && SAFE_FACTORIES.has(emitter)
}
