import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bitcoinRegtest } from '../networks/bitcoin.ts'
import { type Address, decodeAddress, describeScript } from '../parse/address.ts'
import { hash160, sha256 } from '../parse/sha256.ts'
import { HintError, type InputHint, readHint } from './input-hint.ts'

const key = (byte: number): Buffer => Buffer.concat([Buffer.from([2]), Buffer.alloc(32, byte)])
const multisig = Buffer.concat([
  Buffer.from([0x52]),
  ...[1, 2, 3].flatMap((byte) => [Buffer.from([33]), key(byte)]),
  Buffer.from([0x53, 0xae]),
])
const program = Buffer.concat([Buffer.from([0, 32]), sha256(multisig)])
const p2sh = (script: Buffer): Buffer =>
  Buffer.concat([Buffer.from('a914', 'hex'), hash160(script), Buffer.from([0x87])])
const addressOf = (script: Buffer): Address =>
  decodeAddress(bitcoinRegtest, describeScript(bitcoinRegtest, script).address ?? '')
const nested = addressOf(p2sh(program))
const legacy = addressOf(p2sh(multisig))
const native = addressOf(program)
const weightOf = (address: Address, hint: InputHint): number | undefined => readHint(address, hint)?.size.weight
const hex = (script: Buffer): string => script.toString('hex')
const keys = [1, 2, 3].map((byte) => `[d34db33f/48'/0']${hex(key(byte))}`).join()

test('type, script and descriptor of a multisig give the same size', () => {
  // The weights of docs/analysis.md.
  const cases: readonly (readonly [Address, number, readonly InputHint[]])[] = [
    [
      legacy,
      1_188,
      [{ inputType: 'p2sh-2of3' }, { redeemScript: hex(multisig) }, { descriptor: `sh(multi(2,${keys}))` }],
    ],
    [
      nested,
      558,
      [
        { inputType: 'p2sh-p2wsh-2of3' },
        { witnessScript: hex(multisig) },
        { redeemScript: hex(program), witnessScript: hex(multisig) },
        { descriptor: `sh(wsh(sortedmulti(2,${keys})))#abcdefgh` },
      ],
    ],
    [
      native,
      418,
      [{ inputType: 'p2wsh-2of3' }, { witnessScript: hex(multisig) }, { descriptor: `wsh(multi(2,${keys}))` }],
    ],
  ]
  for (const [address, weight, hints] of cases)
    for (const hint of hints) assert.equal(weightOf(address, hint), weight, JSON.stringify(hint))
  assert.equal(weightOf(nested, { inputType: 'p2sh-p2wpkh' }), 364)
  assert.equal(weightOf(nested, { descriptor: `sh(wpkh(${hex(key(1))}))` }), 364)
  assert.equal(readHint(nested, {}), undefined)
})

test('scripts of one key behind a hash', () => {
  const toKey = Buffer.concat([Buffer.from([33]), key(1), Buffer.from([0xac])])
  assert.equal(weightOf(addressOf(p2sh(toKey)), { redeemScript: hex(toKey) }), 4 * (40 + 1 + 73 + 36))
  const single = Buffer.concat([Buffer.from([0, 20]), hash160(key(1))])
  assert.equal(weightOf(addressOf(p2sh(single)), { redeemScript: hex(single) }), 364)
})

test('a hint that does not fit the address is refused with the name of its parameter', () => {
  const cases: readonly (readonly [Address, InputHint, RegExp])[] = [
    [native, { inputType: 'p2sh-2of3' }, /^inputType: p2sh-2of3 does not fit fromAddress, which is p2wsh/],
    [native, { inputType: 'p2wsh-4of3' }, /^inputType: .* not a possible multisig/],
    [legacy, { inputType: 'p2sh-1of16' }, /^inputType: .* not a possible multisig/],
    [native, { inputType: 'constructor' }, /^inputType: unknown type. Use one like p2pkh/],
    [native, { witnessScript: hex(program) }, /^witnessScript: is not the script of fromAddress/],
    [native, { witnessScript: 'xyz' }, /^witnessScript: must be a script in hexadecimal/],
    [legacy, { redeemScript: hex(program) }, /^redeemScript: is not the script of fromAddress/],
    [nested, { redeemScript: hex(program) }, /^witnessScript: is required/],
    [nested, { redeemScript: hex(program), witnessScript: hex(key(1)) }, /^witnessScript: is required/],
    [legacy, { redeemScript: hex(multisig), witnessScript: hex(multisig) }, /^witnessScript: .* not a witness program/],
    [native, { descriptor: 'wsh(and_v(v:pk(A),older(9)))' }, /^descriptor: only pkh/],
    [native, { descriptor: `sh(multi(2,${keys}))` }, /^descriptor: p2sh-2of3 does not fit/],
    // The key takes 32 bytes more than a compressed one, so that the fee would be too low.
    [legacy, { descriptor: `sh(multi(1,${keys},04${'ab'.repeat(64)}))` }, /^descriptor: an uncompressed key/],
    [native, { descriptor: `wsh(multi(2,${keys}))`, inputType: 'p2wsh-2of3' }, /cannot be combined/],
  ]
  for (const [address, hint, expected] of cases)
    assert.throws(
      () => readHint(address, hint),
      (error) => error instanceof HintError && expected.test(error.message),
      JSON.stringify(hint),
    )
  const timelock = Buffer.from('5ab27551', 'hex')
  assert.throws(() => readHint(addressOf(p2sh(timelock)), { redeemScript: hex(timelock) }), /only scripts of one key/)
})
