import { useAbout } from '../api/use-about.ts'
import { Icon } from './icon.tsx'

type ExplorerLinkProps = {
  readonly chain: string
  readonly to: { readonly tx: string } | { readonly block: number } | { readonly address: string }
  readonly text?: string
}

/** A transaction, a block or an address in the explorer of its chain. Nothing if the chain has none. */
export function ExplorerLink({ chain, to, text = 'Explorer' }: ExplorerLinkProps) {
  const explorer = useAbout().data?.chains.find(({ slug }) => slug === chain)?.explorer
  if (explorer === undefined || explorer === '') return null
  const [path, what] =
    'tx' in to
      ? [`tx/${to.tx}`, 'transaction']
      : 'block' in to
        ? [`block/${to.block}`, 'block']
        : [`address/${to.address}`, 'address']
  return (
    <a href={`${explorer}/${path}`} rel="noreferrer" target="_blank" title={`The ${what} in the explorer of the chain`}>
      {text} <Icon name="external" size={12} />
    </a>
  )
}
