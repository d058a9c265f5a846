/**
 * Asks for advice on stuck payments of a Bitcoin node, and the node whether it accepts exactly what is advised:
 * replacements by BIP 125 and full RBF, and transactions of version 3 (TRUC).
 *
 * `node testing/coins/core-bumps.ts` records the answers of the `bitcoind` on the PATH in testing/fixtures/btc-bumps.json.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getBump } from '../../server/src/coins/serve/bump-view.ts'
import { createFeeService } from '../../server/src/coins/serve/fee-service.ts'
import { systemClock } from '../../server/src/lib/clock.ts'
import { bitcoindPath } from './core-payments.ts'
import { type ServedNode, startServedBitcoind } from './served-litecoind.ts'

type Outcome = {
  readonly rate: number
  readonly fee: number
  /** `accepted`, or why the node refuses it. */
  readonly answer: string
}

export type CheckedBump = {
  readonly name: string
  /** The stuck transaction, its fee, and the transactions that spend it. */
  readonly hex: string
  readonly fee: number
  readonly descendants: readonly { readonly fee: number; readonly vsize: number }[]
  readonly policy: { readonly incrementalRate: number; readonly minRate: number; readonly isFullRbf: boolean }
  readonly rule: string | null
  readonly signals: boolean
  /** A replacement with the lowest fee that is advised. */
  readonly replacement: Outcome & {
    /** The answer to one satoshi less. */
    readonly below: string
  }
  /** The child that is advised. Null if the advice is that there can be none. */
  readonly child: (Outcome & { readonly vsize: number; readonly packageRate: number }) | null
  readonly childReason: string | null
  /** What the node says to a second child with the fee of the first. */
  readonly secondChild: string | null
  /** The fee of the node's own `bumpfee` at the rate, if it supports the kind. */
  readonly bumpfee: { readonly rate: number; readonly fee: number; readonly advised: number } | null
}

type Coin = { readonly txid: string; readonly vout: number; readonly amount: number }
type Output = { readonly value: number; readonly n: number; readonly scriptPubKey: { readonly address: string } }
type Raw = { readonly vin: { txid: string; vout: number; sequence: number }[]; readonly vout: Output[] }
type Spend = {
  readonly inputs: Raw['vin']
  readonly outputs: readonly (readonly [address: string, satoshi: number])[]
  readonly version: number
}

const satoshi = (coins: number): number => Math.round(coins * 1e8)
const SIGNALING = 0xffff_fffd
const FINAL = 0xffff_ffff
const RATE = 40.5
const FEE = 300
const CHILD_FEE = 500

const CASES = [
  { name: 'signals replacement', version: 2, sequence: SIGNALING, children: 0 },
  { name: 'signals replacement, with a descendant', version: 2, sequence: SIGNALING, children: 1 },
  { name: 'does not signal', version: 2, sequence: FINAL, children: 0 },
  { name: 'does not signal, with a descendant', version: 2, sequence: FINAL, children: 1 },
  { name: 'version 3', version: 3, sequence: FINAL, children: 0 },
  { name: 'version 3 with a child', version: 3, sequence: FINAL, children: 1 },
] as const

export async function checkBumps(program: string): Promise<{ version: string; bumps: CheckedBump[] }> {
  const world = await startServedBitcoind(program)
  try {
    await world.mine(120)
    const chain = await world.chain()
    const bumps: CheckedBump[] = []
    for (const each of CASES) {
      bumps.push(await checkBump(world, each))
      await world.mine(1)
    }
    return { version: chain.sourceName, bumps }
  } finally {
    await world.daemon.remove()
  }
}

