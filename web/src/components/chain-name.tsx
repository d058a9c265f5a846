import { useAbout } from '../api/use-about.ts'
import { COIN_TEXTS, isCoinChain } from '../text/coins.ts'

/** A chain as people call it. */
export function ChainName({ slug }: { readonly slug: string }) {
  const chains = useAbout().data?.chains ?? []
  if (isCoinChain(slug)) return COIN_TEXTS[slug].name
  return chains.find((chain) => chain.slug === slug)?.name ?? slug
}
