/** Keys of both interfaces, with what they used and may use. */
import { PageHeader } from '../../components/page-header.tsx'
import { AccountFrame } from './account-frame.tsx'
import { KeyFamilyCard } from './key-family-card.tsx'
import styles from './stack.module.css'

export function KeysPage() {
  return (
    <AccountFrame>
      {() => (
        <>
          <PageHeader title="API keys" lead="A key is shown whole once, when it is made. Whoever has it can use it." />
          <div className={styles.stack}>
            <KeyFamilyCard
              family="api-keys"
              title="Contract control"
              path="/v1"
              exampleOf={(key) =>
                `curl -H 'authorization: Bearer ${key}' '${window.location.origin}/v1/events?limit=5'`
              }
            />
            <KeyFamilyCard
              family="utxo-keys"
              title="Coins"
              path="/api/v2"
              exampleOf={(key) => `curl -H 'x-api-key: ${key}' '${window.location.origin}/api/v2/fees?chain=btc'`}
            />
          </div>
        </>
      )}
    </AccountFrame>
  )
}
