import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'
import { service, unwrap, unwrapFound } from './service.ts'

type ContractRef = { readonly chain: string; readonly address: string }

export const contractKey = ({ chain, address }: ContractRef) => ['control', 'contract', chain, address] as const

export const useContract = (contract: ContractRef) =>
  useQuery({
    queryKey: [...contractKey(contract), 'view'],
    queryFn: async ({ signal }) =>
      (await unwrap(service.GET('/public/control/contracts/{chain}/{address}', { params: { path: contract }, signal })))
        .data,
  })

/** While a poll is to come. */
const POLL_EVERY_MS = 3_000

/** The control path of the contract and its history. Null until the first poll. Requested again while a poll is due. */
export const useControl = (contract: ContractRef) =>
  useQuery({
    queryKey: [...contractKey(contract), 'control'],
    queryFn: async ({ signal }) => {
      const path = '/public/control/contracts/{chain}/{address}/control'
      return (await unwrapFound(service.GET(path, { params: { path: contract }, signal })))?.data ?? null
    },
    refetchInterval: ({ state: { data } }) => (data?.isUpdating === true ? POLL_EVERY_MS : false),
  })

const getPast = async (contract: ContractRef, at: string, signal: AbortSignal) =>
  (
    await unwrap(
      service.GET('/public/control/contracts/{chain}/{address}/past', {
        params: { path: contract, query: { at } },
        signal,
      }),
    )
  ).data

/** The contract as recorded at a block or a time, and before the change that led to it; null if nothing was recorded. */
export const usePast = (contract: ContractRef, at: string) =>
  useQuery({
    queryKey: [...contractKey(contract), 'past', at],
    placeholderData: keepPreviousData, // the page keeps its height while the visitor moves through time
    queryFn: async ({ signal }) => {
      const past = await getPast(contract, at, signal)
      const before = getPast(contract, String(past.from.blockNumber - 1), signal)
      return { past, before: await before.catch(nullIfNotRecorded) }
    },
  })

function nullIfNotRecorded(error: unknown): null {
  if (error instanceof ApiError && error.code === 'not_recorded') return null
  throw error
}

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

/** The check of a contract that is not watched. Null before the first request. Requested again until it is done. */
export const useCheck = (contract: ContractRef) =>
  useQuery({
    queryKey: checkKey(contract),
    queryFn: async ({ signal }) => {
      const path = '/public/control/checks/{chain}/{address}'
      return (await unwrapFound(service.GET(path, { params: { path: contract }, signal })))?.data ?? null
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
