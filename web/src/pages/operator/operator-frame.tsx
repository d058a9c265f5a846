import type { ReactNode } from 'react'
import { Card } from '../../components/card.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { AccountFrame } from '../account/account-frame.tsx'

type OperatorFrameProps = { readonly title: string; readonly lead: string; readonly children: ReactNode }

/** The account frame for operator pages. The service enforces the permission; this page only explains it. */
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
              <StateMessage title="Operators only" icon="ownership">
                Your account does not have operator rights.
              </StateMessage>
            </Card>
          )}
        </>
      )}
    </AccountFrame>
  )
}
