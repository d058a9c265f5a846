/** The API keys of the account, with their usage and limits. */
import { useKeys } from '../../api/use-keys.ts'
import { Stack } from '../../components/columns.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { AccountFrame } from './account-frame.tsx'
import { ApiKeysCard } from './api-keys-card.tsx'

export const KeysPage = () => <AccountFrame>{() => <Keys />}</AccountFrame>

function Keys() {
  // Shown together, because keys that arrive later would move the card below them.
  const isReady = [useKeys('api-keys'), useKeys('utxo-keys')].every(({ isFetched }) => isFetched)
  return (
    <>
      <PageHeader title="API keys" lead="A key is shown once, when you create it. Keep it secret." />
      {!isReady ? (
        <SkeletonRows />
      ) : (
        <Stack>
          <ApiKeysCard
            family="api-keys"
            title="Contract control"
            path="/v1"
            exampleOf={(key) => `curl -H 'authorization: Bearer ${key}' '${window.location.origin}/v1/events?limit=5'`}
          />
          <ApiKeysCard
            family="utxo-keys"
            title="Coins"
            path="/api/v2"
            exampleOf={(key) => `curl -H 'x-api-key: ${key}' '${window.location.origin}/api/v2/fees?chain=btc'`}
          />
        </Stack>
      )}
    </>
  )
}
