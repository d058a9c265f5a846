import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { service, unwrap } from './service.ts'

type ContractRef = { readonly chain: string; readonly address: string }

export const contractKey = ({ chain, address }: ContractRef) => ['control', 'contract', chain, address] as const

export const useContract = (contract: ContractRef) =>
  useQuery({
    queryKey: [...contractKey(contract), 'view'],
    queryFn: async ({ signal }) =>
      (await unwrap(service.GET('/public/control/contracts/{chain}/{address}', { params: { path: contract }, signal })))
        .data,
  })

/** The control path of the contract and its history. The service returns 404 until the first poll of the contract. */
export const useControl = (contract: ContractRef) =>
  useQuery({
    queryKey: [...contractKey(contract), 'control'],
    queryFn: async ({ signal }) =>
      (
        await unwrap(
          service.GET('/public/control/contracts/{chain}/{address}/control', { params: { path: contract }, signal }),
        )
      ).data,
    retryOnMount: false, // several parts of the page use the result, including an error
  })

export const useTransactionEvents = (transaction: { readonly chain: string; readonly hash: string }) =>
  useQuery({
    queryKey: ['control', 'transaction', transaction.chain, transaction.hash],
    queryFn: async ({ signal }) =>
      (
        await unwrap(
          service.GET('/public/control/transactions/{chain}/{hash}', { params: { path: transaction }, signal }),
        )
      ).data,
  })

/** What an address can do to watched contracts. */
export const useAddressPowers = (address: ContractRef) =>
  useQuery({
    queryKey: [...contractKey(address), 'powers'],
    queryFn: async ({ signal }) =>
      (await unwrap(service.GET('/public/control/addresses/{chain}/{address}', { params: { path: address }, signal })))
        .data,
  })

const checkKey = (contract: ContractRef) => [...contractKey(contract), 'check'] as const
const CHECK_EVERY_MS = 1_000

/** The check of a contract that is not watched. Null before the first request. Asked again until it is done. */
export const useCheck = (contract: ContractRef) =>
  useQuery({
    queryKey: checkKey(contract),
    queryFn: async ({ signal }) => {
      const result = await service.GET('/public/control/checks/{chain}/{address}', {
        params: { path: contract },
        signal,
      })
      return result.response.status === 404 ? null : (await unwrap(Promise.resolve(result))).data
    },
    refetchInterval: ({ state: { data } }) => (data?.state === 'waiting' ? CHECK_EVERY_MS : false),
  })

export function useRequestCheck(contract: ContractRef) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () =>
      (await unwrap(service.POST('/public/control/checks/{chain}/{address}', { params: { path: contract } }))).data,
    onSuccess: (check) => client.setQueryData(checkKey(contract), check),
  })
}
