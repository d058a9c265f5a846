/** What code can do, kept by its hash: following it takes milliseconds, and most contracts share theirs with others. */
import { keccak256 } from 'viem'
import type { Hex } from '../../lib/hex.ts'
import { analyzeCode, type CodeFacts } from '../profile/code-facts.ts'

export type CodeCache = {
  readonly find: (hash: Hex) => CodeFacts | undefined
  /** `code` is not empty. */
  readonly of: (code: Hex) => CodeFacts
}

export function createCodeCache(most = 5_000): CodeCache {
  const known = new Map<Hex, CodeFacts>()
  const find = (hash: Hex): CodeFacts | undefined => {
    const facts = known.get(hash)
    if (facts === undefined) return undefined
    known.delete(hash)
    known.set(hash, facts) // the newest stands last
    return facts
  }
  return {
    find,
    of: (code) => {
      const hash = keccak256(code)
      const facts = find(hash) ?? analyzeCode(code)
      known.set(hash, facts)
      if (known.size > most) known.delete(known.keys().next().value as Hex)
      return facts
    },
  }
}
