import { useQuery } from '@tanstack/react-query'
import { noContractsReason } from '../text/unavailable.ts'
import { service, unwrap } from './service.ts'

/** The version, chains and options of the service. They do not change while a page is open. */
export const useAbout = () =>
  useQuery({
    queryKey: ['about'],
    queryFn: ({ signal }) => unwrap(service.GET('/public/about', { signal })),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The chains that the service reads as choices, and another one that is chosen; all chains if it reads none. */
export function useChainChoices(
  chosen: string | null | undefined,
): readonly { readonly value: string; readonly text: string }[] {
  const all = useAbout().data?.chains ?? []
  const offered = all.filter(({ enabled, slug }) => enabled || slug === chosen)
  return (offered.length > 0 ? offered : all).map(({ slug, name, enabled }) => ({
    value: slug,
    text: enabled ? name : `${name} (not watched here)`,
  }))
}

/** Why nothing is shown of a chain: undefined for those that the service reads. */
export function useUnreadChain(slug: string | undefined): string | undefined {
  const chain = useAbout().data?.chains.find((one) => one.slug === slug)
  return chain === undefined || chain.enabled ? undefined : `This server does not read ${chain.name}.`
}

/** Why the service shows no contracts. Undefined if it does, and until that is known. */
export function useNoContractsReason(): string | undefined {
  const { data } = useAbout()
  return data === undefined ? undefined : noContractsReason(data)
}
