/** Payments, health and analysis of a wallet: all its addresses together. */
import type { HistoryFact } from '../analyze/facts.ts'
import type { SolvingData } from '../descriptors/descriptor.ts'
import type { KvReader } from '../index/kv.ts'
import { scriptMapKey } from '../mempool/mempool-view.ts'
import { type Address, describeScript } from '../parse/address.ts'
import { classifyScript, scriptKey } from '../parse/script.ts'
import { HintError, readHint } from '../select/input-hint.ts'
import { findInputSize, type InputSize } from '../select/weights.ts'
import {
  type CollectedFacts,
  type Depth,
  dustOf,
  examineTxs,
  findCandidates,
  sizeFacts,
  utxosOf,
} from './address-facts.ts'
import { type AnalysisDeps, analysisOf, healthOf } from './analysis-view.ts'
import type { WalletScript } from './derived-scripts.ts'
import type { FeeQuote, FeeService } from './fee-service.ts'
import type { PaymentSource } from './payment-source.ts'
import { invalid, type PaymentRequest, readTerms } from './payment-terms.ts'
import type { ServedChain } from './served-chain.ts'
import { simulatePayment } from './simulation-view.ts'
import { coinKey, type SpendableCoins, sortCoins } from './spendable-coins.ts'
import { readPendingCoins, type Wallet, type WalletRequest, type Wallets } from './wallet-scan.ts'
import { pendingOf, walletFlow } from './wallet-view.ts'

type WalletCoins = {
  readonly available: SpendableCoins
  readonly ownerOf: (key: string) => WalletScript | undefined
}

async function readWalletCoins(chain: ServedChain, reader: KvReader, wallet: Wallet): Promise<WalletCoins> {
  // The mempool is read before the first await: it can change meanwhile, the snapshot cannot.
  const { spent, unconfirmed } = readPendingCoins(chain, reader, wallet)
  const available = await sortCoins(chain, reader, { chunks: [wallet.coins], spent, unconfirmed })
  let owners: Map<string, WalletScript> | undefined
  return {
    available,
    ownerOf: (key) => {
      owners ??= new Map([
        ...wallet.coins.map(({ txnum, vout, owner }): [string, WalletScript] => [`${txnum}:${vout}`, owner]),
        ...available.unconfirmed.flatMap((coin, i): [string, WalletScript][] => {
          const owner = unconfirmed[i]?.owner
          return owner === undefined ? [] : [[coinKey(coin), owner]]
        }),
      ])
      return owners.get(key)
    },
  }
}

const addressOf = ({ network }: ServedChain, script: Buffer): Address | undefined => {
  const { address, type } = describeScript(network, script)
  return address === null ? undefined : { text: address, type, script }
}

/** What was derived, as long as the script is in memory: deriving a key takes about a millisecond. */
const solvingData = new WeakMap<WalletScript, SolvingData>()

function solvingDataOf({ descriptor }: Wallet, script: WalletScript): SolvingData | undefined {
  const found = solvingData.get(script) ?? descriptor.branches[script.branch]?.solvingDataAt(script.index)
  if (found !== undefined) solvingData.set(script, found)
  return found
}

/** The script that the next payment or change goes to: of the second branch if there is one. */
function changeScript({ scripts, branches }: Wallet): WalletScript | undefined {
  const branch = branches.length > 1 ? 1 : 0
  const next = branches[branch]?.next ?? 0
  const own = scripts.filter((each) => each.branch === branch)
  return own.find(({ index }) => index === next) ?? own[0]
}

const usage = 'Use pkh, wpkh, sh(wpkh), tr with a key, or multi and sortedmulti in sh, wsh or sh(wsh).'

