/**
 * Analyzes bytecode, each distinct code once, also across restarts.
 *
 * An analysis takes up to seconds and runs in another process. Most contracts share their code with others, so results
 * are cached by code hash in memory and stored in the database. Code beyond the budget counts as not followed, with the
 * limit it exceeded.
 */
import { hash } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { LRUCache } from 'lru-cache'
import { GatewatchError } from '../../lib/errors.ts'
import { type Hex, toBytes } from '../../lib/hex.ts'
import { type CodeFacts, factsOfText } from '../profile/code-facts.ts'
import { ANALYSIS_BUDGET, type AnalysisBudget, createAnalysisProcesses } from './analysis-processes.ts'
import { analysisContext } from './analysis-queue.ts'
import { createBatcher } from './batcher.ts'
import type { CodeAnalysisStore } from './code-analysis-store.ts'

export type CodeAnalyzer = {
  /** The facts of code that was analyzed before, by its Keccak-256 hash. */
  readonly find: (codeHash: Hex) => Promise<CodeFacts | undefined>
  /**
   * `code` is not empty. `isStored` is false if `find` was called with its hash. The context of the caller decides in
   * whose name the analysis waits, and for how long.
   */
  readonly analyze: (code: Hex, isStored?: boolean) => Promise<CodeFacts>
  /** Ends the processes. Idle ones do not keep this process alive, so it may also exit without it. */
  readonly close: () => Promise<void>
}

/** The caller does not wait any longer. The analysis goes on, unless the queue of the owner is full. */
export class CodeAnalysisPendingError extends GatewatchError {
  override readonly code = 'code_analysis_pending'
  override readonly retryable = true
  /** Settles when the analysis is done; undefined if it was not queued. */
  readonly analysis: Promise<unknown> | undefined
  constructor(analysis: Promise<unknown> | undefined) {
    super('The code is still being analyzed')
    this.analysis = analysis
  }
}

export type CodeAnalyzerOptions = {
  readonly processes?: number
  /** Starts the first process now, not with the first analysis. */
  readonly isWarm?: boolean
  readonly maxCached?: number
  readonly budget?: Partial<AnalysisBudget>
  readonly store?: CodeAnalysisStore
  /** Called when a result could not be stored or read: it is then in memory only. */
  readonly onStoreError?: (error: unknown) => void
}

/** Stored results in one query. Each may have half a megabyte. */
const LOADED_TOGETHER = 16

export function createCodeAnalyzer({
  processes = 2,
  isWarm = false,
  maxCached = 2_000,
  budget,
  store,
  onStoreError = () => {},
}: CodeAnalyzerOptions = {}): CodeAnalyzer {
  const byCodeHash = new LRUCache<Hex, CodeFacts>({ max: maxCached })
  /** Running analyses by SHA-256, which is native. */
  const running = new Map<string, Promise<CodeFacts>>()
  const hashByDigest = new LRUCache<string, Hex>({ max: maxCached })
  const pool = createAnalysisProcesses({ processes, budget: { ...ANALYSIS_BUDGET, ...budget } })
  if (isWarm) pool.warmUp()

  const load = createBatcher<Hex, string | undefined>(LOADED_TOGETHER, async (hashes) => {
    const found = await store?.load([...new Set(hashes)]).catch(onStoreError)
    return hashes.map((each) => found?.get(each))
  })
  const remember = (facts: CodeFacts): CodeFacts => {
    byCodeHash.set(facts.hash, facts)
    return facts
  }
  const find: CodeAnalyzer['find'] = async (codeHash) => {
    const known = byCodeHash.get(codeHash)
    if (known !== undefined || store === undefined) return known
    const text = await load(codeHash)
    if (text === undefined) return undefined
    // Several results arrive together: each is decoded in a turn of its own.
    await new Promise((resolve) => setImmediate(resolve))
    return byCodeHash.get(codeHash) ?? remember(factsOfText(text))
  }
  const run = async (digest: string, text: Promise<string>): Promise<CodeFacts> => {
    const result = await text
    const facts = remember(factsOfText(result))
    hashByDigest.set(digest, facts.hash)
    await store?.save(facts.hash, result, facts.effects.exceeded).catch(onStoreError)
    return facts
  }

  return {
    find,
    analyze: async (code, isStored = true) => {
      const digest = hash('sha256', code)
      let analysis = running.get(digest)
      if (analysis === undefined) {
        const codeHash = hashByDigest.get(digest) ?? (isStored ? await codeHashOf(code) : undefined)
        const known = codeHash === undefined ? undefined : await find(codeHash)
        if (known !== undefined) return known
        analysis = running.get(digest)
      }
      if (analysis === undefined) {
        const text = pool.run(analysisContext().owner, code)
        if (text === undefined) throw new CodeAnalysisPendingError(undefined)
        analysis = run(digest, text).finally(() => running.delete(digest))
        running.set(digest, analysis)
      }
      return await waitedFor(analysis)
    },
    close: pool.close,
  }
}

/** Bytes that are hashed at once: the hash of the largest code takes several milliseconds. */
const HASHED_AT_ONCE = 4_096

/** The Keccak-256 hash of code. The event loop runs in between. */
async function codeHashOf(code: Hex): Promise<Hex> {
  const bytes = toBytes(code)
  const hasher = keccak_256.create()
  for (let start = 0; start < bytes.length; start += HASHED_AT_ONCE) {
    hasher.update(bytes.subarray(start, start + HASHED_AT_ONCE))
    await new Promise((resolve) => setImmediate(resolve))
  }
  return `0x${Buffer.from(hasher.digest()).toString('hex')}`
}

/** Waits as long as the context of the caller allows. */
async function waitedFor(analysis: Promise<CodeFacts>): Promise<CodeFacts> {
  const { waitUntil } = analysisContext()
  if (waitUntil === undefined) return await analysis
  let timer: NodeJS.Timeout | undefined
  const gaveUp = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new CodeAnalysisPendingError(analysis)), Math.max(0, waitUntil - Date.now()))
  })
  try {
    return await Promise.race([analysis, gaveUp])
  } finally {
    clearTimeout(timer)
    analysis.catch(() => {}) // may reject after the caller gave up
  }
}
