/** One-time codes, the password, the sessions, and the deletion of the account. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { authPost } from '../../api/auth-requests.ts'
import { SESSION_KEY, type User } from '../../api/use-session.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { Stack } from '../../components/columns.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { TextField } from '../../components/field.tsx'
import { FormError } from '../../components/form-error.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QrCode } from '../../components/qr-code.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { TonePill } from '../../components/tone-pill.tsx'
import { AccountFrame } from './account-frame.tsx'
import styles from './layout.module.css'
import { SessionsCard, useSessions } from './sessions-card.tsx'

export function SecurityPage() {
  return (
    <AccountFrame>
      {(user) => (
        <>
          <PageHeader title="Security" lead="Protect your account with one-time codes and a long password." />
          <Settings user={user} />
        </>
      )}
    </AccountFrame>
  )
}

function Settings({ user }: { readonly user: User }) {
  // Shown together, because sessions that arrive later would move the card below them.
  if (!useSessions().isFetched) return <SkeletonRows />
  return (
    <Stack>
      <OneTimeCodes user={user} />
      <ChangePassword />
      <SessionsCard />
      <DeleteAccount />
    </Stack>
  )
}

type Setup = { readonly totpURI: string; readonly backupCodes: readonly string[] }

function PasswordField({ value, onChange }: { readonly value: string; readonly onChange: (text: string) => void }) {
  return (
    <TextField
      label="Current password"
      type="password"
      required
      autoComplete="current-password"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

function OneTimeCodes({ user }: { readonly user: User }) {
  const client = useQueryClient()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const reload = () => client.invalidateQueries({ queryKey: SESSION_KEY })
  const enable = useMutation({ mutationFn: async () => (await authPost('/two-factor/enable', { password })) as Setup })
  const verify = useMutation({ mutationFn: () => authPost('/two-factor/verify-totp', { code }), onSuccess: reload })
  const disable = useMutation({ mutationFn: () => authPost('/two-factor/disable', { password }), onSuccess: reload })
  const isOn = user.twoFactorEnabled === true
  const setup = enable.data
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (setup === undefined) enable.mutate()
    else verify.mutate()
  }
  return (
    <Card title="One-time codes" aside={<TonePill tone={isOn ? 'green' : 'grey'}>{isOn ? 'On' : 'Off'}</TonePill>}>
      <Stack>
        <p className={styles.faint}>
          With one-time codes, a sign-in needs your password and a code of an authenticator app on your phone.
        </p>
        {isOn ? (
          <div className={styles.form}>
            <PasswordField value={password} onChange={setPassword} />
            <FormError error={disable.error} />
            <ConfirmButton
              text="Turn off"
              label="Turn off one-time codes"
              consequence="A sign-in then needs only your password"
              isPending={disable.isPending}
              onConfirm={() => disable.mutate()}
            />
          </div>
        ) : (
          <form className={styles.form} onSubmit={submit}>
            {setup === undefined ? (
              <PasswordField value={password} onChange={setPassword} />
            ) : (
              <>
                <p>
                  Scan the QR code with your authenticator app, enter the key there, or{' '}
                  <a href={setup.totpURI}>open the app</a> on this device.
                </p>
                <div>
                  <QrCode text={setup.totpURI} what="key" isSecret />
                </div>
                <CodeBlock title="Key" text={new URL(setup.totpURI).searchParams.get('secret') ?? ''} />
                <p>Keep these backup codes. Each works once if you lose your phone. They are not shown again.</p>
                <CodeBlock title="Backup codes" text={setup.backupCodes.join('\n')} />
                <TextField
                  label="Code of the app"
                  inputMode="numeric"
                  autoComplete="one-time-code"
                  required
                  value={code}
                  onChange={(event) => setCode(event.target.value.trim())}
                />
              </>
            )}
            <FormError error={enable.error ?? verify.error} />
            <Button type="submit" kind="primary" disabled={enable.isPending || verify.isPending}>
              {setup === undefined ? 'Set up one-time codes' : 'Turn on'}
            </Button>
          </form>
        )}
      </Stack>
    </Card>
  )
}

function ChangePassword() {
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')
  const change = useMutation({ mutationFn: () => authPost('/change-password', { currentPassword, newPassword }) })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate()
  }
  return (
    <Card title="Password">
      <form className={styles.form} onSubmit={submit}>
        <PasswordField value={currentPassword} onChange={setCurrent} />
        <TextField
          label="New password"
          type="password"
          required
          minLength={8}
          autoComplete="new-password"
          value={newPassword}
          onChange={(event) => setNew(event.target.value)}
        />
        <FormError error={change.error} />
        {change.isSuccess && <p role="status">Changed. All other sessions have ended.</p>}
        <Button type="submit" disabled={change.isPending}>
          Change password
        </Button>
      </form>
    </Card>
  )
}

function DeleteAccount() {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const [password, setPassword] = useState('')
  const remove = useMutation({
    mutationFn: () => authPost('/delete-user', password === '' ? {} : { password }),
    onSuccess: () => {
      client.setQueryData(SESSION_KEY, null)
      client.removeQueries({ queryKey: ['me'] })
      navigate('/')
    },
  })
  return (
    <Card title="Delete account">
      <Stack>
        <p className={styles.faint}>
          Deletes your account with its keys, subscriptions, channels and deliveries. This cannot be undone.
        </p>
        <div className={styles.form}>
          <PasswordField value={password} onChange={setPassword} />
          <FormError error={remove.error} />
          <ConfirmButton
            text="Delete account"
            label="Delete account"
            consequence="Everything is deleted at once"
            isPending={remove.isPending}
            onConfirm={() => remove.mutate()}
          />
        </div>
      </Stack>
    </Card>
  )
}
