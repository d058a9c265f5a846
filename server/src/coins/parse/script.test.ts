/** Script types against the answers of real nodes to `decodescript`, recorded in testing/fixtures/script-types.json. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readJson } from '../../../../testing/coins/fixtures.ts'
import { classifyScript, readNullData, type ScriptType } from './script.ts'

type Recorded = {
  readonly madeWith: { readonly btc: string; readonly ltc: string }
  readonly scripts: readonly (readonly [about: string, hex: string, btc: string, ltc: string])[]
}

const CORE_TYPES: Readonly<Partial<Record<ScriptType, string>>> = {
  p2pk: 'pubkey',
  p2pkh: 'pubkeyhash',
  p2sh: 'scripthash',
  p2wpkh: 'witness_v0_keyhash',
  p2wsh: 'witness_v0_scripthash',
  p2tr: 'witness_v1_taproot',
  p2a: 'anchor',
  mweb_hogaddr: 'witness_mweb_hogaddr',
  mweb_pegin: 'witness_mweb_pegin',
}
const coreTypeOf = (type: ScriptType): string =>
  CORE_TYPES[type] ?? (type.startsWith('witness_v') ? 'witness_unknown' : type)

test('every script has the type that Bitcoin and Litecoin nodes report', () => {
  const { scripts } = readJson<Recorded>('script-types.json')
  assert.ok(scripts.length > 300)
  for (const [about, hex, btc, ltc] of scripts) {
    const script = Buffer.from(hex, 'hex')
    const typeWith = (mweb: boolean): string => coreTypeOf(classifyScript(script, { mweb }).type)
    assert.deepEqual([typeWith(false), typeWith(true)], [btc, ltc], `${about}: ${hex}`)
  }
})

test('the data after OP_RETURN is read push by push', () => {
  const dataOf = (hex: string): string[] | undefined =>
    readNullData(Buffer.from(hex, 'hex'))?.map((push) => push.toString('hex'))
  assert.deepEqual(dataOf('6a'), [])
  assert.deepEqual(dataOf('6a0568656c6c6f'), ['68656c6c6f'])
  assert.deepEqual(dataOf('6a4c0568656c6c6f00'), ['68656c6c6f', ''])
  assert.deepEqual(dataOf('6a5d0214015160'), ['0d', '1401', '01', '10'])
  assert.deepEqual(dataOf('6a4f'), ['81'])
  for (const other of ['', '51', '6a05aabb', '6aac', '6a61', '006a0568656c6c6f'])
    assert.equal(dataOf(other), undefined, other)
})
