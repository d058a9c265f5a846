import { Link } from 'wouter'
import { useCoinStatus, useFees } from '../../api/use-coins.ts'
import { Card } from '../../components/card.tsx'
import { Figures } from '../../components/figures.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { feeRate, wholeNumber } from '../../text/amounts.ts'
import { COIN_TEXTS, type CoinChain } from '../../text/names.ts'

/** The height, mempool and fees of a coin chain. */
export function CoinTiles({ chain }: { readonly chain: CoinChain }) {
  const status = useCoinStatus(chain)
  const fees = useFees(chain).data
  const rate = (value: number | undefined) => (value === undefined ? '–' : `${feeRate(value)} sat/vB`)
  return (
    <Card
      title={<Link href={`/coins/${chain}`}>{COIN_TEXTS[chain].name}</Link>}
      aside={<Link href={`/coins/${chain}/fees`}>Fees</Link>}
    >
      <QueryView query={status}>
        {({ blockHeight, mempoolSize }) => (
          <Figures
            items={[
              {
                name: 'Latest block',
                value: <Link href={`/coins/${chain}/block/${blockHeight}`}>{wholeNumber(blockHeight)}</Link>,
              },
              { name: 'Unconfirmed', value: wholeNumber(mempoolSize) },
              { name: 'Next block', value: rate(fees?.urgent) },
              { name: 'Within 30 minutes', value: rate(fees?.medium) },
              { name: 'Within a day', value: rate(fees?.low) },
            ]}
          />
        )}
      </QueryView>
    </Card>
  )
}
