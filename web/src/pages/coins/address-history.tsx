import { Link, useSearch } from 'wouter'
import { type HistoryEntry, useHistory } from '../../api/use-coins.ts'
import { Amount } from '../../components/amount.tsx'
import { Card } from '../../components/card.tsx'
import { Hash } from '../../components/hash.tsx'
import { Icon } from '../../components/icon.tsx'
import { Pager } from '../../components/pager.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import type { CoinChain } from '../../text/coins.ts'
import { plural } from '../../text/numbers.ts'
import styles from './address-history.module.css'

const DIRECTIONS = { in: 'Received', out: 'Sent', self: 'To itself' } as const

/** Every transaction of an address, newest first; the page is part of the page's address. */
export function AddressHistory({ chain, address }: { readonly chain: CoinChain; readonly address: string }) {
  const asked = Number(new URLSearchParams(useSearch()).get('page'))
  const page = Number.isSafeInteger(asked) && asked > 0 ? asked : 1
  const history = useHistory(chain, address, page)
  const total = history.data?.totalItems
  return (
    <Card title="History" aside={total === undefined ? undefined : plural(total, 'transaction')} flush>
      <QueryView query={history}>
        {({ txs, totalPages }) =>
          txs.length === 0 ? (
            <StateMessage title={page > 1 ? 'History ends before this page' : 'Never used'}>
              {page > 1 ? 'Go back to the first page.' : 'No transaction has paid to this address or spent from it.'}
            </StateMessage>
          ) : (
            <>
              <ol>
                {txs.map((tx) => (
                  <HistoryRow key={tx.txid} chain={chain} tx={tx} />
                ))}
              </ol>
              <Pager
                page={page}
                pages={totalPages}
                hrefOf={(next) => `/coins/${chain}/address/${address}?page=${next}`}
              />
            </>
          )
        }
      </QueryView>
    </Card>
  )
}

function HistoryRow({ chain, tx }: { readonly chain: CoinChain; readonly tx: HistoryEntry }) {
  const { txid, direction, net, timestamp, blockHeight, confirmations } = tx
  return (
    <li className={styles.row} data-tx={txid}>
      <span className={`${styles.icon} ${styles[direction]}`}>
        <Icon name="arrow" />
      </span>
      <div className={styles.what}>
        <span>{DIRECTIONS[direction]}</span>
        <span className={styles.where}>
          <Hash text={txid} what="transaction" href={`/coins/${chain}/tx/${txid}`} />
        </span>
      </div>
      <div className={styles.side}>
        <span className={styles.net}>
          <Amount satoshi={net} signed />
        </span>
        <span className={styles.where}>
          {blockHeight === null ? 'waiting' : <Link href={`/coins/${chain}/block/${blockHeight}`}>#{blockHeight}</Link>}
          {' · '}
          <RelativeTime at={timestamp} />
        </span>
        <span className="visually-hidden">{plural(confirmations, 'confirmation')}</span>
      </div>
    </li>
  )
}
