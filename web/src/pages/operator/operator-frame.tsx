import type { ReactNode } from 'react'
import { Card } from '../../components/card.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { AccountFrame } from '../account/account-frame.tsx'

type OperatorFrameProps = { readonly title: string; readonly lead: string; readonly children: ReactNode }

/** The account's frame, for operators alone. The service refuses everyone else by itself; this says so kindly. */
export function OperatorFrame({ title, lead, children }: OperatorFrameProps) {
  return (
    <AccountFrame>
      {({ operator }) => (
        <>
          <PageHeader title={title} lead={lead} />
          {operator ? (
            children
          ) : (
            <Card>
              <StateMessage title="For operators of this service" icon="ownership">
                Whoever runs it makes an operator with gatewatch account create --operator.
              </StateMessage>
            </Card>
          )}
        </>
      )}
    </AccountFrame>
  )
}
