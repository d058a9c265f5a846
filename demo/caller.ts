/** Calls both interfaces now and then with the demo's own keys: usage and traffic have something true to show. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Login } from './account.ts'
import { BTC_ADDRESS } from './banner.ts'
import type { KnownContract } from './evm/world.ts'
import type { Part } from './parts.ts'

const PAUSE_MS = 15_000

export type CallerDeps = { readonly url: string; readonly login: Login; readonly known: readonly KnownContract[] }

export function startCaller({ url, login, known }: CallerDeps): Part {
  const stopping = new AbortController()
  const { signal } = stopping
  const v1 = { authorization: `Bearer ${login.keys.v1}` }
  const v2 = { 'x-api-key': login.keys.v2 }
  const calls: readonly (readonly [path: string, headers: Readonly<Record<string, string>>])[] = [
    ['/v1/events?limit=5', v1],
    ['/api/v2/fees?chain=btc', v2],
    ...known.slice(0, 3).map(({ chain, address }) => [`/v1/contracts/${chain}/${address}`, v1] as const),
    [`/api/v2/address/${BTC_ADDRESS}?chain=btc`, v2],
    ['/api/v2/status?chain=btc', v2],
    ['/api/v2/fees?chain=doge', v2], // refused, as mistakes are
  ]
  const run = async () => {
    for (let count = 0; !signal.aborted; count += 1) {
      const [path, headers] = calls[count % calls.length] ?? ['', {}]
      // Whatever comes of it is in the log of requests, and nobody waits for it.
      await fetch(url + path, { headers, signal })
        .then((answer) => answer.body?.cancel())
        .catch(() => {})
      if (count >= calls.length) await pause(PAUSE_MS, undefined, { signal }).catch(() => {})
    }
  }
  const running = run()
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
