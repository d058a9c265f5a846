import { Link, useSearch } from 'wouter'
import { type HistoryEntry, useHistory } from '../../api/use-coins.ts'
import { Amount } from '../../components/amount.tsx'
import { buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Hash } from '../../components/hash.tsx'
import { Icon } from '../../components/icon.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { plural, wholeNumber } from '../../text/amounts.ts'
import type { CoinChain } from '../../text/names.ts'
import styles from './address-history.module.css'

const DIRECTIONS = { in: 'Received', out: 'Sent', self: 'Sent to itself' } as const

type AddressHistoryProps = {
  readonly chain: CoinChain
  readonly address: string
  /** Another one if the history has changed. */
  readonly version: string
}

/** The transactions of an address, newest first. The page number is in the address bar. */
export function AddressHistory({ chain, address, version }: AddressHistoryProps) {
  const requested = Number(new URLSearchParams(useSearch()).get('page'))
  const page = Number.isSafeInteger(requested) && requested > 0 ? requested : 1
  const history = useHistory(chain, address, page, version)
  const total = history.data?.totalItems
  return (
    <Card title="History" aside={total === undefined ? undefined : plural(total, 'transaction')} flush>
      <QueryView query={history}>
        {({ txs, totalPages }) =>
          txs.length === 0 ? (
            <StateMessage title={page > 1 ? 'No more transactions' : 'No transactions'}>
              {page > 1 ? 'Go back to the first page.' : 'This address has never been used.'}
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
          <Amount satoshi={net} chain={chain} signed />
        </span>
        <span className={styles.where}>
          {blockHeight === null ? (
            'Unconfirmed'
          ) : (
            <Link href={`/coins/${chain}/block/${blockHeight}`}>Block {wholeNumber(blockHeight)}</Link>
          )}
          {' · '}
          <RelativeTime at={timestamp} isPast />
        </span>
        <span className="visually-hidden">{plural(confirmations, 'confirmation')}</span>
      </div>
    </li>
  )
}

type PagerProps = { readonly page: number; readonly pages: number; readonly hrefOf: (page: number) => string }

function Pager({ page, pages, hrefOf }: PagerProps) {
  if (pages <= 1) return null
  return (
    <nav className={styles.pager} aria-label="Pages of this list">
      {page > 1 ? (
        <Link href={hrefOf(page - 1)} className={buttonClass()}>
          Newer
        </Link>
      ) : (
        <span />
      )}
      <span>
        Page {page} of {pages}
      </span>
      {page < pages ? (
        <Link href={hrefOf(page + 1)} className={buttonClass()}>
          Older
        </Link>
      ) : (
        <span />
      )}
    </nav>
  )
}
