/** Keys of stored secrets, as settings and files write them. */

export type DataKey = { readonly id: string; readonly key: Buffer }

export const KEY_BYTES = 32

const WRITTEN = /^([\w-]{1,32}):([A-Za-z0-9+/_-]{43}=?)$/

/** Parses `ID:KEY`; undefined if it is malformed. */
export function parseDataKey(text: string): DataKey | undefined {
  const [, id, encoded = ''] = WRITTEN.exec(text.trim()) ?? []
  const key = Buffer.from(encoded, 'base64')
  return id === undefined || key.length !== KEY_BYTES ? undefined : { id, key }
}
