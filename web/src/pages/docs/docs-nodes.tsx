/** Shows the Markdown of guides and descriptions. */

import { createElement, type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { DocsNode } from '../../../../scripts/docs-modules.mjs'
import { CodeBlock } from '../../components/code-block.tsx'
import styles from './docs.module.css'

const LANGUAGE_NAMES: Readonly<Record<string, string>> = {
  sh: 'Shell',
  js: 'JavaScript',
  ts: 'TypeScript',
  python: 'Python',
  go: 'Go',
  java: 'Java',
  php: 'PHP',
  ruby: 'Ruby',
  json: 'JSON',
  http: 'HTTP',
  html: 'HTML',
  md: 'Markdown',
}

export type Tab = readonly [language: string, text: string]

/** Blocks of code in several languages, of which one is shown. */
export function CodeTabs({ tabs }: { readonly tabs: readonly Tab[] }) {
  const [chosen, choose] = useState(0)
  const shown = tabs[chosen] ?? tabs[0]
  if (shown === undefined) return null
  const name = ([language]: Tab) => LANGUAGE_NAMES[language] ?? language
  if (tabs.length === 1) return <CodeBlock title={name(shown) || 'Text'} text={shown[1]} />
  return (
    <div className={styles.codes}>
      <fieldset className={styles.tabs} aria-label="Language">
        {tabs.map((tab, index) => (
          <button key={tab[0]} type="button" aria-pressed={index === chosen} onClick={() => choose(index)}>
            {name(tab)}
          </button>
        ))}
      </fieldset>
      <CodeBlock title={name(shown)} text={shown[1]} />
    </div>
  )
}

function nodeElement(node: DocsNode, key: number): ReactNode {
  if (typeof node === 'string') return node
  const [tag, attributes, ...children] = node
  if (tag === 'codes') return <CodeTabs key={key} tabs={children as readonly unknown[] as readonly Tab[]} />
  const content = children.map(nodeElement)
  if (tag === 'a' && attributes.href?.startsWith('/docs'))
    return (
      <Link key={key} href={attributes.href}>
        {content}
      </Link>
    )
  if (tag === 'table')
    return (
      // A wide table scrolls by itself, also with the keyboard.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region needs the focus
      <section key={key} className={styles.wide} tabIndex={0} aria-label="Table">
        <table>{content}</table>
      </section>
    )
  return createElement(tag, { key, ...attributes }, ...content)
}

export const DocsNodes = ({ nodes }: { readonly nodes: readonly DocsNode[] }) => (
  <div className={styles.prose}>{nodes.map(nodeElement)}</div>
)
