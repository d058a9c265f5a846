import { useLocation, useSearch } from 'wouter'
import { plural, wholeNumber } from '../../text/amounts.ts'

/** The search text of a list, kept in the address bar. A letter more or less is no step of the history. */
export function useSearchText(): readonly [text: string, setText: (text: string) => void] {
  const text = new URLSearchParams(useSearch()).get('search') ?? ''
  const [path, navigate] = useLocation()
  const setText = (next: string) =>
    navigate(next === '' ? path : `${path}?${new URLSearchParams({ search: next }).toString()}`, { replace: true })
  return [text, setText]
}

type Found = { readonly items: readonly unknown[]; readonly total: number }

/** `120 accounts`, or `3 of 120 accounts` for a search. */
export const countText = ({ items, total }: Found, one: string, search: string): string =>
  search === '' ? plural(total, one) : `${wholeNumber(items.length)} of ${plural(total, one)}`
