/**
 * Simulates payments from every usual kind of address of a Bitcoin node, lets the node's wallet sign them, and asks the
 * node whether it accepts them (`testmempoolaccept`).
 *
 * `node testing/coins/core-payments.ts` records the answers of the `bitcoind` on the PATH in
 * testing/fixtures/btc-payments.json.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { base58check } from '@scure/base'
import { paymentBody } from '../../server/src/coins/http/params.ts'
import { openCoinIndex } from '../../server/src/coins/index/coin-index.ts'
import { follow, indexTip } from '../../server/src/coins/index/follow.ts'
import { MempoolView } from '../../server/src/coins/mempool/mempool-view.ts'
import { refreshMempool } from '../../server/src/coins/mempool/refresh-mempool.ts'
import { connectNode } from '../../server/src/coins/node/core-node.ts'
import { sha256 } from '../../server/src/coins/parse/sha256.ts'
import { createFeeService } from '../../server/src/coins/serve/fee-service.ts'
import type { ServedChain } from '../../server/src/coins/serve/served-chain.ts'
import { getSimulation } from '../../server/src/coins/serve/simulation-view.ts'
import { createTransactionLoader } from '../../server/src/coins/serve/transaction-loader.ts'
import { systemClock } from '../../server/src/lib/clock.ts'
import { type CoreDaemon, startCoreDaemon } from './core-daemon.ts'
import { openMemoryKv } from './kv-memory.ts'

export type CheckedPayment = {
  readonly inputType: string
  readonly feeRate: number
  readonly simulated: {
    readonly fee: number
    readonly weight: number
    readonly inputs: number
    readonly outputs: number
  }
  /** Scripts of the outputs, of which the first is paid. */
  readonly scripts: readonly string[]
  /** The signed transaction. */
  readonly hex: string
  readonly answer: { readonly allowed: boolean; readonly vsize: number; readonly fee: number; readonly reason?: string }
}

export const bitcoindPath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'bitcoind'))
  .find((path) => existsSync(path))

const RATES = [1, 1.001, 2.5, 25.125]
const AMOUNTS = [20_000, 4_000_000, 31_000_000]

export async function checkPayments(program: string): Promise<{ version: string; payments: CheckedPayment[] }> {
  const daemon = await startCoreDaemon(program, ['-addresstype=bech32'])
  try {
    const node = await connectNode(daemon.rpc, 'btc')
    const index = openCoinIndex(openMemoryKv(), node.network, 'memory')
    const mempool = new MempoolView()
    await daemon.call('createwallet', 'funds')
    await daemon.call('createwallet', 'payer')
    const [funds, wallet] = [daemon.wallet('funds'), daemon.wallet('payer')]
    const miner = await funds<string>('getnewaddress')
    await daemon.call('generatetoaddress', 101, miner)
    const addresses = await makeAddresses(daemon, wallet)
    for (const amount of [0.5, 0.02, 0.3, 0.001])
      await funds('sendmany', '', Object.fromEntries(addresses.map(({ address }) => [address, amount])))
    await daemon.call('generatetoaddress', 1, miner)
    const served: ServedChain = {
      network: node.network,
      index,
      mempool,
      source: node,
      node,
      sourceName: node.version,
      loader: createTransactionLoader(node, { mweb: false }),
      state: () => ({ tip: indexTip(index), isDownloading: false, hasSameChain: true, mempoolSize: mempool.size }),
    }
    const { tip } = await follow({ index, source: node, clock: systemClock })
    await refreshMempool({ index, node, view: mempool }, tip?.hash ?? '')
    const payments: CheckedPayment[] = []
    for (const from of addresses)
      for (const [i, feeRate] of RATES.entries())
        payments.push(await checkPayment({ daemon, wallet, served, to: miner }, from, feeRate, AMOUNTS[i % 3] ?? 0))
    return { version: node.version, payments }
  } finally {
    await daemon.remove()
  }
}

type From = { readonly address: string; readonly inputType: string }
type World = {
  readonly daemon: CoreDaemon
  readonly wallet: CoreDaemon['call']
  readonly served: ServedChain
  readonly to: string
}

