/** Recognizes code that a package published, whatever its immutables and metadata, by a table that is built from npm. */
import type { Hex } from '../../lib/hex.ts'
import { hashWithout, type Masked, withoutMetadata } from './masked-code.ts'
import published from './releases.json' with { type: 'json' }

/** `package`: with its version. `isFixed`: it has no immutables, so that its code is given to the last byte. */
export type Release = { readonly package: string; readonly contract: string; readonly isFixed: boolean }

type Row = Omit<Release, 'isFixed'> & { readonly immutables: readonly number[]; readonly hash: Hex }

const TABLE: Readonly<Record<string, Readonly<Record<string, readonly (Omit<Masked, 'hash'> & { hash: string })[]>>>> =
  published

const BY_LENGTH = new Map<number, Row[]>()
for (const [from, contracts] of Object.entries(TABLE))
  for (const [contract, codes] of Object.entries(contracts))
    for (const { bytes, immutables = [], hash } of codes)
      BY_LENGTH.set(bytes, [
        ...(BY_LENGTH.get(bytes) ?? []),
        { package: from, contract, immutables, hash: hash as Hex },
      ])

/** The release that code is an instance of. */
export function releaseOf(code: Uint8Array): Release | undefined {
  const body = withoutMetadata(code)
  const found = (BY_LENGTH.get(body.length) ?? []).find(
    ({ immutables, hash }) => hashWithout(body, immutables) === hash,
  )
  if (found === undefined) return undefined
  return { package: found.package, contract: found.contract, isFixed: found.immutables.length === 0 }
}
