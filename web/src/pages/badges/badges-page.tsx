/** Builds a badge for a contract or protocol, with the Markdown and HTML that embed it. */
import { Link, useLocation, useSearch } from 'wouter'
import { useAbout } from '../../api/use-about.ts'
import { useProtocols } from '../../api/use-protocols.ts'
import { Card } from '../../components/card.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import styles from './badges-page.module.css'

const ADDRESS = /^0x[0-9a-f]{40}$/i

export function BadgesPage() {
  const given = new URLSearchParams(useSearch())
  const [, navigate] = useLocation()
  const chains = useAbout().data?.chains ?? []
  const kind = given.get('protocol') === null ? 'contract' : 'protocol'
  const chain = given.get('chain') ?? 'ethereum'
  const address = given.get('address') ?? ''
  const protocol = given.get('protocol') ?? ''
  const show = (parts: Readonly<Record<string, string>>) =>
    navigate(`/badges?${new URLSearchParams(parts)}`, { replace: true })
  const badge = badgeOf({ kind, chain, address: address.trim(), protocol: protocol.trim() })
  return (
    <>
      <PageHeader
        title="Badges"
        lead="Show on your own site who controls a contract. The badge updates when control changes."
      />
      <div className={styles.grid}>
        <Card>
          <div className={styles.form}>
            <SelectField
              label="Badge for"
              value={kind}
              choices={[
                { value: 'contract', text: 'Contract' },
                { value: 'protocol', text: 'Protocol (weakest contract)' },
              ]}
              onChoose={(next) => show(next === 'protocol' ? { protocol } : { chain, address })}
            />
            {kind === 'contract' ? (
              <>
                <SelectField
                  label="Chain"
                  value={chain}
                  choices={chains.map(({ slug, name }) => ({ value: slug, text: name }))}
                  onChoose={(next) => show({ chain: next, address })}
                />
                <TextField
                  label="Contract address"
                  value={address}
                  placeholder="0x…"
                  spellCheck={false}
                  error={
                    address === '' || ADDRESS.test(address.trim())
                      ? undefined
                      : 'Enter 0x and 40 hexadecimal characters.'
                  }
                  onChange={(event) => show({ chain, address: event.target.value })}
                />
              </>
            ) : (
              <TextField
                label="Protocol"
                value={protocol}
                placeholder="aave"
                hint="Name or slug"
                onChange={(event) => show({ protocol: event.target.value })}
              />
            )}
          </div>
        </Card>
        <Card title="Preview">
          {badge === undefined ? (
            <>
              <StateMessage title={kind === 'contract' ? 'Enter an address' : 'Enter a protocol'} icon="upgrade">
                The badge and the code that embeds it appear here.
              </StateMessage>
              <Examples />
            </>
          ) : (
            <Preview badge={badge} />
          )}
        </Card>
      </div>
    </>
  )
}

const EXAMPLES = 4

/** The badges of some protocols. Each leads to the code that embeds it. */
function Examples() {
  const protocols = useProtocols().data ?? []
  return (
    <ul className={styles.examples} aria-label="Examples">
      {protocols.slice(0, EXAMPLES).map(({ protocol, slug }) => (
        <li key={slug}>
          <Link href={`/badges?${new URLSearchParams({ protocol: slug })}`}>
            <img
              src={imageOf({ kind: 'protocol', slug }, 'light')}
              width={250}
              height={54}
              alt={`Badge of ${protocol}`}
            />
          </Link>
        </li>
      ))}
    </ul>
  )
}

function Preview({ badge }: { readonly badge: BadgeOf }) {
  const { origin } = window.location
  return (
    <>
      <div className={styles.previews}>
        {(['light', 'dark'] as const).map((theme) => (
          <figure key={theme} className={`${styles.preview} ${styles[theme]}`}>
            <img src={imageOf(badge, theme)} width={250} height={54} alt={`Badge, ${theme} theme`} />
            <figcaption>{theme === 'light' ? 'Light' : 'Dark'}</figcaption>
          </figure>
        ))}
      </div>
      <div className={styles.codes}>
        <CodeBlock title="Markdown" text={markdownOf(badge, origin)} />
        <CodeBlock title="HTML" text={htmlOf(badge, origin)} />
      </div>
    </>
  )
}

type Form = { readonly kind: string; readonly chain: string; readonly address: string; readonly protocol: string }

/** Undefined until the form is complete. */
function badgeOf({ kind, chain, address, protocol }: Form): BadgeOf | undefined {
  if (kind === 'protocol') return protocol === '' ? undefined : { kind: 'protocol', slug: protocol }
  return ADDRESS.test(address) ? { kind: 'contract', chain, address } : undefined
}

type BadgeOf =
  | { readonly kind: 'contract'; readonly chain: string; readonly address: string }
  | { readonly kind: 'protocol'; readonly slug: string }

const pathOf = (badge: BadgeOf): string =>
  badge.kind === 'contract'
    ? `/badge/${badge.chain}/${badge.address}.svg`
    : `/badge/protocol/${encodeURIComponent(badge.slug)}.svg`

const pageOf = (badge: BadgeOf): string =>
  badge.kind === 'contract'
    ? `/contracts/${badge.chain}/${badge.address}`
    : `/protocols/${encodeURIComponent(badge.slug)}`

const imageOf = (badge: BadgeOf, theme: 'light' | 'dark'): string =>
  theme === 'light' ? pathOf(badge) : `${pathOf(badge)}?theme=dark`

const ALT = 'Control status by Gatewatch'

const markdownOf = (badge: BadgeOf, origin: string): string =>
  `[![${ALT}](${origin}${imageOf(badge, 'light')})](${origin}${pageOf(badge)})`

/** HTML that follows the color scheme of the reader. */
const htmlOf = (badge: BadgeOf, origin: string): string => `<a href="${origin}${pageOf(badge)}">
  <picture>
    <source media="(prefers-color-scheme: dark)" srcset="${origin}${imageOf(badge, 'dark')}">
    <img src="${origin}${imageOf(badge, 'light')}" width="250" height="54" alt="${ALT}">
  </picture>
</a>`
