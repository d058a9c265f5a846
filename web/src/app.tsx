/** Addresses → pages. Each page is a file of its own, loaded when it is opened. */
import { type ComponentType, lazy, Suspense } from 'react'
import { Route, Switch } from 'wouter'
import { PageSkeleton } from './components/skeleton.tsx'
import { Shell } from './layout/shell.tsx'
import { FeedPage } from './pages/feed/feed-page.tsx'
import { NotFoundPage } from './pages/not-found-page.tsx'

/** A page by the name its file exports it under: there are no default exports here. */
const page = <Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) =>
  lazy(async () => ({ default: (await load())[name] }))

const PAGES: readonly (readonly [path: string, page: ComponentType])[] = [
  ['/', FeedPage],
  ['/contracts/:chain/:address', page(() => import('./pages/contract/contract-page.tsx'), 'ContractPage')],
  ['/protocols', page(() => import('./pages/protocols/protocols-page.tsx'), 'ProtocolsPage')],
  ['/protocols/:slug', page(() => import('./pages/protocols/protocol-page.tsx'), 'ProtocolPage')],
  ['/search', page(() => import('./pages/search/search-page.tsx'), 'SearchPage')],
  ['/status', page(() => import('./pages/status/status-page.tsx'), 'StatusPage')],
  ['/badges', page(() => import('./pages/badges/badges-page.tsx'), 'BadgesPage')],
]

export function App() {
  return (
    <Shell>
      <Suspense fallback={<PageSkeleton />}>
        <Switch>
          {PAGES.map(([path, Page]) => (
            <Route key={path} path={path} component={Page} />
          ))}
          <Route component={NotFoundPage} />
        </Switch>
      </Suspense>
    </Shell>
  )
}
