/** Queries and changes of the operator pages. */
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { Schemas } from 'gatewatch-client'
import { service, unwrap } from './service.ts'
import { useChange } from './use-change.ts'

export type OperatorAccount = Schemas['OperatorAccount']
export type OperatorChain = Schemas['OperatorChain']
export type RegisteredContract = Schemas['RegisteredContract']

const ACCOUNTS = ['me', 'operator', 'accounts'] as const
const CONTRACTS = ['me', 'operator', 'contracts'] as const

/** Further accounts and contracts are found by search. */
const PAGE_SIZE = 50
const queryOf = (search: string) => ({ limit: PAGE_SIZE, ...(search !== '' && { search }) })

export const useAccounts = (search: string) =>
  useQuery({
    queryKey: [...ACCOUNTS, search],
    queryFn: ({ signal }) =>
      unwrap(service.GET('/me/operator/accounts', { params: { query: queryOf(search) }, signal })),
    placeholderData: keepPreviousData,
  })

export const useChangePlans = (id: string) =>
  useChange(ACCOUNTS, (body: Partial<Pick<OperatorAccount, 'plan' | 'utxoPlan'>>) =>
    unwrap(service.PATCH('/me/operator/accounts/{id}', { params: { path: { id } }, body })),
  )

export const useOperatorChanges = () =>
  useInfiniteQuery({
    queryKey: ['me', 'operator', 'changes'],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam: before, signal }) => {
      const query = { limit: PAGE_SIZE, ...(before !== undefined && { before }) }
      return unwrap(service.GET('/me/operator/changes', { params: { query }, signal }))
    },
    getNextPageParam: ({ items }) => (items.length < PAGE_SIZE ? undefined : items.at(-1)?.id),
  })

export const useOperatorChains = () =>
  useQuery({
    queryKey: ['me', 'operator', 'chains'],
    queryFn: ({ signal }) => unwrap(service.GET('/me/operator/chains', { signal })),
    refetchInterval: 5_000,
  })

export const useContracts = (search: string) =>
  useQuery({
    queryKey: [...CONTRACTS, search],
    queryFn: ({ signal }) =>
      unwrap(service.GET('/me/operator/contracts', { params: { query: queryOf(search) }, signal })),
    placeholderData: keepPreviousData,
  })

export type ContractEdit = {
  readonly chain: string
  readonly address: string
  readonly name: string
  readonly protocol: string
}

export const useSaveContract = () =>
  useChange(CONTRACTS, ({ chain, address, name, protocol }: ContractEdit) =>
    unwrap(
      service.PUT('/me/operator/contracts/{chain}/{address}', {
        params: { path: { chain, address } },
        body: { ...(name !== '' && { name }), ...(protocol !== '' && { protocol }) },
      }),
    ),
  )
