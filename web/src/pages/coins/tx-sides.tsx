import { Link } from 'wouter'
import { type Outspend, type Transaction, useOutspends } from '../../api/use-coins.ts'
import { Amount } from '../../components/amount.tsx'
import { Card } from '../../components/card.tsx'
import { Hash } from '../../components/hash.tsx'
import { plural } from '../../text/amounts.ts'
import { type CoinChain, scriptTypeName } from '../../text/names.ts'
import layout from './layout.module.css'
import styles from './tx-sides.module.css'

/** The inputs and outputs of a transaction. Each output shows whether it is spent. */
export function TxSides({ chain, tx }: { readonly chain: CoinChain; readonly tx: Transaction }) {
  const { data: spends } = useOutspends(chain, tx.txid)
  return (
    <div className={layout.halves}>
      <Card title={plural(tx.inputs.length, 'input')} flush>
        <ol className={styles.list}>
          {tx.inputs.map((input, index) =>
            input.isCoinbase ? (
              <li key={index}>Block reward and fees</li>
            ) : (
              <li key={index}>
                <span className={styles.party}>
                  <Party chain={chain} address={input.address} />
                  <span className={styles.from}>
                    {scriptTypeName(input.scriptType)} from{' '}
                    <Link href={`/coins/${chain}/tx/${input.txid}`}>
                      {input.txid.slice(0, 8)}…:{input.vout}
                    </Link>
                  </span>
                </span>
                <Amount satoshi={input.value} chain={chain} />
              </li>
            ),
          )}
        </ol>
      </Card>
      <Card title={plural(tx.outputs.length, 'output')} flush>
        <ol className={styles.list}>
          {tx.outputs.map(({ n, address, value, scriptType, opReturn }) => (
            <li key={n}>
              <span className={styles.party}>
                {opReturn === null ? <Party chain={chain} address={address} /> : <Data pushes={opReturn} />}
                <span className={styles.from}>
                  {/* First, because the state arrives later. */}
                  {scriptTypeName(scriptType)}
                  {' · '}
                  <span>
                    <Spend chain={chain} of={spends?.find(({ vout }) => vout === n)} />
                  </span>
                </span>
              </span>
              <Amount satoshi={value} chain={chain} />
            </li>
          ))}
        </ol>
      </Card>
    </div>
  )
}

/** Keeps its line while the state is loading. */
function Spend({ chain, of }: { readonly chain: CoinChain; readonly of: Outspend | undefined }) {
  if (of === undefined) return '\u00a0'
  if (of.state !== 'spent') return of.state === 'unspent' ? 'Unspent' : 'Cannot be spent'
  if (of.spender === null) return 'Spent'
  const { txid, vin } = of.spender
  return (
    <>
      Spent in{' '}
      <Link href={`/coins/${chain}/tx/${txid}`}>
        {txid.slice(0, 8)}…:{vin}
      </Link>
    </>
  )
}

function Party({ chain, address }: { readonly chain: CoinChain; readonly address: string | null }) {
  if (address === null) return <span className={styles.from}>Script or data without address</span>
  return <Hash text={address} what="address" href={`/coins/${chain}/address/${address}`} />
}

const MAX_DATA = 200

/** What an output carries: as text if it is readable, otherwise in hexadecimal. */
function Data({ pushes }: { readonly pushes: readonly string[] }) {
  const hex = pushes.join(' ')
  const text = pushes
    .flatMap((push) => (push.match(/../g) ?? []).map((byte) => String.fromCharCode(Number.parseInt(byte, 16))))
    .join('')
  const shown = /^[\x20-\x7e]+$/.test(text) ? text : hex
  return <span className={styles.data}>Data: {shown.length > MAX_DATA ? `${shown.slice(0, MAX_DATA)}…` : shown}</span>
}
