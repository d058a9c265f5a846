import { useMutation, useQueryClient } from '@tanstack/react-query'

/** A mutation after which the query `key` is fetched again. */
export function useChange<Input, Data>(key: readonly string[], change: (input: Input) => Promise<Data>) {
  const client = useQueryClient()
  return useMutation({ mutationFn: change, onSuccess: () => client.invalidateQueries({ queryKey: key }) })
}
