import type { ReactNode } from 'react'
import type { ApiError } from '../../api/api-error.ts'
import { Card } from '../../components/card.tsx'
import { Stack } from '../../components/columns.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import type { CoinChain } from '../../text/names.ts'
import { LookupForm } from './lookup-form.tsx'

/** Title and text by the code of the error. Without a text the message of the service is shown. */
const ERRORS: Readonly<Record<string, { readonly title: string; readonly text?: string }>> = {
  INVALID_ADDRESS: { title: 'Address not recognized' },
  INVALID_TXID: { title: 'This is not a transaction id' },
  INVALID_BLOCK: { title: 'This is not a block height or hash' },
  TX_NOT_FOUND: {
    title: 'Transaction not found',
    text: 'No block and no unconfirmed transaction has this id. It may be on another chain.',
  },
  BLOCK_NOT_FOUND: { title: 'Block not found', text: 'This chain has no block with this height or hash.' },
  CHAIN_DISABLED: { title: 'This chain is not enabled' },
  NODE_NOT_SYNCED: { title: 'The index is still being built' },
}

/** A neutral message for errors caused by the address that the visitor entered. Undefined for other errors. */
export function coinErrorView({ code, message }: ApiError, action?: ReactNode): ReactNode {
  const error = ERRORS[code]
  return error === undefined ? undefined : (
    <StateMessage title={error.title} icon="search" action={action}>
      {error.text ?? message}
    </StateMessage>
  )
}

/** The same for the subject of a page, with a form to look up another one. */
export const coinPageError =
  (chain: CoinChain, actionOf?: (error: ApiError) => ReactNode) =>
  (error: ApiError): ReactNode => {
    const view = coinErrorView(error, actionOf?.(error))
    return view === undefined ? undefined : (
      <Stack>
        <Card>{view}</Card>
        <Card>
          <LookupForm chain={chain} />
        </Card>
      </Stack>
    )
  }
