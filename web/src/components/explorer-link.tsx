import { useAbout } from '../api/use-about.ts'
import { Icon } from './icon.tsx'

type ExplorerLinkProps = {
  readonly chain: string
  readonly blockNumber: number
  /** Undefined for a change that a poll found. */
  readonly txHash: string | undefined
  readonly text?: string
}

/** A transaction, or else a block, in the explorer of its chain. Nothing if the chain has none. */
export function ExplorerLink({ chain, blockNumber, txHash, text = 'Explorer' }: ExplorerLinkProps) {
  const explorer = useAbout().data?.chains.find(({ slug }) => slug === chain)?.explorer
  if (explorer === undefined || explorer === '') return null
  const [path, what] = txHash === undefined ? [`block/${blockNumber}`, 'block'] : [`tx/${txHash}`, 'transaction']
  return (
    <a href={`${explorer}/${path}`} rel="noreferrer" target="_blank" title={`The ${what} in the explorer of the chain`}>
      {text} <Icon name="external" size={12} />
    </a>
  )
}
