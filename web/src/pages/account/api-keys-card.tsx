import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { type KeyFamily, type Keys, useCreateKey, useKeys, useRevokeKey } from '../../api/use-keys.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { Stack } from '../../components/columns.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { FormError } from '../../components/form-error.tsx'
import { Notice } from '../../components/notice.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { TonePill } from '../../components/tone-pill.tsx'
import { useNow } from '../../components/use-now.ts'
import { wholeNumber } from '../../text/amounts.ts'
import { codeName } from '../../text/names.ts'
import styles from './layout.module.css'
import { UsageMeter } from './usage-meter.tsx'

type ApiKeysCardProps = {
  readonly family: KeyFamily
  readonly title: string
  readonly path: string
  readonly exampleOf: (key: string) => string
}

/** The keys of one API. */
export function ApiKeysCard({ family, title, path, exampleOf }: ApiKeysCardProps) {
  const keys = useKeys(family)
  return (
    <Card
      title={title}
      aside={
        <>
          <code>{path}</code>
          {keys.data !== undefined && (
            <>
              {' · '}
              <Link href="/plans">{codeName(keys.data.plan)} plan</Link>
            </>
          )}
        </>
      }
      flush
    >
      <QueryView query={keys}>
        {(data) => (
          <>
            {(canCreate(family, data) || data.items.length > 0) && (
              <UsageMeter usage={data.usage} limits={data.limits} />
            )}
            {data.items.length === 0 ? (
              <NoKeys canCreate={canCreate(family, data)} />
            ) : (
              <DataTable
                caption={`Keys: ${title}`}
                isStacked
                rows={data.items}
                keyOf={({ id }) => id}
                columns={[
                  {
                    title: 'Key',
                    cell: ({ name, prefix }) => (
                      <>
                        {name}
                        <code className={styles.second}>{prefix}…</code>
                      </>
                    ),
                  },
                  {
                    title: 'Last used',
                    cell: ({ lastUsedAt, usageThisMonth }) => (
                      <>
                        {lastUsedAt === null ? 'Never' : <RelativeTime at={lastUsedAt} />}
                        <span className={styles.second}>{wholeNumber(usageThisMonth)} this month</span>
                      </>
                    ),
                  },
                  {
                    title: 'Expires',
                    cell: ({ expiresAt, createdAt }) => (
                      <>
                        <Expiry at={expiresAt} />
                        <span className={styles.second}>
                          Created <RelativeTime at={createdAt} />
                        </span>
                      </>
                    ),
                  },
                  { title: '', cell: ({ id, name }) => <RevokeKey family={family} id={id} name={name} /> },
                ]}
              />
            )}
            {canCreate(family, data) && (
              <div className={styles.bordered}>
                <CreateKey family={family} isFull={isFull(data)} exampleOf={exampleOf} />
              </div>
            )}
          </>
        )}
      </QueryView>
    </Card>
  )
}

function NoKeys({ canCreate }: { readonly canCreate: boolean }) {
  if (canCreate)
    return (
      <StateMessage title="No keys yet" icon="ownership">
        Create a key below to call this API.
      </StateMessage>
    )
  return (
    <StateMessage
      title="Your plan does not include this API"
      icon="ownership"
      action={
        <Link href="/plans" className={buttonClass()}>
          Compare plans
        </Link>
      }
    >
      Keys for this API need the Team plan.
    </StateMessage>
  )
}

/** When a key ends. One that has ended is red. */
function Expiry({ at }: { readonly at: string | undefined }) {
  const now = useNow()
  if (at === undefined) return 'Never'
  return Date.parse(at) <= now ? <TonePill tone="red">Expired</TonePill> : <RelativeTime at={at} />
}

/** Expired keys do not count. */
const isFull = ({ items, limits }: Keys): boolean =>
  items.filter(({ expiresAt }) => expiresAt === undefined || Date.parse(expiresAt) > Date.now()).length >=
  limits.apiKeys

const canCreate = (family: KeyFamily, { plan }: Keys): boolean => family === 'utxo-keys' || plan === 'team'

type CreateKeyProps = {
  readonly family: KeyFamily
  readonly isFull: boolean
  readonly exampleOf: (key: string) => string
}

/** Days, or nothing for a key that does not expire. */
const EXPIRIES = [
  { value: '', text: 'Never' },
  { value: '30', text: 'In 30 days' },
  { value: '90', text: 'In 90 days' },
  { value: '365', text: 'In a year' },
]

/** Creates a key and shows it once. */
function CreateKey({ family, isFull, exampleOf }: CreateKeyProps) {
  const [name, setName] = useState('')
  const [days, setDays] = useState('')
  const create = useCreateKey(family)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const expiry = days === '' ? {} : { expiresInDays: Number(days) }
    create.mutate({ name: name.trim(), ...expiry }, { onSuccess: () => setName('') })
  }
  return (
    <Stack>
      {create.data !== undefined && (
        <div data-created-key>
          <Stack>
            <Notice>Copy the key now. It will not be shown again.</Notice>
            <CodeBlock title={`Key ${create.data.name}`} text={create.data.key} />
            <CodeBlock title="Try it" text={exampleOf(create.data.key)} />
          </Stack>
        </div>
      )}
      <FormError error={create.error} />
      {isFull ? (
        <p className={styles.faint}>You have the maximum number of keys. Revoke one to create another.</p>
      ) : (
        <form className={styles.inline} onSubmit={submit}>
          <TextField
            label="Name of the new key"
            required
            maxLength={64}
            placeholder="production"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <SelectField label="Expires" value={days} choices={EXPIRIES} onChoose={setDays} />
          <Button type="submit" kind="primary" disabled={create.isPending}>
            Create key
          </Button>
        </form>
      )}
    </Stack>
  )
}

type RevokeKeyProps = { readonly family: KeyFamily; readonly id: string; readonly name: string }

function RevokeKey({ family, id, name }: RevokeKeyProps) {
  const revoke = useRevokeKey(family)
  return (
    <ConfirmButton
      text="Revoke"
      label={`Revoke key ${name}`}
      consequence="The key stops working immediately"
      isPending={revoke.isPending}
      onConfirm={() => revoke.mutate(id)}
    />
  )
}
