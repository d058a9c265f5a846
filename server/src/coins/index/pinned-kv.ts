/**
 * A store seen at one chosen state, until another is chosen.
 *
 * Index and mempool belong together: a transaction that has just confirmed must not be counted in both. So answers
 * read the index as it was when the mempool view was last made complete.
 */
import type { Kv, KvSnapshot } from './kv.ts'

export type PinnedKv = {
  /** For reading: the chosen state, or the latest while none is chosen. */
  readonly kv: Kv
  /** Chooses the latest state. */
  readonly pin: () => void
  /** Goes back to the latest state. */
  readonly release: () => void
}

type Pin = { readonly snapshot: KvSnapshot; users: number; isRetired: boolean }

export function pinnedKv(kv: Kv): PinnedKv {
  let current: Pin | undefined

  function closeUnused(pin: Pin): void {
    if (pin.isRetired && pin.users === 0) pin.snapshot.close()
  }

  function release(): void {
    const old = current
    current = undefined
    if (old === undefined) return
    old.isRetired = true
    closeUnused(old)
  }

  function snapshot(): KvSnapshot {
    const pin = current
    if (pin === undefined) return kv.snapshot()
    pin.users++
    let isOpen = true
    const close = (): void => {
      if (!isOpen) return
      isOpen = false
      pin.users--
      closeUnused(pin)
    }
    return { ...pin.snapshot, close }
  }

  return {
    kv: { ...kv, snapshot },
    pin: () => {
      const next = { snapshot: kv.snapshot(), users: 0, isRetired: false }
      release()
      current = next
    },
    release,
  }
}
