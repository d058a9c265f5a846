/** Which scripts the transactions of a block touch, from its undo data and the coins that it created. */
import { findBlockRow } from './coin-index.ts'
import { hasCoinLog } from './coin-log.ts'
import { type KvReader, prefixRange } from './kv.ts'
import { heightKey, readCoinEntries, TXID_PREFIX_SIZE } from './layout.ts'
import { readBlockTxids } from './tx-locations.ts'
import { readUndoData } from './undo-data.ts'

export type TouchingBlock = { readonly firstTxnum: number; readonly txCount: number; readonly undo: Buffer }

/** The blocks from a height on; undefined if their coins or the undo data of one of them are not in the index. */
export function touchingBlocks(reader: KvReader, from: number, to: number): TouchingBlock[] | undefined {
  if (hasCoinLog(reader)) return undefined
  const blocks: TouchingBlock[] = []
  for (let height = from; height <= to; height++) {
    const row = findBlockRow(reader, height)
    const undo = reader.get('undo', heightKey(height))
    if (row === undefined || undo === undefined) return undefined
    blocks.push({ firstTxnum: row.firstTxnum, txCount: row.txCount, undo })
  }
  return blocks
}

/**
 * Yields the keys of scripts transaction by transaction, some of them several times.
 *
 * A coin that the block created and that a later block spent is in the undo data of the later one, so all blocks up to
 * the tip yield all scripts that they touch together.
 */
export function* touchedScripts(reader: KvReader, block: TouchingBlock): Generator<readonly Buffer[]> {
  const { firstTxnum, txCount } = block
  const { spent, netted } = readUndoData(block.undo, firstTxnum)
  yield spent.map(({ coin }) => coin.script)
  yield netted.map(({ script }) => script)
  const txids = readBlockTxids(reader, firstTxnum, txCount)
  for (let index = 0; index < txCount; index++) {
    const prefix = txids.subarray(index * 32, index * 32 + TXID_PREFIX_SIZE)
    // Read completely, so that no cursor is open while the caller serves others.
    yield Array.from(reader.range('coins', prefixRange(prefix)), ({ value }) => readCoinEntries(value))
      .flat()
      .filter(({ txnum }) => txnum === firstTxnum + index)
      .map(({ script }) => script)
  }
}
