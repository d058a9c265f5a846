/** The routes of the app. Each page except the first loads its script when it is opened. */
import { type ComponentType, lazy, Suspense } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { PageBoundary } from './components/page-boundary.tsx'
import { PageSkeleton } from './components/skeleton.tsx'
import { Shell } from './layout/shell.tsx'
import { HomePage } from './pages/home/home-page.tsx'
import { NotFoundPage } from './pages/not-found-page.tsx'

/** Loads a page by its named export. */
const page = <Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) =>
  lazy(async () => ({ default: (await load())[name] }))

const PAGES: readonly (readonly [path: string, page: ComponentType])[] = [
  ['/', HomePage],
  ['/feed', page(() => import('./pages/feed/feed-page.tsx'), 'FeedPage')],
  [
    '/transactions/:chain/:hash',
    page(() => import('./pages/transaction/control-transaction-page.tsx'), 'ControlTransactionPage'),
  ],
  ['/contracts/:chain/:address', page(() => import('./pages/contract/contract-page.tsx'), 'ContractPage')],
  ['/pending', page(() => import('./pages/pending/pending-page.tsx'), 'PendingPage')],
  ['/protocols', page(() => import('./pages/protocols/protocols-page.tsx'), 'ProtocolsPage')],
  ['/protocols/:slug', page(() => import('./pages/protocols/protocol-page.tsx'), 'ProtocolPage')],
  ['/search', page(() => import('./pages/search/search-page.tsx'), 'SearchPage')],
  ['/status', page(() => import('./pages/status/status-page.tsx'), 'StatusPage')],
  ['/plans', page(() => import('./pages/plans/plans-page.tsx'), 'PlansPage')],
  ['/badges', page(() => import('./pages/badges/badges-page.tsx'), 'BadgesPage')],
  ['/docs', page(() => import('./pages/docs/docs-page.tsx'), 'GuidePage')],
  ['/docs/:guide', page(() => import('./pages/docs/docs-page.tsx'), 'GuidePage')],
  ['/docs/reference/:group', page(() => import('./pages/docs/docs-page.tsx'), 'ReferencePage')],
  ['/coins', page(() => import('./pages/coins/coins-page.tsx'), 'CoinsPage')],
  ['/coins/:chain', page(() => import('./pages/coins/chain-page.tsx'), 'ChainPage')],
  ['/coins/:chain/fees', page(() => import('./pages/coins/fees-page.tsx'), 'FeesPage')],
  ['/coins/:chain/simulate', page(() => import('./pages/coins/simulate-page.tsx'), 'SimulatePage')],
  ['/coins/:chain/address/:address', page(() => import('./pages/coins/address-page.tsx'), 'AddressPage')],
  ['/coins/:chain/tx/:txid', page(() => import('./pages/coins/transaction-page.tsx'), 'TransactionPage')],
  ['/coins/:chain/block/:block', page(() => import('./pages/coins/block-page.tsx'), 'BlockPage')],
  ['/sign-in', page(() => import('./pages/account/sign-in-page.tsx'), 'SignInPage')],
  ['/sign-up', page(() => import('./pages/account/sign-up-page.tsx'), 'SignUpPage')],
  ['/reset-password', page(() => import('./pages/account/reset-password-page.tsx'), 'ResetPasswordPage')],
  ['/verify-email', page(() => import('./pages/account/verify-email-page.tsx'), 'VerifyEmailPage')],
  ['/account', page(() => import('./pages/account/keys-page.tsx'), 'KeysPage')],
  ['/account/alerts', page(() => import('./pages/account/alerts-page.tsx'), 'AlertsPage')],
  ['/account/coins', page(() => import('./pages/account/coin-alerts-page.tsx'), 'CoinAlertsPage')],
  ['/account/channels', page(() => import('./pages/account/channels-page.tsx'), 'ChannelsPage')],
  ['/account/deliveries', page(() => import('./pages/account/deliveries-page.tsx'), 'DeliveriesPage')],
  ['/account/traffic', page(() => import('./pages/account/traffic-page.tsx'), 'TrafficPage')],
  ['/account/security', page(() => import('./pages/account/security-page.tsx'), 'SecurityPage')],
  ['/operator', page(() => import('./pages/operator/accounts-page.tsx'), 'AccountsPage')],
  ['/operator/chains', page(() => import('./pages/operator/chains-page.tsx'), 'ChainsPage')],
  ['/operator/changes', page(() => import('./pages/operator/changes-page.tsx'), 'ChangesPage')],
  ['/operator/registry', page(() => import('./pages/operator/registry-page.tsx'), 'RegistryPage')],
]

export function App() {
  const [path] = useLocation()
  return (
    <Shell>
      <PageBoundary key={path}>
        <Suspense fallback={<PageSkeleton />}>
          <Switch>
            {PAGES.map(([route, Page]) => (
              <Route key={route} path={route} component={Page} />
            ))}
            <Route component={NotFoundPage} />
          </Switch>
        </Suspense>
      </PageBoundary>
    </Shell>
  )
}
