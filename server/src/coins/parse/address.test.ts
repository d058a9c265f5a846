import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bitcoinMain, bitcoinRegtest, bitcoinSignet, bitcoinTest, bitcoinTestnet4 } from '../networks/bitcoin.ts'
import { litecoinMain, litecoinRegtest, litecoinTest } from '../networks/litecoin.ts'
import type { Network } from '../networks/network.ts'
import { AddressError, type AddressFault, decodeAddress, describeScript } from './address.ts'

/** Address, script, and the canonical form if it differs. */
const valid: readonly [Network, string, string, string?][] = [
  // Bitcoin Core, src/test/data/key_io_valid.json
  [bitcoinMain, '1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mo', '76a914a31c06bd463e3923bc1aadbde48b16976c08071788ac'],
  [bitcoinMain, '36j4NfKv6Akva9amjWrLG6MuSQym1GuEmm', 'a914373b819a068f32b7a6b38b6b38729647cfde01c287'],
  [bitcoinTestnet4, 'mzK2FFDEhxqHcmrJw1ysqFkVyhUULo45hZ', '76a914ce28b26c57472737f5c3561a1761185bd8589a4388ac'],
  [bitcoinSignet, '2N1r7aC69VHeE7yQJPDLi9T1PYq4wnwvjuT', 'a9145e5a35ab44b3efaea5129ba22b88ba3e2976614587'],
  [bitcoinMain, 'bc1qvyq0cc6rahyvsazfdje0twl7ez82ndmuac2lhv', '00146100fc6343edc8c874496cb2f5bbfec88ea9b77c'],
  [bitcoinMain, 'bc1z2rksukkjr8', '520250ed'],
  [bitcoinTestnet4, 'tb1rgv5m6uvdk3kc7qsuz0c79v88ycr5w4wa', '53104329bd718db46d8f021c13f1e2b0e726'],
  [
    bitcoinMain,
    'bc1p83n3au0rjylefxq2nc2xh2y4jzz4pm6zxj4mw5pagdjjr2a9f36s6jjnnu',
    '51203c671ef1e3913f94980a9e146ba895908550ef4234abb7503d436521aba54c75',
  ],
  [
    bitcoinRegtest,
    'bcrt1sx6p8njlx7h9mc2agz4yg82dzne23050ncq72cneeecez2pst8mahn8xecsf8g6hzx94420',
    '6028368279cbe6f5cbbc2ba8154883a9a29e5517d1f3c03cac4f39ce3225060b3efb799cd9c412746ae2',
  ],
  // BIP 173 and BIP 350
  [
    bitcoinMain,
    'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
    '0014751e76e8199196d454941c45d1b3a323f1433bd6',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  ],
  [
    bitcoinTest,
    'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7',
    '00201863143c14c5166804bd19203356da136c985678cd4d27a1b8c6329604903262',
  ],
  [
    bitcoinMain,
    'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y',
    '5128751e76e8199196d454941c45d1b3a323f1433bd6751e76e8199196d454941c45d1b3a323f1433bd6',
  ],
  [bitcoinMain, 'BC1SW50QGDZ25J', '6002751e', 'bc1sw50qgdz25j'],
  [
    bitcoinMain,
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
    '512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
  ],
  // Pay to anchor
  [bitcoinMain, 'bc1pfeessrawgf', '51024e73'],
  // Litecoin Core
  [litecoinMain, 'LT2KVaAy1ppRuxRgrS5RNU3vBsy7RibPeA', '76a914558dbca7118cd5894502767c7b2ffc21a22f54db88ac'],
  // Base58 whose first letters and only 1 look like bech32
  [litecoinMain, 'LTC15MCUYThxWiN4vK3jKvV8BHzoWX49Pn', '76a914576285b2fbfa2c141ee3103573afaf19acc020a688ac'],
  [litecoinMain, 'LTc1hu9UHPwzaURz39Lvj3ryZ2cNLSApUQ', '76a9145bed0809be5e434e2b383bf1ffdb8d4be0ebc62b88ac'],
  [litecoinMain, 'MHrYRxAiMNBTku3eoDHwhA1LQGDjUStZW2', 'a9146d328a5b2a20d943a641c8d29b6cc3c2d2df85d387'],
  [litecoinTest, 'QXaUgLHkZcbJb2j5XgMYzY8cF9YM48Y81Z', 'a9147860667e60a6545e18e541984094b29c9c46991b87'],
  [litecoinRegtest, 'mpWvR79tSrA5xeziB6mjNYWdaVRwBpgnUP', '76a91462b790654f809d32202587c6a43456ffc1965d8388ac'],
]

test('a valid address decodes to its script, and the script encodes to the canonical address', () => {
  for (const [network, text, script, canonical = text] of valid) {
    const address = decodeAddress(network, text)
    assert.equal(address.script.toString('hex'), script, text)
    assert.equal(address.text, canonical)
    assert.deepEqual(describeScript(network, address.script), { type: address.type, address: canonical })
  }
})

test('an upper-case bech32 address is the same address', () => {
  for (const [network, text, script] of valid) {
    if (!text.startsWith(`${network.address.bech32}1`)) continue
    assert.equal(decodeAddress(network, text.toUpperCase()).script.toString('hex'), script)
  }
})

