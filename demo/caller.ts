/** Calls both APIs from time to time with the demo's keys, so that usage and traffic pages have data. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Login } from './account.ts'
import { BITCOIN } from './coins/recorded-chains.ts'
import type { Component } from './components.ts'
import type { KnownContract } from './evm/world.ts'

const PAUSE_MS = 15_000

export type CallerDeps = { readonly url: string; readonly login: Login; readonly known: readonly KnownContract[] }

export function startApiCalls({ url, login, known }: CallerDeps): Component {
  const stopping = new AbortController()
  const { signal } = stopping
  const v1 = { authorization: `Bearer ${login.keys.v1}` }
  const v2 = { 'x-api-key': login.keys.v2 }
  const calls: readonly (readonly [path: string, headers: Readonly<Record<string, string>>])[] = [
    ['/v1/events?limit=5', v1],
    ['/api/v2/fees?chain=btc', v2],
    ...known.slice(0, 3).map(({ chain, address }) => [`/v1/contracts/${chain}/${address}`, v1] as const),
    [`/api/v2/address/${BITCOIN.showcase}?chain=btc`, v2],
    ['/api/v2/status?chain=btc', v2],
    ['/api/v2/fees?chain=doge', v2], // a mistake on purpose
  ]
  const run = async () => {
    for (let count = 0; !signal.aborted; count += 1) {
      const [path, headers] = calls[count % calls.length] ?? ['', {}]
      // The response is not used; the request log records it.
      await fetch(url + path, { headers, signal })
        .then((response) => response.body?.cancel())
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
