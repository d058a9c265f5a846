/**
 * A store whose readers share one pinned snapshot until the next one is pinned.
 *
 * Index and mempool view must match: a transaction that was just confirmed must not be counted in both. So requests read
 * the index in the state for which the mempool view was last complete.
 */
import type { Kv, KvSnapshot } from './kv.ts'

export type PinnedKv = {
  /** Reads the pinned snapshot, or the latest state while none is pinned. */
  readonly kv: Kv
  /** Pins the latest state. */
  readonly pin: () => void
  /** Unpins: later snapshots read the latest state. */
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
