/** Litecoin and its test networks, as differences from Bitcoin. */
import { bitcoinMain, bitcoinRegtest, bitcoinTest } from './bitcoin.ts'
import type { Network } from './network.ts'

const litecoin = {
  chain: 'ltc',
  chainName: 'Litecoin',
  symbol: 'LTC',
  mweb: { pegoutMaturity: 6 },
  // A reorganization on 2026-04-25 disconnected 13 blocks. 2,000 blocks are three and a half days.
  undoDepth: 2_000,
  // Ten times Bitcoin's.
  dustRelayRate: 30_000,
  halvingInterval: 840_000,
  maxMoney: 8_400_000_000_000_000,
  blockInterval: 150,
} as const

export const litecoinMain: Network = {
  ...bitcoinMain,
  ...litecoin,
  magic: 'fbc0b6db',
  genesisHash: '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2',
  // Until 2017 P2SH addresses used Bitcoin's version ('3…'). Both versions encode the same script.
  address: { p2pkh: 0x30, p2sh: 0x32, p2shLegacy: [0x05], bech32: 'ltc', mweb: 'ltcmweb' },
  // Ltub and Mtub, and Bitcoin's versions, which Litecoin Core writes.
  extendedKeys: new Map([...bitcoinMain.extendedKeys, [0x019d_a462, 'pkh'], [0x01b2_6ef6, 'sh(wpkh']]),
}

const testAddress = { p2pkh: 0x6f, p2sh: 0x3a, p2shLegacy: [0xc4], bech32: 'tltc', mweb: 'tmweb' }

export const litecoinTest: Network = {
  ...bitcoinTest,
  ...litecoin,
  magic: 'fdd2c8f1',
  genesisHash: '4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0',
  address: testAddress,
  // ttub.
  extendedKeys: new Map([...bitcoinTest.extendedKeys, [0x0436_f6e1, 'pkh']]),
}

export const litecoinRegtest: Network = {
  ...bitcoinRegtest,
  ...litecoin,
  genesisHash: '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9',
  address: { ...testAddress, bech32: 'rltc' },
  extendedKeys: litecoinTest.extendedKeys,
  halvingInterval: 150,
}
