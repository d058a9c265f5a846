/**
 * Finds settings that do not exist, so that a misspelt one is an error instead of being ignored.
 *
 * The environment also has variables of other programs. A name is ours if it begins or ends as only our settings do, or
 * if it differs from a setting by a typing error.
 */
import { editDistance } from '../lib/edit-distance.ts'

/** Beginnings and ends of names that no other program uses. */
const OURS =
  /^(ETHEREUM|ARBITRUM|OPTIMISM|POLYGON|BNB|BTC|LTC|CHAINWIDE|SLOT_POLL|SOURCIFY|TELEGRAM|ALERT|METRICS|REQUEST_LOG|OPERATOR)_|_RPC_URL$/
/** A typing error or two, in a name that is long enough for them. */
const isTypo = (name: string, setting: string): boolean =>
  name.length >= 6 && editDistance(name, setting) <= (setting.length >= 10 ? 2 : 1)

/** A fault for each unknown name, with the nearest setting. */
export function findUnknownSettings(names: readonly string[], settings: readonly string[]): readonly string[] {
  const known = new Set(settings)
  return names
    .filter((name) => !known.has(name) && (OURS.test(name) || settings.some((setting) => isTypo(name, setting))))
    .map((name) => `${name}: is not a setting; did you mean ${nearest(name, settings)}? Remove it otherwise`)
}

function nearest(name: string, settings: readonly string[]): string | undefined {
  // A shared beginning counts, so that ETH_RPC_URL leads to ETHEREUM_RPC_URL and not to LTC_RPC_URL.
  const distance = (setting: string): number => editDistance(name, setting) - sharedPrefix(name, setting)
  return settings.toSorted((a, b) => distance(a) - distance(b))[0]
}

function sharedPrefix(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length += 1
  return length
}
