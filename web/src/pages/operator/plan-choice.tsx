import { type OperatorAccount, useChangePlans } from '../../api/use-operator.ts'
import styles from './plan-choice.module.css'

const PLANS = { plan: ['free', 'team'], utxoPlan: ['basic', 'pro', 'enterprise'] } as const
const NAMES = { plan: 'Contract control', utxoPlan: 'Coins' } as const

type PlanChoiceProps = { readonly account: OperatorAccount; readonly field: keyof typeof PLANS }

/** The plan of one interface, changed by choosing another. */
export function PlanChoice({ account, field }: PlanChoiceProps) {
  const change = useChangePlans(account.id)
  return (
    <>
      <select
        className={styles.choice}
        aria-label={`${NAMES[field]} plan of ${account.email}`}
        value={change.isPending ? (change.variables[field] ?? account[field]) : account[field]}
        disabled={change.isPending}
        onChange={(event) => change.mutate({ [field]: event.target.value })}
      >
        {PLANS[field].map((plan) => (
          <option key={plan}>{plan}</option>
        ))}
      </select>
      {change.error !== null && (
        <span className={styles.fault} role="alert">
          {change.error.message}
        </span>
      )}
    </>
  )
}
