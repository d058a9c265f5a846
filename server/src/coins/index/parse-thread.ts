/** Entry point of a parse thread: parses blocks, hashes their transactions and computes their script keys. */
import { parentPort } from 'node:worker_threads'
import { reasonOf } from '../../lib/errors.ts'
import { type Block, parseBlock } from '../parse/block.ts'
import { SCRIPT_KEY_SIZE, scriptKeyInto } from '../parse/script.ts'
import { at } from '../parse/tx-table.ts'

export type ParseRequest = { readonly id: number; readonly bytes: Uint8Array; readonly mweb: boolean }

export type ParsedMessage =
  | { readonly id: number; readonly error: string }
  | { readonly id: number; readonly block: Omit<Block, 'bytes' | 'prevHash'> & { readonly scriptKeys: Buffer } }

function parse({ bytes, mweb }: ParseRequest): Extract<ParsedMessage, { block: unknown }>['block'] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { txs, hash, txids, hogEx, weight, strippedSize } = parseBlock(buffer, { mweb })
  const outputs = txs.value.length
  const scriptKeys = Buffer.from(new ArrayBuffer(outputs * SCRIPT_KEY_SIZE))
  for (let i = 0; i < outputs; i++) {
    scriptKeyInto(buffer, at(txs.script, i), at(txs.scriptEnd, i), scriptKeys, i * SCRIPT_KEY_SIZE)
  }
  return {
    hash,
    txids,
    hogEx,
    weight,
    strippedSize,
    scriptKeys,
    txs: {
      bytes: buffer,
      count: txs.count,
      start: Uint32Array.from(txs.start),
      end: Uint32Array.from(txs.end),
      stripped: Uint32Array.from(txs.stripped),
      witnessBytes: Uint32Array.from(txs.witnessBytes),
      firstInput: Uint32Array.from(txs.firstInput),
      firstOutput: Uint32Array.from(txs.firstOutput),
      outpoint: Uint32Array.from(txs.outpoint),
      value: Float64Array.from(txs.value),
      script: Uint32Array.from(txs.script),
      scriptEnd: Uint32Array.from(txs.scriptEnd),
    },
  }
}

/** Returns the buffers to transfer instead of copy: those that own all their memory. */
function transferablesOf(block: ReturnType<typeof parse>): ArrayBuffer[] {
  const views = [...Object.values(block.txs), block.scriptKeys].filter((value) => ArrayBuffer.isView(value))
  const buffers = views
    .filter((view) => view.byteLength === view.buffer.byteLength)
    .map((view) => view.buffer)
    .filter((buffer) => buffer instanceof ArrayBuffer)
  return [...new Set(buffers)]
}

parentPort?.on('message', (request: ParseRequest) => {
  let message: ParsedMessage
  try {
    message = { id: request.id, block: parse(request) }
  } catch (error) {
    message = { id: request.id, error: reasonOf(error) }
  }
  parentPort?.postMessage(message, 'block' in message ? transferablesOf(message.block) : [])
})
