/**
 * Packs unconfirmed transactions for a message between threads: flat arrays and one buffer, which arrive several times as
 * fast as objects.
 */
import type { MempoolTx, PaidOutput, SpentCoin } from './mempool-view.ts'

type PackedTx = readonly [
  txid: string,
  size: number,
  fee: number,
  vsize: number,
  minedVsize: number,
  time: number,
  /** Txid, output index, script and value of each input. */
  inputs: readonly (string | number)[],
  /** Script and value of each output; an undefined script for one that cannot be spent. */
  outputs: readonly (string | number | undefined)[],
]

export type PackedTxs = { readonly bytes: Uint8Array; readonly txs: readonly PackedTx[] }

export function packTxs(txs: readonly MempoolTx[]): PackedTxs {
  const bytes = new Uint8Array(txs.reduce((sum, tx) => sum + tx.bytes.length, 0))
  let at = 0
  const packed = txs.map((tx): PackedTx => {
    bytes.set(tx.bytes, at)
    at += tx.bytes.length
    return [
      tx.txid,
      tx.bytes.length,
      tx.fee,
      tx.vsize,
      tx.minedVsize,
      tx.time,
      tx.inputs.flatMap(({ txid, vout, script, value }) => [txid, vout, script, value]),
      tx.outputs.flatMap((output) => [output?.script, output?.value ?? 0]),
    ]
  })
  return { bytes, txs: packed }
}

export function unpackTxs({ bytes, txs }: PackedTxs): MempoolTx[] {
  let at = 0
  return txs.map(([txid, size, fee, vsize, minedVsize, time, flatInputs, flatOutputs]) => {
    const start = at
    at += size
    const inputs: SpentCoin[] = []
    for (let i = 0; i < flatInputs.length; i += 4)
      inputs.push({
        txid: flatInputs[i] as string,
        vout: flatInputs[i + 1] as number,
        script: flatInputs[i + 2] as string,
        value: flatInputs[i + 3] as number,
      })
    const outputs: (PaidOutput | undefined)[] = []
    for (let i = 0; i < flatOutputs.length; i += 2) {
      const script = flatOutputs[i] as string | undefined
      outputs.push(script === undefined ? undefined : { script, value: flatOutputs[i + 1] as number })
    }
    const own = Buffer.from(bytes.buffer, bytes.byteOffset + start, size)
    return { txid, bytes: own, fee, vsize, minedVsize, time, inputs, outputs }
  })
}
