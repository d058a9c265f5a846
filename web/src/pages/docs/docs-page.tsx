/** The API docs: guides, and the reference of all operations that programs of others may use. */

import groups from 'virtual:api-reference'
import guides from 'virtual:guides'
import { type ReactNode, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { Link, useLocation, useParams } from 'wouter'
import { TextField } from '../../components/field.tsx'
import { Nav } from '../../components/nav.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { NotFoundPage } from '../not-found-page.tsx'
import styles from './docs.module.css'
import { DocsNodes } from './docs-nodes.tsx'
import { createDocsSearch, groupHref, guideHref } from './docs-search.ts'
import { Operation } from './operation.tsx'

export function GuidePage() {
  const { guide: slug = 'start' } = useParams()
  const at = guides.findIndex((candidate) => candidate.slug === slug)
  const [guide, next] = [guides[at], guides[at + 1]]
  if (guide === undefined) return <NotFoundPage />
  return (
    <DocsFrame key={slug} title={guide.title}>
      <DocsNodes nodes={guide.nodes} />
      {next !== undefined && (
        <p className={styles.next}>
          Next: <Link href={guideHref(next.slug)}>{next.title}</Link>
        </p>
      )}
    </DocsFrame>
  )
}

export function ReferencePage() {
  const { group: slug } = useParams()
  const group = groups.find((candidate) => candidate.slug === slug)
  if (group === undefined) return <NotFoundPage />
  return (
    <DocsFrame key={slug} title={group.name} lead={group.text}>
      <ul className={styles.contents}>
        {group.operations.map(({ id, method, path, summary }) => (
          <li key={id}>
            <a href={`#${id}`}>
              <span className={styles.method}>{method}</span> <code>{path}</code>
            </a>
            <span>{summary}</span>
          </li>
        ))}
      </ul>
      {group.operations.map((operation) => (
        <Operation key={operation.id} operation={operation} types={group.types} />
      ))}
    </DocsFrame>
  )
}

type FrameProps = { readonly title: string; readonly lead?: string; readonly children: ReactNode }

function DocsFrame({ title, lead, children }: FrameProps) {
  // The content is rendered after the browser looked for the element of the address.
  useEffect(() => {
    document.getElementById(window.location.hash.slice(1))?.scrollIntoView()
  }, [])
  return (
    <div className={styles.frame}>
      <aside className={styles.side}>
        <Contents />
      </aside>
      <article className={styles.main}>
        <PageHeader title={title} lead={lead} />
        {children}
      </article>
    </div>
  )
}

const wide = window.matchMedia('(min-width: 60rem)')
const onWidth = (notify: () => void) => {
  wide.addEventListener('change', notify)
  return () => wide.removeEventListener('change', notify)
}

function Contents() {
  const [path] = useLocation()
  const [query, setQuery] = useState('')
  const isWide = useSyncExternalStore(onWidth, () => wide.matches)
  const search = useMemo(() => createDocsSearch(guides, groups), [])
  const results = search(query)
  const link = (href: string, text: string) => (
    <Link key={href} href={href} aria-current={path === href ? 'page' : undefined}>
      {text}
    </Link>
  )
  return (
    <>
      <TextField
        label="Search the docs"
        type="search"
        value={query}
        placeholder="signature, utxos, 429 …"
        onChange={(event) => setQuery(event.target.value)}
      />
      {query.trim() !== '' && (
        <ul className={styles.results} aria-label="Results">
          {results.length === 0 && <li>Nothing found.</li>}
          {results.map(({ title, detail, href }) => (
            <li key={href}>
              {/* A plain link, because the browser scrolls to the section. */}
              <a href={href}>{title}</a>
              <span>{detail}</span>
            </li>
          ))}
        </ul>
      )}
      <details className={styles.menu} open={isWide}>
        <summary>All pages</summary>
        <Nav className={styles.nav} aria-label="Guides">
          <h2>Guides</h2>
          {guides.map(({ slug, title }) => link(guideHref(slug), title))}
        </Nav>
        <Nav className={styles.nav} aria-label="Reference">
          <h2>Reference</h2>
          {groups.map(({ slug, name }) => link(groupHref(slug), name))}
          <a href="/openapi.json">OpenAPI description</a>
        </Nav>
      </details>
    </>
  )
}
