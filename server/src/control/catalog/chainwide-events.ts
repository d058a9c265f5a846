/**
 * The chain-wide events: read from every contract, not only from watched ones.
 *
 * A filter without addresses returns the logs of a whole chain, so the list contains only rare and important events. An
 * operator may replace it, see `buildCatalog`. A key includes all its topics 0, and every other key with one of them.
 */

/** The reason why each event is read chain-wide, by key. */
export const CHAINWIDE: Readonly<Record<string, string>> = {
  'proxy.upgraded': 'new code behind an address; proxy constructors emit it too, which isInit recognizes',
  'proxy.secondary_upgraded': 'new code behind an address, second logic of a dual proxy',
  'proxy.implementation_changed': 'new code behind an address, Compound family',
  'proxy.polygon_updated': 'new code behind an address, Polygon family',
  'proxy.target_updated': 'new code behind an address, Synthetix family',
  'proxy.starkware_upgraded': 'new code behind an address, StarkWare family',
  'factory.proxy_upgraded': 'new code behind an address; the factory emits it, never the proxy',
  'diamond.cut': 'new code behind an address, by function',
  'aragon.app_set': 'new code behind every proxy of an app',
  'wormhole.contract_upgraded': 'new code of a bridge',
  'arbitrum.upgrade_executed': 'an upgrade executor ran an action contract with all its rights',
  'safe.master_copy': 'a Safe got another implementation: outside of migrations this indicates a theft',
  'proxy.admin_changed': 'another admin of the proxy; deployments emit it too, which isInit recognizes',
  'factory.proxy_admin_changed': 'another admin of the proxy; the factory emits it, never the proxy',
  'proxy.polygon_owner': 'another admin of the proxy',
  'proxy.ossified': 'the proxy is no longer upgradeable',
  'proxy.finalized': 'the proxy is no longer upgradeable',
  'timelock.min_delay_changed': 'another delay; every timelock emits it once at its creation',
  'timelock.min_delay_set': 'another delay',
  'timelock.new_delay': 'another delay',
  'governor.timelock_change': 'proposals execute through another timelock',
  'governor.base_delay': 'another delay',
  'access.default_admin_scheduled': 'the default admin role is about to be transferred',
  'safe.changed_guard': 'another guard of all transactions of a Safe',
  'safe.changed_module_guard': 'another guard of all modules of a Safe',
  'fiat.master_minter': 'another master minter',
  'usdt.deprecate': 'a token forwards to another contract',
}

export const CHAINWIDE_KEYS: readonly string[] = Object.keys(CHAINWIDE)

/** The reason why an event that could be expected above is not read chain-wide, by key. */
export const TOO_COMMON: Readonly<Record<string, string>> = {
  'ownable.transferred': 'every contract with an owner emits it when it is deployed',
  'access.role_granted': 'every contract with roles emits several when it is deployed',
  'proxy.initialized': 'every proxy emits it when it is deployed, including every smart wallet account',
  'proxy.beacon_upgraded': 'every beacon proxy emits it when it is deployed; the beacon itself is in the list above',
  'safe.setup': 'every new Safe',
  'safe.proxy_creation': 'every new Safe',
  'safe.exec_ok': 'every transaction of every Safe',
  'safe.multisig_tx': 'every transaction of every Safe',
  'safe.added_owner': 'routine of small Safes',
  'safe.changed_threshold': 'routine of small Safes',
  'safe.enabled_module': 'routine of small Safes',
  'pause.paused': 'any contract can be paused, and for an unknown one it does not matter',
  'timelock.scheduled': 'matters only for watched targets',
}
