import { Card } from '../../components/card.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { COIN_TEXTS, type CoinChain } from '../../text/coins.ts'

type CoinsNotShownProps = { readonly chain: CoinChain; readonly why: string | undefined }

/** In the place of a chain that is not indexed here; nothing where it is. */
export function CoinsNotShown({ chain, why }: CoinsNotShownProps) {
  if (why === undefined) return null
  const { name } = COIN_TEXTS[chain]
  return (
    <Card>
      <StateMessage title={`${name} is not shown here`}>{why}</StateMessage>
    </Card>
  )
}
