/** The browsers in which the account is signed in. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { authGet, authPost } from '../../api/auth-requests.ts'
import { useSession } from '../../api/use-session.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { FormError } from '../../components/form-error.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { deviceOf } from '../../text/devices.ts'
import styles from './layout.module.css'

type Session = {
  readonly token: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly ipAddress?: string | null
  readonly userAgent?: string | null
}

const SESSIONS = ['me', 'sessions'] as const

export const useSessions = () =>
  useQuery({
    queryKey: SESSIONS,
    queryFn: async ({ signal }) => (await authGet('/list-sessions', signal)) as readonly Session[],
  })

export function SessionsCard() {
  const client = useQueryClient()
  const sessions = useSessions()
  const own = useSession().data?.sessionToken
  const reload = () => client.invalidateQueries({ queryKey: SESSIONS })
  const end = useMutation({ mutationFn: (token: string) => authPost('/revoke-session', { token }), onSettled: reload })
  const endOthers = useMutation({ mutationFn: () => authPost('/revoke-other-sessions'), onSettled: reload })
  return (
    <Card
      title="Sessions"
      flush
      aside={
        (sessions.data?.length ?? 0) > 1 && (
          <Button disabled={endOthers.isPending} onClick={() => endOthers.mutate()}>
            Sign out everywhere else
          </Button>
        )
      }
    >
      <QueryView query={sessions}>
        {(all) => (
          <DataTable
            caption="Browsers in which you are signed in"
            rows={all}
            keyOf={({ token }) => token}
            columns={[
              {
                title: 'Browser',
                cell: ({ userAgent, ipAddress }) => (
                  <>
                    {deviceOf(userAgent ?? '')}
                    {ipAddress != null && ipAddress !== '' && <span className={styles.second}>{ipAddress}</span>}
                  </>
                ),
              },
              { title: 'Signed in', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
              {
                title: '',
                isNumber: true,
                cell: ({ token, userAgent }) =>
                  token === own ? (
                    'This browser'
                  ) : (
                    <Button
                      aria-label={`Sign out ${deviceOf(userAgent ?? '')}`}
                      disabled={end.isPending}
                      onClick={() => end.mutate(token)}
                    >
                      Sign out
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </QueryView>
      <FormError error={end.error ?? endOthers.error} />
    </Card>
  )
}