test("Litecoin's old P2SH version decodes to the same script as the new one, on every network", () => {
  const bitcoin = decodeAddress(bitcoinMain, '36j4NfKv6Akva9amjWrLG6MuSQym1GuEmm')
  const main = decodeAddress(litecoinMain, '36j4NfKv6Akva9amjWrLG6MuSQym1GuEmm')
  assert.deepEqual(main.script, bitcoin.script)
  assert.match(main.text, /^M/)
  assert.deepEqual(decodeAddress(litecoinMain, main.text), main)
  const regtest = decodeAddress(litecoinRegtest, '2MxFajLApXpYk4VodBSZSt7rw8y4ryABkfA')
  assert.match(regtest.text, /^Q/)
  assert.deepEqual(regtest.script, decodeAddress(bitcoinRegtest, '2MxFajLApXpYk4VodBSZSt7rw8y4ryABkfA').script)
})

test('the test networks of both chains share their P2PKH version', () => {
  for (const network of [bitcoinTest, bitcoinRegtest, bitcoinSignet, litecoinTest, litecoinRegtest]) {
    assert.equal(decodeAddress(network, 'mzK2FFDEhxqHcmrJw1ysqFkVyhUULo45hZ').type, 'p2pkh')
  }
})

const mweb =
  'ltcmweb1qq20e2arnhvxw97katjkmsd35agw3capxjkrkh7dk8d30rczm8ypxuq329nwh2twmchhqn3jqh7ua4ps539f6aazh79jy76urqht4qa59ts3at6gf'

const invalid: readonly [Network, string, AddressFault][] = [
  [bitcoinMain, '', 'malformed'],
  [bitcoinMain, 'x', 'malformed'],
  [bitcoinMain, '1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2m0', 'malformed'],
  [bitcoinMain, '1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mp', 'checksum'],
  [bitcoinMain, '1GAdfviErV2Ew95FPtZyikz2qGP3gyCB6Hyu94sedAkPpA523m3fQwps9YKUZkKgQckGPKhRsFR', 'malformed'],
  [bitcoinMain, 'LT2KVaAy1ppRuxRgrS5RNU3vBsy7RibPeA', 'wrong_network'],
  [litecoinMain, '1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mo', 'wrong_network'],
  [bitcoinMain, 'mzK2FFDEhxqHcmrJw1ysqFkVyhUULo45hZ', 'wrong_network'],
  [bitcoinMain, 'tb1qcrh3yqn4nlleplcez2yndq2ry8h9ncg3qh7n54', 'malformed'],
  [bitcoinMain, 'ltc1qhdhvrwe6rgqns8fz28tee0hphr5x7ulw5exv4w', 'malformed'],
  // BIP 173 and BIP 350: invalid addresses with their reasons
  [bitcoinMain, 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5', 'checksum'],
  [bitcoinMain, 'BC13W508D6QEJXTDG4Y5R3ZARVARY0C5XW7KN40WF2', 'witness_program'],
  [bitcoinMain, 'bc1rw5uspcuh', 'checksum'],
  [bitcoinMain, 'BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P', 'witness_program'],
  [bitcoinTest, 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sL5k7', 'mixed_case'],
  [bitcoinMain, 'bc1zw508d6qejxtdg4y5r3zarvaryvqyzf3du', 'witness_program'],
  [bitcoinTest, 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3pjxtptv', 'witness_program'],
  [bitcoinMain, 'bc1gmk9yu', 'witness_program'],
  [bitcoinMain, 'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4', 'checksum'],
  [bitcoinMain, 'BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R', 'witness_program'],
  [bitcoinMain, 'bc1pw5dgrnzv', 'witness_program'],
  [bitcoinMain, 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav', 'witness_program'],
  [bitcoinMain, 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq7gqmzk', 'checksum'],
  // Bitcoin Core, src/test/data/key_io_invalid.json
  [bitcoinRegtest, 'bcrt1qdwttaw38uf42wxw40kwk3u8nguyTQH3hx6jmqp', 'mixed_case'],
  [bitcoinMain, 'bc1qtsvlht6730n04f2mpaj5vv8hrledn5n5ug8c79', 'checksum'],
  [bitcoinRegtest, 'bcrt1rjqr2tdkm', 'witness_program'],
  // Neither a valid Base58 checksum nor bech32
  [litecoinMain, 'LTC15MCUYThxWiN4vK3jKvV8BHzoWX49Pm', 'mixed_case'],
  // Confidential addresses are recognized, but only with a valid checksum
  [litecoinMain, mweb, 'confidential'],
  [litecoinMain, mweb.toUpperCase(), 'confidential'],
  [litecoinMain, `${mweb.slice(0, -1)}q`, 'checksum'],
  [bitcoinMain, mweb, 'malformed'],
]

test('an invalid address is refused with its reason', () => {
  for (const [network, text, fault] of invalid) {
    assert.throws(
      () => decodeAddress(network, text),
      (error) => error instanceof AddressError && error.fault === fault,
      `${text}: expected ${fault}, got ${faultOf(network, text)}`,
    )
  }
})

function faultOf(network: Network, text: string): string {
  try {
    decodeAddress(network, text)
    return 'accepted'
  } catch (error) {
    return error instanceof AddressError ? error.fault : String(error)
  }
}

test('witness programs of the extension block are not addresses on a chain that has one', () => {
  const hogAddr = Buffer.concat([Buffer.from([0x58, 0x20]), Buffer.alloc(32, 7)])
  assert.deepEqual(describeScript(litecoinMain, hogAddr), { type: 'mweb_hogaddr', address: null })
  const elsewhere = describeScript(bitcoinMain, hogAddr)
  assert.equal(elsewhere.type, 'witness_v8')
  assert.equal(decodeAddress(bitcoinMain, elsewhere.address ?? '').type, 'witness_v8')
})
