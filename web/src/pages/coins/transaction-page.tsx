/** The page of a transaction: inputs, outputs and fee. */

import { Link, useParams } from 'wouter'
import { useBlockTime, useProjectedBlocks, useTransaction } from '../../api/use-coins.ts'
import { Amount } from '../../components/amount.tsx'
import { buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Stack } from '../../components/columns.tsx'
import { Figures } from '../../components/figures.tsx'
import { Hash } from '../../components/hash.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { TonePill } from '../../components/tone-pill.tsx'
import { CoinWatchLink } from '../../components/watch-link.tsx'
import { feeRate, plural, wholeNumber } from '../../text/amounts.ts'
import type { CoinChain } from '../../text/names.ts'
import { blockOf } from './chart-math.ts'
import { coinPageError } from './coin-error.tsx'
import { CoinPage } from './coin-page.tsx'
import { TxFlow } from './tx-flow.tsx'
import { TxSides } from './tx-sides.tsx'

export function TransactionPage() {
  const { txid = '' } = useParams<{ readonly txid?: string }>()
  return <CoinPage>{(chain) => <TransactionView chain={chain} txid={txid} />}</CoinPage>
}

function TransactionView({ chain, txid }: { readonly chain: CoinChain; readonly txid: string }) {
  const transaction = useTransaction(chain, txid)
  return (
    <>
      <PageHeader
        title="Transaction"
        lead={<Hash text={txid} what="transaction" full />}
        aside={!transaction.isError && <CoinWatchLink chain={chain} txid={txid} />}
      />
      <QueryView
        query={transaction}
        errorView={coinPageError(
          chain,
          ({ code }) =>
            code === 'TX_NOT_FOUND' && (
              <Link href={`/coins/${chain}/block/${txid}`} className={buttonClass()}>
                Look up as a block hash
              </Link>
            ),
        )}
      >
        {(tx) => {
          const isCoinbase = tx.inputs.some((input) => input.isCoinbase)
          const isUnconfirmed = tx.blockHeight === null
          return (
            <Stack>
              <Card>
                <Figures
                  items={[
                    {
                      name: 'Status',
                      value:
                        tx.blockHeight === null ? (
                          <TonePill tone="amber">Unconfirmed</TonePill>
                        ) : (
                          <TonePill tone="green">{plural(tx.confirmations, 'confirmation')}</TonePill>
                        ),
                    },
                    {
                      name: 'Block',
                      value:
                        tx.blockHeight === null ? (
                          '–'
                        ) : (
                          <Link href={`/coins/${chain}/block/${tx.blockHeight}`}>{wholeNumber(tx.blockHeight)}</Link>
                        ),
                    },
                    {
                      name: isUnconfirmed ? 'Expected' : 'Mined',
                      value: isUnconfirmed ? (
                        <Expected chain={chain} rate={tx.fee / tx.vsize} />
                      ) : (
                        <Mined chain={chain} height={tx.blockHeight} />
                      ),
                    },
                    {
                      name: 'Fee',
                      value: isCoinbase ? 'None (coinbase)' : <Amount satoshi={tx.fee} chain={chain} />,
                    },
                    { name: 'Fee rate', value: isCoinbase ? '–' : `${feeRate(tx.fee / tx.vsize)} sat/vB` },
                    {
                      name: 'Size',
                      value: `${wholeNumber(tx.vsize)} vB`,
                      note: `${wholeNumber(tx.size)} bytes, weight ${wholeNumber(tx.weight)}`,
                    },
                    { name: 'Version', value: tx.version, note: `locktime ${wholeNumber(tx.locktime)}` },
                  ]}
                />
              </Card>
              <Card title="Flow" aside={`${tx.inputs.length} → ${tx.outputs.length}`}>
                <TxFlow chain={chain} tx={tx} />
              </Card>
              <TxSides chain={chain} tx={tx} />
            </Stack>
          )
        }}
      </QueryView>
    </>
  )
}

function Mined({ chain, height }: { readonly chain: CoinChain; readonly height: number | null }) {
  const { data: time } = useBlockTime(chain, height)
  return time == null ? '–' : <RelativeTime at={time} isPast />
}

/** The projected block that has room for a fee rate. */
function Expected({ chain, rate }: { readonly chain: CoinChain; readonly rate: number }) {
  const { data } = useProjectedBlocks(chain)
  if (data === undefined) return '–'
  const index = blockOf(data.blocks, rate)
  if (index === undefined) return 'Later'
  return index === 0 ? 'In the next block' : `Within ${index + 1} blocks`
}
