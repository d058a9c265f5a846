import { type FormEvent, type ReactNode, useState } from 'react'
import { type Channels, useSetVendor, type VendorFields, type VendorKind } from '../../api/use-alerts.ts'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { SelectField, TextAreaField, TextField } from '../../components/field.tsx'
import { FormError } from '../../components/form-error.tsx'
import { ChannelCard } from './channel-card.tsx'
import styles from './layout.module.css'

type FieldText = {
  readonly name: Exclude<keyof VendorFields, 'template' | 'contentType'>
  readonly label: string
  readonly placeholder?: string
  readonly isSecret?: boolean
  readonly isOptional?: boolean
}

const url = (placeholder: string): FieldText => ({ name: 'url', label: 'Webhook URL', placeholder, isSecret: true })
const endpoint = (placeholder: string): FieldText => ({
  name: 'url',
  label: 'Endpoint (optional)',
  placeholder,
  isOptional: true,
})

const FIELDS: Readonly<Record<VendorKind, readonly FieldText[]>> = {
  slack: [
    url('https://hooks.slack.com/services/…'),
    { name: 'signingSecret', label: 'Signing secret (optional)', isSecret: true, isOptional: true },
  ],
  discord: [url('https://discord.com/api/webhooks/…')],
  teams: [url('https://….logic.azure.com/workflows/…')],
  pagerduty: [
    { name: 'integrationKey', label: 'Integration key', placeholder: '32 characters', isSecret: true },
    endpoint('https://events.pagerduty.com/v2/enqueue'),
  ],
  opsgenie: [{ name: 'apiKey', label: 'API key', isSecret: true }, endpoint('https://api.opsgenie.com/v2/alerts')],
  custom: [
    url('https://example.org/hook'),
    { name: 'authorization', label: 'Authorization header (optional)', isSecret: true, isOptional: true },
  ],
}

const HELP: Readonly<Record<VendorKind, string>> = {
  slack:
    'Create a Slack app with an incoming webhook. To acknowledge alerts in Slack, also enter the signing secret of the app, and set the request URL below under Interactivity.',
  discord: 'In Discord: Edit channel, Integrations, Webhooks.',
  teams: 'In Teams: Workflows, “Send webhook alerts to a channel”.',
  pagerduty: 'Add the integration “Events API v2” to a service. A retracted alert is resolved.',
  opsgenie:
    'Add an API integration. A retracted alert is closed. Keys of Jira Service Management work with its endpoint.',
  custom:
    'Placeholders such as {{headline}}, {{text}}, {{severity}}, {{chain}}, {{address}}, {{url}} and {{payload}} are replaced. Messages are signed like webhooks.',
}

const CONTENT_TYPES = ['application/json', 'application/x-www-form-urlencoded', 'text/plain'].map((value) => ({
  value,
  text: value,
}))

/** A channel that is not set up shows its form on request. */
const Foldable = ({ isFolded, children }: { readonly isFolded: boolean; readonly children: ReactNode }) =>
  isFolded ? (
    <details className={styles.folded}>
      <summary>Set up</summary>
      {children}
    </details>
  ) : (
    children
  )

type VendorChannelProps = {
  readonly kind: VendorKind
  readonly channel: Channels[VendorKind]
  readonly slack: Channels['slack']
  readonly custom: Channels['custom']
}

/** A channel at a service of another vendor. Stored secrets are never shown, so the form starts empty. */
export function VendorChannel({ kind, channel, slack, custom }: VendorChannelProps) {
  const [values, setValues] = useState<VendorFields>({})
  const [template, setTemplate] = useState(custom.template ?? '{"text": "{{headline}}"}')
  const [contentType, setContentType] = useState(custom.contentType ?? 'application/json')
  const set = useSetVendor(kind)
  const isSet = channel.target !== null
  const given: VendorFields = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''))
  const isComplete = FIELDS[kind].every(({ name, isOptional }) => isOptional === true || given[name] !== undefined)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const type = contentType as VendorFields['contentType'] & string
    const fields = kind === 'custom' ? { ...given, template, contentType: type } : given
    set.mutate(fields, { onSuccess: () => setValues({}) })
  }
  return (
    <ChannelCard kind={kind} isSet={isSet} disabled={channel.disabled} schedule={channel.schedule}>
      {isSet && <p>Set to {channel.target}.</p>}
      <p className={styles.faint}>{HELP[kind]}</p>
      <Foldable isFolded={!isSet}>
        <form className={styles.inline} onSubmit={submit} noValidate>
          {FIELDS[kind].map(({ name, label, placeholder, isSecret }) => (
            <TextField
              key={name}
              label={label}
              type={isSecret === true ? 'password' : 'text'}
              value={values[name] ?? ''}
              placeholder={placeholder}
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => setValues({ ...values, [name]: event.target.value })}
            />
          ))}
          {kind === 'custom' && (
            <>
              <SelectField label="Content type" value={contentType} choices={CONTENT_TYPES} onChoose={setContentType} />
              <div className={styles.wide}>
                <TextAreaField
                  label="Template of the body"
                  rows={4}
                  value={template}
                  spellCheck={false}
                  onChange={(event) => setTemplate(event.target.value)}
                />
              </div>
            </>
          )}
          <Button type="submit" kind={isSet ? 'plain' : 'primary'} disabled={set.isPending || !isComplete}>
            {isSet ? 'Change' : 'Save'}
          </Button>
        </form>
      </Foldable>
      <FormError error={set.error} />
      {kind === 'slack' && slack.interactivityUrl !== null && (
        <CodeBlock title="Request URL for interactivity" text={slack.interactivityUrl} />
      )}
    </ChannelCard>
  )
}
