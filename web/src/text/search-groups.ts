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

type Chain = { readonly slug: string; readonly name: string; readonly enabled: boolean }

type Searched = { readonly text: string; readonly chains: readonly Chain[]; readonly coins: readonly CoinLink[] }

/** A whole address: alone, after the prefix of its chain, or in the URL of an explorer. */
const ADDRESS = /(?<![0-9a-z])0x([0-9a-f]{40})(?![0-9a-f])|^([0-9a-f]{40})$/i

function addressIn(text: string): string | undefined {
  const [, prefixed, bare] = ADDRESS.exec(text) ?? []
  const digits = prefixed ?? bare
  return digits === undefined ? undefined : `0x${digits.toLowerCase()}`
}

/** Only groups that have items. An address that is not known leads to its page on each chain, which can check it. */
export function searchGroups(found: Found, { text, chains, coins }: Searched): readonly SearchGroup[] {
  const chainName = (slug: string) => chains.find((chain) => chain.slug === slug)?.name ?? slug
  const unknown = found.contracts.length + found.accounts.length > 0 ? undefined : addressIn(text)
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
      title: 'Addresses that are not watched',
      items: chains.flatMap(({ slug, name, enabled }) =>
        unknown === undefined || !enabled
          ? []
          : { href: contractPath(slug, unknown), name: shortHex(unknown), note: `Check it on ${name}` },
      ),
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
