/**
 * Is this event part of a deployment?
 *
 * Setup is left out of the feed and of alerts, so whoever can make a change look like setup can hide it. It is decided
 * by when the contract came into being, never by argument values: `previousOwner` of zero is also what the takeover of
 * a forgotten proxy looks like. What is not known to be setup is not setup.
 */

import type { Hex } from 'viem'
import type { DecodedEvent } from './catalog.ts'
import { CONTROLLERS, DELAYS, IMPLEMENTATIONS, previousOf, THRESHOLDS } from './control-arguments.ts'
import { catalogRows } from './events/rows.ts'

/** When a contract got its code, seen from the transaction of an event. */
export type Birth =
  /** Its creation transaction is this one. */
  | 'this_transaction'
  /** No code at the end of the block before, and the creation transaction is not known. */
  | 'this_block'
  | 'before'
  | 'unknown'

/** `creationTx` decides where it is known; `hadCode` is whether `eth_getCode` at the block before found any. */
export function birthOf(txHash: Hex, creationTx: Hex | undefined, hadCode: boolean | undefined): Birth {
  if (creationTx !== undefined) return creationTx === txHash ? 'this_transaction' : 'before'
  if (hadCode === undefined) return 'unknown'
  return hadCode ? 'before' : 'this_block'
}

export type InitFacts = {
  /** Of the contract that emitted the event. */
  readonly emitter: Birth
  /** Of the contract the event is about, where that is another. */
  readonly subject?: Birth
  /** See `isSetUpBy`: whether the same transaction sets the emitter up. */
  readonly isSetUpHere?: boolean
  /** An earlier transaction did: a second setup is no setup. */
  readonly wasSetUpBefore?: boolean
  /** Given only where the operator wants deployments that take several transactions counted as setup. */
  readonly grace?: GraceFacts
}

export type GraceFacts = {
  /** Whether the transaction was sent by the account that created the emitter. */
  readonly isFromDeployer: boolean
  readonly secondsSinceCreation: number
  /** Whether the emitter logged an event of this key before. */
  readonly hasEarlierEvent: boolean
}

const GRACE_SECONDS = 86_400

const SETUP_KEYS: ReadonlySet<string> = new Set(catalogRows.filter((row) => row.setup === true).map((row) => row.key))

export function isInit(event: DecodedEvent, facts: InitFacts): boolean {
  if (isNew(facts.emitter) || isNew(facts.subject) || locksItself(event)) return true
  if (facts.wasSetUpBefore === true && event.key !== 'safe.proxy_creation') return false
  return facts.isSetUpHere === true || SETUP_KEYS.has(event.key) || isLateSetup(event, facts.grace)
}

/** The deployer sets for the first time, within a day, what was nothing before. */
function isLateSetup(event: DecodedEvent, grace: GraceFacts | undefined): boolean {
  if (grace === undefined || !grace.isFromDeployer || grace.hasEarlierEvent) return false
  const previous = [CONTROLLERS, IMPLEMENTATIONS, THRESHOLDS, DELAYS].map((table) => previousOf(table, event))
  return (
    grace.secondsSinceCreation <= GRACE_SECONDS && previous.some((value) => value !== undefined && BigInt(value) === 0n)
  )
}

function isNew(birth: Birth | undefined): boolean {
  return birth === 'this_transaction' || birth === 'this_block'
}

/** An implementation that makes itself unusable but through a proxy, with the greatest version there is. */
function locksItself({ key, signature, args }: DecodedEvent): boolean {
  if (key !== 'proxy.initialized') return false
  return signature.includes('uint8 ') ? args.version === 255 : args.version === '18446744073709551615'
}

/**
 * Factories of the Safe project, the same on all chains: 1.1.1, 1.3.0 (both deployments), 1.4.1 and 1.5.0. Anyone can
 * emit `ProxyCreation` with any address in it; these only do so for what they create.
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
