/** The API keys of the signed-in account, for both APIs. */
import { useQuery } from '@tanstack/react-query'
import { service, unwrap } from './service.ts'
import { useChange } from './use-change.ts'

export type KeyFamily = 'api-keys' | 'utxo-keys'

const keyOf = (family: KeyFamily) => ['me', family] as const

export const useKeys = (family: KeyFamily, isSignedIn = true) =>
  useQuery({
    queryKey: keyOf(family),
    enabled: isSignedIn,
    queryFn: ({ signal }) => unwrap(service.GET(`/me/${family}`, { signal })),
  })

export const useCreateKey = (family: KeyFamily) =>
  useChange(keyOf(family), (body: NewKey) => unwrap(service.POST(`/me/${family}`, { body })))

type NewKey = { readonly name: string; readonly expiresInDays?: number }

export const useRevokeKey = (family: KeyFamily) =>
  useChange(keyOf(family), (id: string) => unwrap(service.DELETE(`/me/${family}/{id}`, { params: { path: { id } } })))

export type Keys = NonNullable<ReturnType<typeof useKeys>['data']>
