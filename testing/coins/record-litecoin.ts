/**
 * Records the Litecoin chain of `fixtures/ltc-regtest`: blocks that `litecoind -regtest` mines below the activation of
 * MWEB, with payments between addresses of several types, and transactions that stay in its mempool.
 *
 *     node testing/coins/record-litecoin.ts
 *
 * Prints the address that receives most payments, which demo/coins/recorded-chains.ts names.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { litecoinRegtest } from '../../server/src/coins/networks/litecoin.ts'
import { seededRandom } from '../support/random.ts'
import { startLitecoind } from './litecoind.ts'

const FOLDER = join(import.meta.dirname, '..', 'fixtures', 'ltc-regtest')
/** Below 432, where MWEB activates. */
const BLOCKS = 420
/** Coinbase outputs mature after 100 blocks. */
const FIRST_PAYMENT = 102
const WAITING = 6

const random = seededRandom(21)
const node = await startLitecoind(['-mintxfee=0.00001'])
try {
  await node.call('createwallet', 'mint')
  await node.call('createwallet', 'shop')
  const [mint, shop] = [node.wallet('mint'), node.wallet('shop')]
  const mining = await mint<string>('getnewaddress', '', 'bech32')
  const showcase = await shop<string>('getnewaddress', '', 'bech32')
  const pay = async (): Promise<void> => {
    const other = await shop<string>('getnewaddress', '', random.pick(['bech32', 'legacy', 'p2sh-segwit'] as const))
    // Each order of magnitude up to 20 coins is as likely as the next.
    const amount = (): number => Number((0.0005 * 40_000 ** random.next()).toFixed(8))
    const amounts = { [random.next() < 0.6 ? showcase : mining]: amount(), [other]: amount() }
    // The last argument is the fee rate in litoshi per virtual byte.
    await mint('sendmany', '', amounts, 1, '', [], true, null, 'unset', random.between(1, 40))
  }
  for (let height = 1; height <= BLOCKS; height += 1) {
    const payments = height < FIRST_PAYMENT ? 0 : random.below(4)
    for (let paid = 0; paid < payments; paid += 1) await pay()
    await node.call('generatetoaddress', 1, mining)
  }
  for (let waiting = 0; waiting < WAITING; waiting += 1) await pay()

  const framed: Buffer[] = []
  for (let height = 0; height <= BLOCKS; height += 1) {
    const hash = await node.call<string>('getblockhash', height)
    const block = Buffer.from(await node.call<string>('getblock', hash, 0), 'hex')
    const head = Buffer.alloc(8)
    head.write(litecoinRegtest.magic, 'hex')
    head.writeUInt32LE(block.length, 4)
    framed.push(head, block)
  }
  writeFileSync(join(FOLDER, 'blocks.dat.gz'), gzipSync(Buffer.concat(framed), { level: 9 }))
  const txids = await node.call<readonly string[]>('getrawmempool')
  const mempool = await Promise.all(
    txids.map(async (txid) => ({ txid, hex: await node.call<string>('getrawtransaction', txid) })),
  )
  writeFileSync(join(FOLDER, 'mempool.json'), `${JSON.stringify(mempool, undefined, 1)}\n`)
  process.stdout.write(`${showcase}\n`)
} finally {
  await node.remove()
}
