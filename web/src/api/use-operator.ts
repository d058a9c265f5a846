/** Queries and changes of the operator pages. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Schemas } from 'gatewatch-client'
import { service, unwrap } from './service.ts'
import { useChange } from './use-change.ts'

export type OperatorAccount = Schemas['OperatorAccount']
export type OperatorChain = Schemas['OperatorChain']
export type RegisteredContract = Schemas['RegisteredContract']

const ACCOUNTS = ['me', 'operator', 'accounts'] as const
const CONTRACTS = ['me', 'operator', 'contracts'] as const

/** Further entries are found by search. */
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
  useQuery({
    queryKey: ['me', 'operator', 'changes'],
    queryFn: ({ signal }) => unwrap(service.GET('/me/operator/changes', { signal })),
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
