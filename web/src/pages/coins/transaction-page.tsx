/** A transaction: where its coins came from and went to, and what it paid for its place. */
import { Link, useParams } from 'wouter'
import { useTransaction } from '../../api/use-coins.ts'
import { Amount } from '../../components/amount.tsx'
import { buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Figures } from '../../components/figures.tsx'
import { Hash } from '../../components/hash.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { TonePill } from '../../components/tone-pill.tsx'
import { type CoinChain, feeRate } from '../../text/coins.ts'
import { plural, wholeNumber } from '../../text/numbers.ts'
import { CoinPage } from './coin-page.tsx'
import layout from './layout.module.css'
import { refusedCoins } from './refused-coins.tsx'
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
      <PageHeader title="Transaction" lead={<Hash text={txid} what="transaction" full />} />
      <QueryView
        query={transaction}
        refused={(failure) =>
          failure.code === 'TX_NOT_FOUND' ? (
            <StateMessage
              title="No such transaction"
              icon="search"
              action={
                <Link href={`/coins/${chain}/block/${txid}`} className={buttonClass()}>
                  Look for a block with this hash
                </Link>
              }
            >
              {failure.message}
            </StateMessage>
          ) : (
            refusedCoins(failure)
          )
        }
      >
        {(tx) => {
          const isCoinbase = tx.inputs.some((input) => input.isCoinbase)
          return (
            <div className={layout.stack}>
              <Card>
                <Figures
                  items={[
                    {
                      name: 'State',
                      value:
                        tx.blockHeight === null ? (
                          <TonePill tone="amber">Waiting</TonePill>
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
                      name: 'Fee',
                      value: isCoinbase ? 'none: it mints' : <Amount satoshi={tx.fee} chain={chain} />,
                    },
                    { name: 'Fee rate', value: isCoinbase ? '–' : `${feeRate(tx.fee / tx.vsize)} sat/vB` },
                    {
                      name: 'Size',
                      value: `${wholeNumber(tx.vsize)} vB`,
                      note: `${wholeNumber(tx.size)} bytes, weight ${wholeNumber(tx.weight)}`,
                    },
                    { name: 'Version', value: tx.version, note: `lock time ${wholeNumber(tx.locktime)}` },
                  ]}
                />
              </Card>
              <Card title="Flow" aside={`${tx.inputs.length} → ${tx.outputs.length}`}>
                <TxFlow chain={chain} tx={tx} />
              </Card>
              <TxSides chain={chain} tx={tx} />
            </div>
          )
        }}
      </QueryView>
    </>
  )
}
