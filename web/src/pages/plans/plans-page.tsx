/** What each plan includes, what the account uses, and how to change the plan. */
import { Link } from 'wouter'
import { useAbout } from '../../api/use-about.ts'
import { type KeyFamily, useKeys } from '../../api/use-keys.ts'
import { usePlans } from '../../api/use-plans.ts'
import { useSession } from '../../api/use-session.ts'
import { buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Stack } from '../../components/columns.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { PageSkeleton, SkeletonRows } from '../../components/skeleton.tsx'
import { TonePill } from '../../components/tone-pill.tsx'
import { UsageMeter } from '../account/usage-meter.tsx'
import { coinPlans, controlPlans, type PlanText } from './plan-texts.ts'
import styles from './plans-page.module.css'

export function PlansPage() {
  const plans = usePlans()
  const session = useSession()
  const user = session.data
  const isSignedIn = user != null
  // Shown together, because usage that arrives later would move the plans below it.
  const usages = [useKeys('api-keys', isSignedIn), useKeys('utxo-keys', isSignedIn)]
  const isReady = session.isFetched && (!isSignedIn || usages.every(({ isFetched }) => isFetched))
  return (
    <>
      <PageHeader title="Plans" lead="What each plan includes. An account has one plan for each API." />
      <QueryView query={plans} isReady={isReady} loading={<PageSkeleton />}>
        {(data) => (
          <Stack>
            <ApiPlans
              title="Contract control"
              path="/v1"
              family="api-keys"
              plans={controlPlans(data)}
              current={user?.plan}
            />
            <ApiPlans
              title="Coins"
              path="/api/v2"
              family="utxo-keys"
              plans={coinPlans(data)}
              current={user?.utxoPlan}
            />
            <ChangePlan isSignedIn={isSignedIn} />
          </Stack>
        )}
      </QueryView>
    </>
  )
}

type ApiPlansProps = {
  readonly title: string
  readonly path: string
  readonly family: KeyFamily
  readonly plans: readonly PlanText[]
  /** The plan of the signed-in account. */
  readonly current: string | undefined
}

function ApiPlans({ title, path, family, plans, current }: ApiPlansProps) {
  return (
    <Card title={title} aside={<code>{path}</code>} flush>
      {plans.find(({ id }) => id === current)?.hasApi === true && <Usage family={family} />}
      <ul className={styles.plans}>
        {plans.map(({ id, name, items }) => (
          <li key={id} data-plan={id}>
            <h3>
              {name} {id === current && <TonePill tone="green">Your plan</TonePill>}
            </h3>
            <dl>
              {items.map((item) => (
                <div key={item.name}>
                  <dt>{item.name}</dt>
                  <dd>{item.value}</dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Usage({ family }: { readonly family: KeyFamily }) {
  const keys = useKeys(family)
  return (
    <QueryView query={keys} loading={<SkeletonRows count={1} />}>
      {({ usage, limits }) => <UsageMeter usage={usage} limits={limits} />}
    </QueryView>
  )
}

function ChangePlan({ isSignedIn }: { readonly isSignedIn: boolean }) {
  const contact = useAbout().data?.contact
  return (
    <Card title="Change your plan">
      <div className={styles.change}>
        <p>
          The operator of this service changes plans. A change applies at once, and your keys stay valid.
          {contact === null && ' Ask the operator to change yours.'}
        </p>
        {contact != null && (
          <a className={buttonClass('primary')} href={contact}>
            Contact the operator
          </a>
        )}
        {!isSignedIn && (
          <Link className={buttonClass()} href="/sign-in?next=%2Fplans">
            Sign in to see your plan
          </Link>
        )}
      </div>
    </Card>
  )
}
