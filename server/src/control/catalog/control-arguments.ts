/**
 * The arguments that hold the new and the previous value of controllers, implementations, thresholds and delays.
 *
 * Keys whose layouts name an argument differently list both names.
 */

import type { DecodedEvent } from './catalog.ts'

export type Change = { readonly next: readonly string[]; readonly previous?: string }
type Changes = Readonly<Record<string, Change>>

function change(next: string, previous?: string): Change {
  return previous === undefined ? { next: next.split('|') } : { next: next.split('|'), previous }
}

/** Events that change the controller of a contract. */
export const CONTROLLERS: Changes = {
  'ownable.transferred': change('newOwner', 'previousOwner'),
  'ownable.transferred_single': change('newOwner'),
  'ownable.transferred_xdomain': change('newOwner', 'previousOwner'),
  'ownable.owner_updated': change('newOwner'),
  'ownable.owner_set': change('newOwner'),
  'ownable.owner_changed': change('newOwner', 'oldOwner'),
  'ownable.owner_changed_single': change('newValue'),
  'ownable.primary_transferred': change('recipient'),
  'dsauth.owner_set': change('owner'),
  'vyper.apply_ownership': change('admin'),
  'vyper.apply_new_admin': change('admin'),
  'vyper.new_admin': change('admin'),
  'yearn.governance_updated': change('governance'),
  'starkware.governor_accepted': change('acceptedGovernor'),
  'zk.new_admin': change('newAdmin', 'oldAdmin'),
  'comp.new_admin': change('newAdmin', 'oldAdmin'),
  'timelock.new_admin': change('newAdmin'),
  'comet.governor_transferred': change('newGovernor', 'oldGovernor'),
  'comet.governor_set': change('newGovernor', 'oldGovernor'),
  'axelar.governance_transferred': change('newGovernance', 'previousGovernance'),
  'axelar.operatorship': change('newOperator'),
  'euler.governor_set': change('newGovernorAdmin'),
  'euler.upgrade_admin': change('newUpgradeAdmin'),
  'proxy.admin_changed': change('newAdmin', 'previousAdmin'),
  'proxy.polygon_owner': change('_new', '_old'),
  'factory.proxy_admin_changed': change('admin'),
}

/** Events that change the implementation and nothing else. One that also re-runs an initializer is not listed. */
export const IMPLEMENTATIONS: Changes = {
  'proxy.upgraded': change('implementation'),
  'beacon.upgraded': change('implementation'),
  'proxy.secondary_upgraded': change('implementation'),
  'proxy.implementation_changed': change('newImplementation', 'oldImplementation'),
  'proxy.polygon_updated': change('_new', '_old'),
  'proxy.target_updated': change('newTarget'),
  'factory.proxy_upgraded': change('implementation'),
  'wormhole.contract_upgraded': change('newContract', 'oldContract'),
  'aave.address_set_as_proxy': change('newImplementationAddress', 'oldImplementationAddress'),
  'aave.atoken_upgraded': change('implementation'),
  'aave.vdebt_upgraded': change('implementation'),
  'aave.sdebt_upgraded': change('implementation'),
  'comet.extension_set': change('newExt', 'oldExt'),
  'euler.factory_impl': change('newImplementation'),
  'safe.master_copy': change('masterCopy'),
}

/** Events that change a signature threshold. */
export const THRESHOLDS: Changes = {
  'safe.changed_threshold': change('threshold'),
  'gnosis.requirement_change': change('required'),
  'account.threshold_set': change('threshold'),
  'cctp.signature_threshold': change('newSignatureThreshold', 'oldSignatureThreshold'),
  'lido.quorum_set': change('newQuorum', 'prevQuorum'),
}

/** Events that change a delay and nothing else. One that also sets another executor is not listed. */
export const DELAYS: Changes = {
  'timelock.min_delay_changed': change('newDuration', 'oldDuration'),
  'timelock.min_delay_set': change('newMinDelay'),
  'timelock.new_delay': change('newDelay|delay'),
  'morpho.timelock_set': change('newTimelock'),
  'zodiac.cooldown': change('cooldown'),
  'dspause.delay_set': change('delay'),
  'lido.after_submit_delay': change('newAfterSubmitDelay'),
  'lido.after_schedule_delay': change('newAfterScheduleDelay'),
  'governor.base_delay': change('newBaseDelaySeconds', 'oldBaseDelaySeconds'),
  'access.default_admin_delay_scheduled': change('newDelay'),
}

/** The new value as text. Undefined if the event is not in the table or was not decoded. */
export function nextOf(changes: Changes, event: DecodedEvent): string | undefined {
  return changes[event.key]?.next.map((name) => textOf(event, name)).find((text) => text !== undefined)
}

/** The previous value, if the event contains it. */
export function previousOf(changes: Changes, event: DecodedEvent): string | undefined {
  const name = changes[event.key]?.previous
  return name === undefined ? undefined : textOf(event, name)
}

/** An argument that is neither a list nor a tuple, as text. */
export function textOf(event: DecodedEvent, name: string): string | undefined {
  const value = event.decode === 'ok' ? event.args[name] : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}
