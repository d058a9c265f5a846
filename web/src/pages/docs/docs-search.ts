/** Finds guides, their sections and operations by words. */
import type { DocsGroup, DocsGuide, DocsNode } from '../../../../scripts/docs-modules.mjs'

export type DocsResult = { readonly title: string; readonly detail: string; readonly href: string }

type Entry = DocsResult & { readonly title: string; readonly words: string }

const textOf = (node: DocsNode): string => {
  if (typeof node === 'string') return node
  const [, , ...children] = node
  return children.map(textOf).join(' ')
}

export const guideHref = (slug: string): string => (slug === 'start' ? '/docs' : `/docs/${slug}`)

export const groupHref = (slug: string): string => `/docs/reference/${slug}`

/** One entry for each guide and each of its sections: a section runs to the next heading. */
function guideEntries({ slug, title, nodes }: DocsGuide): Entry[] {
  const entries: { title: string; href: string; words: string[] }[] = [{ title, href: guideHref(slug), words: [] }]
  for (const node of nodes) {
    const text = textOf(node)
    if (typeof node !== 'string' && node[0] === 'h2')
      entries.push({ title: text, href: `${guideHref(slug)}#${node[1].id ?? ''}`, words: [] })
    entries.at(-1)?.words.push(text)
  }
  return entries.map(({ title: section, href, words }) => ({
    title: section,
    detail: section === title ? 'Guide' : title,
    href,
    words: `${title} ${section} ${words.join(' ')}`.toLowerCase(),
  }))
}

const groupEntries = ({ slug, name, operations }: DocsGroup): Entry[] =>
  operations.map(({ id, method, path, summary, parameters }) => ({
    title: `${method} ${path}`,
    detail: summary,
    href: `${groupHref(slug)}#${id}`,
    words:
      `${method} ${path} ${summary} ${name} ${parameters.map((parameter) => parameter.name).join(' ')}`.toLowerCase(),
  }))

/** Returns a search over all docs. Every word must occur; an entry whose title has them comes first. */
export function createDocsSearch(guides: readonly DocsGuide[], groups: readonly DocsGroup[]) {
  const entries = [...guides.flatMap(guideEntries), ...groups.flatMap(groupEntries)]
  return (query: string): readonly DocsResult[] => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean)
    if (words.length === 0) return []
    const score = ({ title }: Entry) => words.filter((word) => title.toLowerCase().includes(word)).length
    return entries
      .filter((entry) => words.every((word) => entry.words.includes(word)))
      .toSorted((a, b) => score(b) - score(a))
      .slice(0, 20)
  }
}
