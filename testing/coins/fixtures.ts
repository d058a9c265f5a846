/** Reads the recorded chains. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

const folder = join(import.meta.dirname, '..', 'fixtures')

export type OracleCoin = { readonly txid: string; readonly vout: number; readonly value: number }

export type OracleAddress = {
  readonly address: string
  readonly balance: number
  readonly totalReceived: number
  readonly totalSent: number
  readonly txCount: number
  readonly utxos: readonly OracleCoin[]
}

export type Oracle = {
  readonly tip: number
  readonly tipHash: string
  readonly transactions: number
  readonly utxoSet: { readonly txouts: number; readonly total: number }
  readonly addresses: readonly OracleAddress[]
}

// The caller states the type of the recording.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function readJson<T>(...path: string[]): T {
  return JSON.parse(readFileSync(join(folder, ...path), 'utf8')) as T
}

export function readHex(...path: string[]): Buffer {
  return Buffer.from(readFileSync(join(folder, ...path), 'utf8').trim(), 'hex')
}

export function recordedBlockFile(): Buffer {
  return gunzipSync(readFileSync(join(folder, 'btc-regtest', 'blocks.dat.gz')))
}

/** The recorded Bitcoin chain in height order. */
export function recordedBlocks(): Buffer[] {
  const file = recordedBlockFile()
  const blocks: Buffer[] = []
  for (let at = 0; at < file.length; ) {
    const length = file.readUInt32LE(at + 4)
    blocks.push(file.subarray(at + 8, at + 8 + length))
    at += 8 + length
  }
  return blocks
}

export const recordedOracle = (): Oracle => readJson<Oracle>('btc-regtest', 'oracle.json')

export type StaleBranch = {
  readonly forksAfter: number
  readonly blocks: readonly { readonly height: number; readonly hash: string; readonly hex: string }[]
}

export const staleBranch = (): StaleBranch => readJson<StaleBranch>('btc-regtest', 'stale-branch.json')

/** Reads a mainnet block that is not part of the repository; undefined if it is missing. */
export function mainnetBlock(): Buffer | undefined {
  const path = join(import.meta.dirname, '../../../shared/vectors/btc-mainnet/block413567.raw')
  return existsSync(path) ? readFileSync(path) : undefined
}
