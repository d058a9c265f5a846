import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bitcoinMain } from '../networks/bitcoin.ts'
import { litecoinMain } from '../networks/litecoin.ts'
import type { TxInput } from '../parse/transaction.ts'
import { measureSpend, readPushes } from './observed-spend.ts'
import { dustThreshold, findInputSize, outputBytes, txWeight } from './weights.ts'

const scripts = {
  p2pk: Buffer.concat([Buffer.from([33]), Buffer.alloc(33, 2), Buffer.from([0xac])]),
  p2pkh: Buffer.concat([Buffer.from([0x76, 0xa9, 20]), Buffer.alloc(20), Buffer.from([0x88, 0xac])]),
  p2sh: Buffer.concat([Buffer.from([0xa9, 20]), Buffer.alloc(20), Buffer.from([0x87])]),
  p2wpkh: Buffer.concat([Buffer.from([0, 20]), Buffer.alloc(20)]),
  p2wsh: Buffer.concat([Buffer.from([0, 32]), Buffer.alloc(32)]),
  p2tr: Buffer.concat([Buffer.from([0x51, 32]), Buffer.alloc(32)]),
  p2a: Buffer.from('51024e73', 'hex'),
  opReturn: Buffer.concat([Buffer.from([0x6a, 4]), Buffer.alloc(4)]),
}

test('weights of inputs and outputs', () => {
  const inputs = { p2pk: 456, p2pkh: 592, p2sh: 364, p2wpkh: 272, p2wsh: 418, p2tr: 230, p2a: 164 } as const
  for (const [type, weight] of Object.entries(inputs))
    assert.equal(findInputSize(type as keyof typeof inputs)?.weight, weight, type)
  assert.equal(findInputSize('witness_v2'), undefined)
  const outputs = { p2pk: 44, p2pkh: 34, p2sh: 32, p2wpkh: 31, p2wsh: 43, p2tr: 43, p2a: 13, opReturn: 15 } as const
  for (const [type, bytes] of Object.entries(outputs))
    assert.equal(outputBytes(scripts[type as keyof typeof outputs]), bytes, type)
})

test('input and output counts take more bytes from 253 on', () => {
  const input = findInputSize('p2pkh') ?? assert.fail()
  const weight = (inputs: number, outputs: number): number => txWeight({ inputs, input, outputs, outputBytes: 0 })
  assert.equal(weight(1, 1) - input.weight, 40)
  assert.equal(weight(253, 1) - weight(252, 1) - input.weight, 8)
  assert.equal(weight(1, 253) - weight(1, 252), 8)
  const segwit = findInputSize('p2wpkh') ?? assert.fail()
  assert.equal(txWeight({ inputs: 1, input: segwit, outputs: 1, outputBytes: 31 }), 42 + 272 + 124)
})

test('dust thresholds on both chains', () => {
  const expected = {
    p2pk: 576,
    p2pkh: 546,
    p2sh: 540,
    p2wpkh: 294,
    p2wsh: 330,
    p2tr: 330,
    p2a: 240,
    opReturn: 0,
  } as const
  for (const [type, dust] of Object.entries(expected)) {
    const script = scripts[type as keyof typeof expected]
    assert.equal(dustThreshold(script, bitcoinMain.dustRelayRate), dust, type)
    assert.equal(dustThreshold(script, litecoinMain.dustRelayRate), dust * 10, type)
  }
})

const signature = (length: number): Buffer => {
  const bytes = Buffer.alloc(length, 1)
  bytes[0] = 0x30
  bytes[1] = length - 3
  return bytes
}
const push = (item: Buffer): Buffer =>
  Buffer.concat([item.length < 0x4c ? Buffer.from([item.length]) : Buffer.from([0x4c, item.length]), item])
const spentBy = (script: Buffer, witness: readonly Buffer[] = []): TxInput => ({
  prevout: { txid: '00'.repeat(32), vout: 0 },
  script,
  sequence: 0,
  witness,
})

test('an observed spend reveals script and size, whatever the length of its signatures', () => {
  const multisig = Buffer.alloc(105, 0x51)
  for (const length of [70, 71, 72]) {
    const p2sh = measureSpend(
      spentBy(Buffer.concat([Buffer.from([0]), push(signature(length)), push(signature(71)), push(multisig)])),
      'p2sh',
    )
    assert.deepEqual(
      [p2sh?.size, p2sh?.redeemScript, p2sh?.witnessScript],
      [{ weight: 1188, isSegwit: false }, multisig, undefined],
    )
    const witness = [Buffer.alloc(0), signature(length), signature(71), multisig]
    const p2wsh = measureSpend(spentBy(Buffer.alloc(0), witness), 'p2wsh')
    assert.deepEqual([p2wsh?.size, p2wsh?.witnessScript], [findInputSize('p2wsh'), multisig])
    const nested = measureSpend(spentBy(push(scripts.p2wsh), witness), 'p2sh')
    assert.deepEqual(
      [nested?.size, nested?.redeemScript, nested?.witnessScript],
      [{ weight: 558, isSegwit: true }, scripts.p2wsh, multisig],
    )
    const keyHash = measureSpend(spentBy(push(scripts.p2wpkh), [signature(length), Buffer.alloc(33)]), 'p2sh')
    assert.deepEqual([keyHash?.size, keyHash?.witnessScript], [findInputSize('p2sh'), undefined])
  }
})

test('an uncompressed key takes 32 bytes more', () => {
  const observed = measureSpend(spentBy(Buffer.concat([push(signature(71)), push(Buffer.alloc(65, 4))])), 'p2pkh')
  assert.equal(observed?.size.weight, 592 + 32 * 4)
})

test('a script that does more than push is not measured', () => {
  assert.equal(measureSpend(spentBy(Buffer.from([0xac])), 'p2sh'), undefined)
  assert.equal(readPushes(Buffer.from([5, 1, 2])), undefined)
  assert.equal(readPushes(Buffer.from([0x4d, 1])), undefined)
  assert.deepEqual(readPushes(Buffer.from([0x51, 0x4f, 0])), [Buffer.alloc(0), Buffer.alloc(0), Buffer.alloc(0)])
})
