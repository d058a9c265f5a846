/** Search results as groups of links, for the suggestions and for the search page. */
import type { Schemas } from 'gatewatch-client'
import { CATEGORY_TEXTS, type Category } from '../../../vocabulary/categories.ts'
import { eventTitle } from '../../../vocabulary/event-sentence.ts'
import type { Label, Tone } from '../../../vocabulary/labels.ts'
import { plural } from './amounts.ts'
import type { CoinLink } from './coin-links.ts'
import { shortHex } from './names.ts'

export type SearchItem = {
  readonly href: string
  readonly name: string
  readonly note: string
  /** Of a contract. */
  readonly label?: Label
  readonly labelText?: string
  readonly tone?: Tone
  /** The text names exactly this page. */
  readonly isExact?: true
}
export type SearchGroup = { readonly title: string; readonly items: readonly SearchItem[] }

type Found = Schemas['SearchResults']

/** Only groups that have items. `chainName` returns the display name of a chain. */
export function searchGroups(
  found: Found,
  coins: readonly CoinLink[],
  chainName: (slug: string) => string,
): readonly SearchGroup[] {
  const contractPath = (chain: string, address: string) => `/contracts/${chain}/${address}`
  const groups: readonly SearchGroup[] = [
    {
      title: 'Names',
      items: found.names.map(({ name, chainSlug, address }) => ({
        href: contractPath(chainSlug, address),
        name,
        note: `${chainName(chainSlug)} · ${shortHex(address)}`,
        isExact: true,
      })),
    },
    {
      title: 'Contracts',
      items: found.contracts.map(({ chainSlug, address, name, protocol, label, labelText, tone }) => ({
        href: contractPath(chainSlug, address),
        name: name ?? shortHex(address),
        note: [protocol, chainName(chainSlug), name === null ? null : shortHex(address)].filter(Boolean).join(' · '),
        label,
        labelText,
        tone,
      })),
    },
    {
      title: 'Protocols',
      items: found.protocols.map(({ protocol, slug, contracts }) => ({
        href: `/protocols/${slug}`,
        name: protocol,
        note: plural(contracts, 'contract'),
      })),
    },
    {
      title: 'Accounts',
      items: found.accounts.map(({ chainSlug, address, controls }) => ({
        href: contractPath(chainSlug, address),
        name: shortHex(address),
        note: `${chainName(chainSlug)} · controls ${plural(controls, 'contract')}`,
      })),
    },
    {
      title: 'Transactions',
      items: found.transactions.map(({ chainSlug, hash, events }) => ({
        href: `/transactions/${chainSlug}/${hash}`,
        name: shortHex(hash),
        note: `${chainName(chainSlug)} · ${plural(events, 'control event')}`,
      })),
    },
    { title: 'Coins', items: coins.map(({ href, text, subject }) => ({ href, name: text, note: subject })) },
    {
      title: 'Kinds of events',
      items: found.eventKinds.map(({ key, category }) => ({
        href: `/feed?key=${key}`,
        name: eventTitle(key),
        note: `${CATEGORY_TEXTS[category as Category]} · ${key}`,
      })),
    },
  ]
  return groups.filter(({ items }) => items.length > 0)
}
