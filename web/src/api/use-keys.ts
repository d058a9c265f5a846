/** The API keys of the signed-in account, for both APIs. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { service, unwrap } from './service.ts'

export type KeyFamily = 'api-keys' | 'utxo-keys'

const keyOf = (family: KeyFamily) => ['me', family] as const

export const useKeys = (family: KeyFamily) =>
  useQuery({ queryKey: keyOf(family), queryFn: ({ signal }) => unwrap(service.GET(`/me/${family}`, { signal })) })

export function useCreateKey(family: KeyFamily) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (name: string) => unwrap(service.POST(`/me/${family}`, { body: { name } })),
    onSuccess: () => client.invalidateQueries({ queryKey: keyOf(family) }),
  })
}

export function useRevokeKey(family: KeyFamily) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => unwrap(service.DELETE(`/me/${family}/{id}`, { params: { path: { id } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: keyOf(family) }),
  })
}

export type Keys = NonNullable<ReturnType<typeof useKeys>['data']>
