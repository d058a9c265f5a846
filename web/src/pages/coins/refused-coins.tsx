import type { ReactNode } from 'react'
import type { ApiFailure } from '../../api/api-failure.ts'
import { StateMessage } from '../../components/state-message.tsx'

const TITLES: Readonly<Record<string, string>> = {
  INVALID_ADDRESS: 'This is not an address of this chain',
  INVALID_TXID: 'This is not a transaction id',
  INVALID_BLOCK: 'This is neither a height nor a hash',
  TX_NOT_FOUND: 'No such transaction',
  BLOCK_NOT_FOUND: 'No such block',
  CHAIN_DISABLED: 'This chain is not switched on',
  NODE_NOT_SYNCED: 'The index is still being built',
}

/** Refusals that are nobody's fault, in the words of the service and without alarm. */
export function refusedCoins({ code, message }: ApiFailure): ReactNode {
  const title = TITLES[code]
  return title === undefined ? undefined : (
    <StateMessage title={title} icon="search">
      {message}
    </StateMessage>
  )
}
