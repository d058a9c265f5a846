/** All accounts and their plans. */
import { type OperatorAccount, useAccounts, useChangePlans } from '../../api/use-operator.ts'
import { Card } from '../../components/card.tsx'
import { DataTable } from '../../components/data-table.tsx'
import fieldStyles from '../../components/field.module.css'
import { TextField } from '../../components/field.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { TonePill } from '../../components/tone-pill.tsx'
import { plural } from '../../text/amounts.ts'
import { codeName } from '../../text/names.ts'
import layout from '../account/layout.module.css'
import styles from './accounts-page.module.css'
import { OperatorFrame } from './operator-frame.tsx'
import { countText, useSearchText } from './use-search-text.ts'

export function AccountsPage() {
  return (
    <OperatorFrame title="Accounts" lead="All accounts and their plans. A change of plan applies immediately.">
      <AccountList />
    </OperatorFrame>
  )
}

function AccountList() {
  const [search, setSearch] = useSearchText()
  const accounts = useAccounts(search.trim())
  return (
    <Card
      title={accounts.data === undefined ? 'Accounts' : countText(accounts.data, 'account', search)}
      aside={
        <TextField
          label="Search by e-mail"
          type="search"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      }
      flush
    >
      <QueryView query={accounts}>
        {({ items, total }) =>
          items.length === 0 ? (
            <StateMessage title="No accounts found" icon="search">
              No e-mail address contains “{search}”.
            </StateMessage>
          ) : (
            <>
              <DataTable
                caption="Accounts"
                isStacked
                rows={items}
                keyOf={({ id }) => id}
                columns={[
                  { title: 'E-mail', cell: ({ email }) => email },
                  { title: 'Created', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
                  { title: 'Contract control', cell: (account) => <PlanChoice account={account} field="plan" /> },
                  { title: 'Coins', cell: (account) => <PlanChoice account={account} field="utxoPlan" /> },
                  { title: 'One-time codes', cell: ({ twoFactor }) => (twoFactor ? 'On' : 'Off') },
                  { title: '', cell: ({ operator }) => operator && <TonePill tone="grey">Operator</TonePill> },
                ]}
              />
              {search === '' && total > items.length && (
                <p className={`${layout.bordered} ${layout.faint}`}>
                  The first {plural(items.length, 'account')} are shown. Search to find others.
                </p>
              )}
            </>
          )
        }
      </QueryView>
    </Card>
  )
}

const PLANS = { plan: ['free', 'team'], utxoPlan: ['basic', 'pro', 'enterprise'] } as const
const PLAN_TITLES = { plan: 'Contract control', utxoPlan: 'Coins' } as const

type PlanChoiceProps = { readonly account: OperatorAccount; readonly field: keyof typeof PLANS }

/** The plan of an account for one API. */
function PlanChoice({ account, field }: PlanChoiceProps) {
  const change = useChangePlans(account.id)
  return (
    <>
      <select
        className={`${fieldStyles.control} ${styles.choice}`}
        aria-label={`${PLAN_TITLES[field]} plan of ${account.email}`}
        value={change.isPending ? (change.variables[field] ?? account[field]) : account[field]}
        disabled={change.isPending}
        onChange={(event) => change.mutate({ [field]: event.target.value })}
      >
        {PLANS[field].map((plan) => (
          <option key={plan} value={plan}>
            {codeName(plan)}
          </option>
        ))}
      </select>
      {change.error !== null && (
        <span className={styles.error} role="alert">
          {change.error.message}
        </span>
      )}
    </>
  )
}