/** The size of every input. All scripts of a descriptor have the same form, except those of `combo`. */
function inputSizeOf(chain: ServedChain, wallet: Wallet): InputSize {
  const [first] = wallet.scripts
  const address = first === undefined ? undefined : addressOf(chain, first.script)
  const { text } = wallet.descriptor
  if (first === undefined || address === undefined || /^(combo|raw|addr)\(/.test(text) || /^tr\([^)]*,/.test(text))
    throw invalid(`descriptor: payments of this form cannot be simulated. ${usage}`)
  const { redeemScript, witnessScript } = solvingDataOf(wallet, first) ?? {}
  const hint =
    redeemScript === undefined && witnessScript === undefined
      ? { descriptor: text }
      : { redeemScript: redeemScript?.toString('hex'), witnessScript: witnessScript?.toString('hex') }
  try {
    return readHint(address, hint)?.size ?? fail()
  } catch (error) {
    if (error instanceof HintError) throw invalid(`descriptor: payments of this form cannot be simulated. ${usage}`)
    throw error
  }
}

function fail(): never {
  throw new HintError('descriptor: has no known size.')
}

export type WalletSimulationRequest = PaymentRequest & WalletRequest

export async function getWalletSimulation(
  wallets: Wallets,
  feeService: FeeService,
  chain: ServedChain,
  request: WalletSimulationRequest,
) {
  const terms = readTerms(chain, request)
  const quote = await feeService.quote(chain)
  return wallets.read(chain, request, async (reader, wallet) => {
    const size = inputSizeOf(chain, wallet)
    const next = changeScript(wallet)
    const change = next === undefined ? undefined : addressOf(chain, next.script)
    if (next === undefined || change === undefined)
      throw invalid('descriptor: has no address for the change. Send changeAddress.')
    const { available, ownerOf } = await readWalletCoins(chain, reader, wallet)
    const source: PaymentSource = {
      field: 'descriptor',
      id: wallet.descriptor.text,
      scriptType: change.type,
      estimate: { size, scripts: undefined, range: undefined, assumptions: [] },
      available,
      change,
      owns: ownership(wallet),
      wasUsedBefore: (coin) => {
        const owner = ownerOf(coinKey(coin))
        return owner !== undefined && (wallet.firstUses.get(owner.mapKey) ?? Number.POSITIVE_INFINITY) < coin.order
      },
      spentIn: ({ order }) => wallet.entries.some(({ txnum, sent }) => txnum === order && sent > 0),
      scriptOf: (coin) => (ownerOf(coinKey(coin)) ?? next).script,
      solvingDataOf: (coin) => solvingDataOf(wallet, ownerOf(coinKey(coin)) ?? next) ?? {},
      changeScripts: solvingDataOf(wallet, next) ?? {},
    }
    return simulatePayment(chain, reader, { request, terms, source, quote })
  })
}

type WalletFacts = CollectedFacts & { readonly descriptor: string; readonly candidates: Candidates }
type Candidates = ReturnType<typeof findCandidates>

const ownership =
  ({ owned }: Wallet) =>
  (script: Buffer): boolean =>
    owned.has(scriptMapKey(scriptKey(script)))

/** Collects everything but the examined transactions, which are loaded after the state of the index was released. */
async function collectWalletFacts(
  chain: ServedChain,
  reader: KvReader,
  wallet: Wallet,
  { quote, depth }: { readonly quote: FeeQuote; readonly depth: Depth },
): Promise<WalletFacts> {
  const { mweb } = chain.network
  const script = changeScript(wallet)?.script ?? Buffer.alloc(0)
  const { type } = classifyScript(script, { mweb: mweb !== undefined })
  const sizes = sizeFacts(chain, script, { size: knownSize(chain, wallet) ?? findInputSize(type), quote })
  const pending = pendingOf(chain, wallet)
  const { available, ownerOf } = await readWalletCoins(chain, reader, wallet)
  const utxos = utxosOf(available).map((utxo) => {
    const owner = utxo.value < sizes.dustSizedBelow ? ownerOf(coinKey(utxo)) : undefined
    const firstUse = owner === undefined ? undefined : wallet.firstUses.get(owner.mapKey)
    return firstUse === undefined ? utxo : { ...utxo, firstUse }
  })
  const newestFirst = wallet.entries.map(
    ({ txnum, received, sent }): HistoryFact => ({
      order: txnum,
      isReceipt: received > 0,
      isSpend: sent > 0,
      received,
    }),
  )
  const candidates = depth === 'coins' ? [] : findCandidates(reader, newestFirst, dustOf(utxos, sizes.dustSizedBelow))
  const flows = pending.map((tx) => walletFlow(tx, wallet.owned))
  return {
    descriptor: wallet.descriptor.text,
    facts: {
      scriptType: type,
      utxos,
      history: newestFirst.toReversed(),
      txs: [],
      txCount: wallet.entries.length,
      ...sizes,
      wallet: wallet.uses,
    },
    totals: { txCount: wallet.entries.length, received: wallet.received, sent: wallet.sent },
    utxoCount: wallet.coins.length,
    unconfirmed: {
      unconfirmedBalance: flows.reduce((sum, { received, sent }) => sum + BigInt(received) - BigInt(sent), 0n),
      unconfirmedTxCount: pending.length,
    },
    tip: available.tip,
    candidates,
  }
}

function knownSize(chain: ServedChain, wallet: Wallet): InputSize | undefined {
  try {
    return inputSizeOf(chain, wallet)
  } catch {
    return undefined
  }
}

export async function getWalletHealth(
  wallets: Wallets,
  { feeService }: Pick<AnalysisDeps, 'feeService'>,
  chain: ServedChain,
  request: WalletRequest,
) {
  const quote = await feeService.quote(chain)
  return wallets.read(chain, request, async (reader, wallet) => {
    const collected = await collectWalletFacts(chain, reader, wallet, { quote, depth: 'coins' })
    return { descriptor: collected.descriptor, ...healthOf(chain, collected) }
  })
}

/** `utxoLimit`: dust suspects listed at most; undefined for all. */
export async function getWalletAnalysis(
  wallets: Wallets,
  deps: AnalysisDeps,
  chain: ServedChain,
  request: WalletRequest,
  utxoLimit?: number,
) {
  const quote = await deps.feeService.quote(chain)
  const { collected, owns } = await wallets.read(chain, request, async (reader, wallet) => ({
    collected: await collectWalletFacts(chain, reader, wallet, { quote, depth: 'transactions' }),
    owns: ownership(wallet),
  }))
  const txs = await examineTxs(chain, owns, collected.candidates)
  const facts = { ...collected.facts, txs }
  return {
    descriptor: collected.descriptor,
    ...(await analysisOf(deps, chain, { ...collected, facts }, utxoLimit)),
  }
}
