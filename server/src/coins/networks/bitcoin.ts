/** Bitcoin and its test networks. */
import type { ExtendedKeyUse, Network } from './network.ts'

/** xpub, ypub, zpub, Ypub, Zpub. */
const mainKeys: ReadonlyMap<number, ExtendedKeyUse> = new Map([
  [0x0488_b21e, 'pkh'],
  [0x049d_7cb2, 'sh(wpkh'],
  [0x04b2_4746, 'wpkh'],
  [0x0295_b43f, 'multisig'],
  [0x02aa_7ed3, 'multisig'],
])

/** tpub, upub, vpub, Upub, Vpub. */
const testKeys: ReadonlyMap<number, ExtendedKeyUse> = new Map([
  [0x0435_87cf, 'pkh'],
  [0x044a_5262, 'sh(wpkh'],
  [0x045f_1cf6, 'wpkh'],
  [0x0242_89ef, 'multisig'],
  [0x0257_5483, 'multisig'],
])

export const bitcoinMain: Network = {
  chain: 'btc',
  chainName: 'Bitcoin',
  symbol: 'BTC',
  name: 'main',
  isLocal: false,
  magic: 'f9beb4d9',
  genesisHash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
  address: { p2pkh: 0x00, p2sh: 0x05, p2shLegacy: [], bech32: 'bc', mweb: undefined },
  extendedKeys: mainKeys,
  mweb: undefined,
  // As many as Blockbook stores. The deepest reorganization since 2013 had 6 blocks.
  undoDepth: 300,
  dustRelayRate: 3_000,
  coinbaseMaturity: 100,
  initialSubsidy: 5_000_000_000,
  halvingInterval: 210_000,
  maxMoney: 2_100_000_000_000_000,
  blockInterval: 600,
  retargetInterval: 2016,
}

const testAddress = { ...bitcoinMain.address, p2pkh: 0x6f, p2sh: 0xc4, bech32: 'tb' }

export const bitcoinTest: Network = {
  ...bitcoinMain,
  name: 'test',
  magic: '0b110907',
  genesisHash: '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943',
  address: testAddress,
  extendedKeys: testKeys,
}

export const bitcoinTestnet4: Network = {
  ...bitcoinTest,
  name: 'testnet4',
  magic: '1c163f28',
  genesisHash: '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043',
}

export const bitcoinSignet: Network = {
  ...bitcoinTest,
  name: 'signet',
  magic: '0a03cf40',
  genesisHash: '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6',
}

export const bitcoinRegtest: Network = {
  ...bitcoinTest,
  name: 'regtest',
  isLocal: true,
  magic: 'fabfb5da',
  genesisHash: '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
  address: { ...testAddress, bech32: 'bcrt' },
  halvingInterval: 150,
}
