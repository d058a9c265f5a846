/** The keys of both interfaces. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ask, service } from './service.ts'

export type KeyFamily = 'api-keys' | 'utxo-keys'

const keyOf = (family: KeyFamily) => ['me', family] as const

export const useKeys = (family: KeyFamily) =>
  useQuery({ queryKey: keyOf(family), queryFn: ({ signal }) => ask(service.GET(`/me/${family}`, { signal })) })

export function useMakeKey(family: KeyFamily) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (name: string) => ask(service.POST(`/me/${family}`, { body: { name } })),
    onSuccess: () => client.invalidateQueries({ queryKey: keyOf(family) }),
  })
}

export function useRevokeKey(family: KeyFamily) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => ask(service.DELETE(`/me/${family}/{id}`, { params: { path: { id } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: keyOf(family) }),
  })
}

export type Keys = NonNullable<ReturnType<typeof useKeys>['data']>
