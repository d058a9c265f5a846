import { useAbout } from '../api/use-about.ts'
import { COIN_TEXTS, isCoinChain } from '../text/names.ts'

/** The display name of a chain. */
export function ChainName({ slug }: { readonly slug: string }) {
  const chains = useAbout().data?.chains ?? []
  if (isCoinChain(slug)) return COIN_TEXTS[slug].name
  return chains.find((chain) => chain.slug === slug)?.name ?? slug
}
