/**
 * What an API key is: a prefix that names its interface and 32 random bytes. Only its SHA-256 is ever kept.
 */
import { hash, randomBytes } from 'node:crypto'
import { plainText } from '../lib/params.ts'
import type { Api } from './plans.ts'

const PREFIXES: Readonly<Record<Api, string>> = { v1: 'gw_live_', v2: 'utxo_live_' }
const PATTERNS: Readonly<Record<Api, RegExp>> = { v1: /^gw_live_[\w-]{43}$/, v2: /^utxo_live_[\w-]{43}$/ }

/** Characters of a key that may be shown to recognise it. */
const SHOWN = 12

/** What its owner calls a key. */
export const keyName = plainText(64)

export type MadeKey = { readonly key: string; readonly prefix: string; readonly hash: string }

export function makeKey(api: Api): MadeKey {
  const key = PREFIXES[api] + randomBytes(32).toString('base64url')
  return { key, prefix: key.slice(0, SHOWN), hash: hashOf(key) }
}

export const isWellFormed = (api: Api, key: string): boolean => PATTERNS[api].test(key)

/**
 * The digest keys are looked up by. Looking up a digest tells a guesser nothing by its timing: a key that shares its
 * first characters with a real one has an unrelated digest.
 */
export const hashOf = (key: string): string => hash('sha256', key, 'hex')
