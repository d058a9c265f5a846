/**
 * Which events are looked for on contracts nobody registered, and why.
 *
 * A filter without addresses returns the logs of a whole chain, so it holds only what is rare and telling; everything
 * else is read from contracts under watch. An operator may replace the list, see `buildCatalog`. A key brings every
 * topic 0 it has, and with it every other key of that topic.
 */

/** Key → why it is looked for everywhere. */
export const CHAINWIDE: Readonly<Record<string, string>> = {
  'proxy.upgraded': 'new code behind an address; the constructor of every proxy emits it too, which isInit tells apart',
  'proxy.secondary_upgraded': 'new code behind an address, second logic of a dual proxy',
  'proxy.implementation_changed': 'new code behind an address, Compound family',
  'proxy.polygon_updated': 'new code behind an address, Polygon family',
  'proxy.target_updated': 'new code behind an address, Synthetix family',
  'proxy.starkware_upgraded': 'new code behind an address, StarkWare family',
  'factory.proxy_upgraded': 'new code behind an address; the factory emits it, never the proxy',
  'diamond.cut': 'new code behind an address, by function',
  'aragon.app_set': 'new code behind every proxy of an app',
  'wormhole.contract_upgraded': 'new code of a bridge',
  'arbitrum.upgrade_executed': 'an upgrade executor ran foreign code with every right it has',
  'safe.master_copy': 'a Safe points to other code: outside of migrations this is a theft in progress',
  'proxy.admin_changed': 'another hand on the upgrade; deployments emit it too, which isInit tells apart',
  'factory.proxy_admin_changed': 'another hand on the upgrade; the factory emits it, never the proxy',
  'proxy.polygon_owner': 'another hand on the upgrade',
  'proxy.ossified': 'upgradeable no more',
  'proxy.finalized': 'upgradeable no more',
  'timelock.min_delay_changed': 'the time to react has changed; a timelock emits it once at birth',
  'timelock.min_delay_set': 'the time to react has changed',
  'timelock.new_delay': 'the time to react has changed',
  'governor.timelock_change': 'votes take effect through another timelock',
  'governor.base_delay': 'the time to react has changed',
  'access.default_admin_scheduled': 'the first of all roles is about to move',
  'safe.changed_guard': 'what checks every transaction of a Safe has changed',
  'safe.changed_module_guard': 'what checks every module of a Safe has changed',
  'fiat.master_minter': 'who decides on minting has changed',
  'usdt.deprecate': 'a token forwards to another contract',
}

export const CHAINWIDE_KEYS: readonly string[] = Object.keys(CHAINWIDE)

/** Key → why it is not, for those one would expect above. */
export const TOO_COMMON: Readonly<Record<string, string>> = {
  'ownable.transferred': 'every contract with an owner emits it when it is deployed',
  'access.role_granted': 'every contract with roles emits several when it is deployed',
  'proxy.initialized': 'every proxy emits it when it is deployed, every account of a smart wallet included',
  'proxy.beacon_upgraded': 'every beacon proxy emits it when it is deployed; the beacon itself is in the list above',
  'safe.setup': 'every new Safe',
  'safe.proxy_creation': 'every new Safe',
  'safe.exec_ok': 'every transaction of every Safe',
  'safe.multisig_tx': 'every transaction of every Safe',
  'safe.added_owner': 'daily life of small Safes',
  'safe.changed_threshold': 'daily life of small Safes',
  'safe.enabled_module': 'daily life of small Safes',
  'pause.paused': 'any contract can be paused; without knowing it the news is worth nothing',
  'timelock.scheduled': 'tells something only about targets that are known',
}
