import type { Schemas } from 'gatewatch-client'

type Listed = Schemas['ListedProtocol']
export type Order = 'contracts' | 'weakest' | 'recent' | 'name'

const KEYS: Readonly<Record<Order, (protocol: Listed) => number>> = {
  contracts: ({ contracts }) => contracts,
  weakest: ({ summary }) => summary.singleKey,
  recent: ({ lastEventAt }) => (lastEventAt === null ? 0 : Date.parse(lastEventAt)),
  name: () => 0,
}

/** Largest first; equal ones by name, as they come. */
export const ordered = (protocols: readonly Listed[], order: Order): readonly Listed[] =>
  protocols.toSorted((a, b) => KEYS[order](b) - KEYS[order](a))