async function checkBump(world: ServedNode, wanted: (typeof CASES)[number]): Promise<CheckedBump> {
  const { daemon, a } = world
  const newAddress = (): Promise<string> => a<string>('getnewaddress', '', 'bech32')
  const decode = (hex: string): Promise<Raw> => daemon.call<Raw>('decoderawtransaction', hex)
  async function signed({ inputs, outputs, version }: Spend): Promise<string> {
    const amounts = Object.fromEntries(outputs.map(([address, value]) => [address, (value / 1e8).toFixed(8)]))
    const raw = await daemon.call<string>('createrawtransaction', inputs, amounts)
    const { hex } = await a<{ hex: string }>('signrawtransactionwithwallet', `0${version}${raw.slice(2)}`)
    return hex
  }
  async function answerTo(hex: string): Promise<string> {
    const [answer] = await daemon.call<{ allowed: boolean; 'reject-reason'?: string }[]>('testmempoolaccept', [hex])
    return answer?.allowed === true ? 'accepted' : (answer?.['reject-reason'] ?? 'refused')
  }
  const send = (hex: string): Promise<string> => daemon.call<string>('sendrawtransaction', hex)
  /** Spends one output of a transaction to a new address. */
  const childOf = async (txid: string, { n, value }: Output, fee: number, version: number): Promise<string> =>
    signed({
      inputs: [{ txid, vout: n, sequence: FINAL }],
      outputs: [[await newAddress(), satoshi(value) - fee]],
      version,
    })

  const [coin] = await a<Coin[]>('listunspent', 1)
  if (coin === undefined) throw new Error('the wallet has no coin')
  const total = satoshi(coin.amount)
  const parts = [Math.floor(total / 4), total - Math.floor(total / 4) - FEE]
  const hex = await signed({
    inputs: [{ txid: coin.txid, vout: coin.vout, sequence: wanted.sequence }],
    outputs: [
      [await newAddress(), parts[0] ?? 0],
      [await a<string>('getrawchangeaddress', 'bech32'), parts[1] ?? 0],
    ],
    version: wanted.version,
  })
  const txid = await send(hex)
  const { vin, vout } = await decode(hex)
  const largest = vout.toSorted((x, y) => y.value - x.value)[0]
  const smallest = vout.toSorted((x, y) => x.value - y.value)[0]
  if (largest === undefined || smallest === undefined) throw new Error('no output')
  const descendants = []
  for (let i = 0; i < wanted.children; i++) {
    const child = await send(await childOf(txid, smallest, CHILD_FEE, wanted.version))
    const { vsize } = await daemon.call<{ vsize: number }>('getmempoolentry', child)
    descendants.push({ fee: CHILD_FEE, vsize })
  }

  const served = await world.chain()
  const policy = await (served.relay ?? fail('no relay')).getRelayPolicy()
  const { advice } = await getBump(createFeeService({ clock: systemClock }), served, txid, { feeRate: RATE })
  if (advice === null) throw new Error('no advice')
  const replacedWith = (fee: number): Promise<string> =>
    signed({
      inputs: vin,
      outputs: vout.map(
        ({ n, value, scriptPubKey }) =>
          [scriptPubKey.address, satoshi(value) - (n === largest.n ? fee - FEE : 0)] as const,
      ),
      version: wanted.version,
    })
  const { minFee } = advice.rbf
  const replacement = {
    rate: RATE,
    fee: minFee,
    answer: await answerTo(await replacedWith(minFee)),
    below: await answerTo(await replacedWith(minFee - 1)),
  }
  const best = advice.cpfp.children.find(({ reason }) => reason === null)
  const output = vout.find(({ n }) => n === (best?.vout ?? largest.n)) ?? largest
  const childHex = await childOf(txid, output, best?.fee ?? CHILD_FEE, wanted.version)
  const answer = await answerTo(childHex)
  const { vsize } = await daemon.call<{ vsize: number }>('decoderawtransaction', childHex)
  const stuck = await daemon.call<{ vsize: number }>('decoderawtransaction', hex)
  const isReplaceable = wanted.version === 2 && descendants.length === 0
  const bumped = isReplaceable ? await tryBumpFee(world, txid) : null
  return {
    name: wanted.name,
    hex,
    fee: FEE,
    descendants,
    policy,
    rule: advice.rbf.rule,
    signals: wanted.version === 3 || wanted.sequence === SIGNALING,
    replacement,
    child:
      best === undefined
        ? null
        : {
            rate: RATE,
            fee: best.fee,
            vsize,
            answer,
            packageRate: (FEE + best.fee) / (stuck.vsize + vsize),
          },
    childReason: best === undefined ? (advice.cpfp.children[0]?.reason ?? null) : null,
    secondChild: best === undefined ? answer : null,
    bumpfee: bumped === null ? null : { rate: RATE, fee: bumped, advised: advice.rbf.fee },
  }
}

/** The fee of the wallet's own replacement; null if the wallet refuses. */
async function tryBumpFee({ a }: ServedNode, txid: string): Promise<number | null> {
  try {
    return satoshi((await a<{ fee: number }>('bumpfee', txid, { fee_rate: RATE })).fee)
  } catch {
    return null
  }
}

const fail = (message: string): never => {
  throw new Error(message)
}

if (import.meta.main) {
  const recorded = await checkBumps(bitcoindPath ?? fail('no bitcoind on the PATH'))
  const path = join(import.meta.dirname, '..', 'fixtures', 'btc-bumps.json')
  writeFileSync(path, `${JSON.stringify(recorded, undefined, 1)}\n`)
}