async function makeAddresses(daemon: CoreDaemon, wallet: CoreDaemon['call']): Promise<From[]> {
  const single = [
    ['legacy', 'p2pkh'],
    ['p2sh-segwit', 'p2sh-p2wpkh'],
    ['bech32', 'p2wpkh'],
    ['bech32m', 'p2tr'],
  ] as const
  const made: From[] = []
  for (const [type, inputType] of single) made.push({ address: await wallet('getnewaddress', '', type), inputType })
  for (const [needed, total] of [
    [2, 3],
    [3, 5],
  ] as const)
    for (const [start, end, prefix] of [
      ['sh(', ')', 'p2sh'],
      ['sh(wsh(', '))', 'p2sh-p2wsh'],
      ['wsh(', ')', 'p2wsh'],
    ] as const) {
      const inputType = `${prefix}-${needed}of${total}`
      const keys = Array.from({ length: total }, (_, i) => secretKey(`${inputType} ${i}`)).join()
      const desc = await checked(daemon, `${start}multi(${needed},${keys})${end}`)
      await wallet('importdescriptors', [{ desc, timestamp: 'now' }])
      const { descriptor } = await daemon.call<{ descriptor: string }>('getdescriptorinfo', desc)
      const [address = ''] = await daemon.call<string[]>('deriveaddresses', descriptor)
      made.push({ address, inputType })
    }
  return made
}

async function checked(daemon: CoreDaemon, descriptor: string): Promise<string> {
  const { checksum } = await daemon.call<{ checksum: string }>('getdescriptorinfo', descriptor)
  return `${descriptor}#${checksum}`
}

/** A private key of the test network in the wallet import format, derived from a text. */
const secretKey = (text: string): string =>
  base58check(sha256AsBytes).encode(Buffer.concat([Buffer.from([0xef]), sha256(Buffer.from(text)), Buffer.from([1])]))

const sha256AsBytes = (bytes: Uint8Array): Uint8Array => Uint8Array.from(sha256(Buffer.from(bytes)))

async function checkPayment(
  { daemon, wallet, served, to }: World,
  { address, inputType }: From,
  feeRate: number,
  amount: number,
): Promise<CheckedPayment> {
  const result = await getSimulation(
    createFeeService({ clock: systemClock }),
    { ...served },
    paymentBody.parse({
      fromAddress: address,
      toAddress: to,
      amount,
      feeRate,
      inputType,
      utxoSelection: 'smallest',
      psbt: true,
    }),
  )
  if (!result.viable) throw new Error(`${inputType} at ${feeRate} sat/vB: ${result.reason}`)
  const signed = await wallet<{ psbt: string; complete: boolean }>('walletprocesspsbt', result.psbt)
  if (!signed.complete) throw new Error(`${inputType}: the wallet could not sign`)
  const { hex } = await daemon.call<{ hex: string }>('finalizepsbt', signed.psbt)
  type Answer = { allowed: boolean; vsize?: number; fees?: { base: string | number }; 'reject-reason'?: string }
  const [answer] = await daemon.call<Answer[]>('testmempoolaccept', [hex], 0)
  type Decoded = { vout: { scriptPubKey: { hex: string } }[] }
  const { vout } = await daemon.call<Decoded>('decoderawtransaction', hex)
  return {
    inputType,
    feeRate,
    simulated: {
      fee: result.estimatedFee,
      weight: result.weight,
      inputs: result.inputCount,
      outputs: result.outputCount,
    },
    scripts: vout.map(({ scriptPubKey }) => scriptPubKey.hex),
    hex,
    answer: {
      allowed: answer?.allowed ?? false,
      vsize: answer?.vsize ?? 0,
      fee: Math.round(Number(answer?.fees?.base ?? 0) * 1e8),
      ...(answer?.['reject-reason'] !== undefined && { reason: answer['reject-reason'] }),
    },
  }
}

if (import.meta.main) {
  if (bitcoindPath === undefined) throw new Error('no bitcoind on the PATH')
  const { version, payments } = await checkPayments(bitcoindPath)
  const file = join(import.meta.dirname, '..', 'fixtures', 'btc-payments.json')
  writeFileSync(file, `${JSON.stringify({ madeWith: version, payments }, null, 1)}\n`)
  console.log(`${payments.length} payments, ${payments.filter(({ answer }) => answer.allowed).length} accepted`)
}
