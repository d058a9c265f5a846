import type { ReactNode } from 'react'
import type { ApiError } from '../../api/api-error.ts'
import { StateMessage } from '../../components/state-message.tsx'

const TITLES: Readonly<Record<string, string>> = {
  INVALID_ADDRESS: 'This is not an address of this chain',
  INVALID_TXID: 'This is not a transaction id',
  INVALID_BLOCK: 'This is not a block height or hash',
  TX_NOT_FOUND: 'Transaction not found',
  BLOCK_NOT_FOUND: 'Block not found',
  CHAIN_DISABLED: 'This chain is not enabled',
  NODE_NOT_SYNCED: 'The index is still being built',
}

/** A neutral message for errors caused by the address that the visitor entered. Undefined for other errors. */
export function coinErrorView({ code, message }: ApiError): ReactNode {
  const title = TITLES[code]
  return title === undefined ? undefined : (
    <StateMessage title={title} icon="search">
      {message}
    </StateMessage>
  )
}
