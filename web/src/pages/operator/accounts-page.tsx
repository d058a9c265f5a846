/** Everyone with an account, and their plans. */
import { useState } from 'react'
import { useAccounts } from '../../api/use-operator.ts'
import { Card } from '../../components/card.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { TextField } from '../../components/field.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { TonePill } from '../../components/tone-pill.tsx'
import { plural } from '../../text/numbers.ts'
import { OperatorFrame } from './operator-frame.tsx'
import { PlanChoice } from './plan-choice.tsx'

export function AccountsPage() {
  return (
    <OperatorFrame title="Accounts" lead="Who may use the service, and how much. A change holds at once.">
      <AccountList />
    </OperatorFrame>
  )
}

function AccountList() {
  const [search, setSearch] = useState('')
  const accounts = useAccounts(search.trim())
  return (
    <Card
      title={accounts.data === undefined ? 'Accounts' : plural(accounts.data.total, 'account')}
      aside={
        <TextField
          label="Find by e-mail"
          type="search"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      }
      flush
    >
      <QueryView query={accounts}>
        {({ items }) =>
          items.length === 0 ? (
            <StateMessage title="No such account" icon="search">
              No address holds “{search}”.
            </StateMessage>
          ) : (
            <DataTable
              caption="Accounts"
              rows={items}
              keyOf={({ id }) => id}
              columns={[
                { title: 'E-mail', cell: ({ email }) => email },
                { title: 'Since', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
                { title: 'Contract control', cell: (account) => <PlanChoice account={account} field="plan" /> },
                { title: 'Coins', cell: (account) => <PlanChoice account={account} field="utxoPlan" /> },
                { title: '', cell: ({ operator }) => operator && <TonePill tone="grey">Operator</TonePill> },
              ]}
            />
          )
        }
      </QueryView>
    </Card>
  )
}
