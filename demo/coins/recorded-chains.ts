/** The recorded regtest chains of the demo. */
import { join } from 'node:path'
import { bitcoinRegtest } from '../../server/src/coins/networks/bitcoin.ts'
import { litecoinRegtest } from '../../server/src/coins/networks/litecoin.ts'
import type { Network } from '../../server/src/coins/networks/network.ts'

export type RecordedChain = {
  readonly network: Network
  /** The folder of its blocks and mempool. */
  readonly folder: string
  /** The recorded address with the most coins. */
  readonly showcase: string
  /** The version of the node that the recording stands in for. */
  readonly nodeVersion: number
  /** Virtual bytes of invented payments in the mempool, and at most in a block. */
  readonly waitingVsize: number
  readonly blockVsize: number
}

const FIXTURES = join(import.meta.dirname, '..', '..', 'testing', 'fixtures')

/** Its mempool fills four blocks, and some of its blocks are full. */
export const BITCOIN: RecordedChain = {
  network: bitcoinRegtest,
  folder: join(FIXTURES, 'btc-regtest'),
  showcase: 'bcrt1pyxg0sm6a9fcj2ecz02gtt7qeltmf5cs5pvzks7j2399jqdl7levq4v07py',
  nodeVersion: 310_000,
  waitingVsize: 4_200_000,
  blockVsize: 960_000,
}

/** Its blocks come four times as often as Bitcoin's and are smaller. */
export const LITECOIN: RecordedChain = {
  network: litecoinRegtest,
  folder: join(FIXTURES, 'ltc-regtest'),
  showcase: 'rltc1q5lq2jyxjpnd4utqxkc4xyg87yyl4s2c72y4c2j',
  nodeVersion: 210_201,
  waitingVsize: 1_400_000,
  blockVsize: 320_000,
}
