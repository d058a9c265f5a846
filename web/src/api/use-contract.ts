import { useQuery } from '@tanstack/react-query'
import { ask, service } from './service.ts'

type Place = { readonly chain: string; readonly address: string }

export const contractKey = ({ chain, address }: Place) => ['control', 'contract', chain, address] as const

export const useContract = (place: Place) =>
  useQuery({
    queryKey: [...contractKey(place), 'view'],
    queryFn: async ({ signal }) =>
      (await ask(service.GET('/public/control/contracts/{chain}/{address}', { params: { path: place }, signal }))).data,
  })

/** The chain of control and how it changed; refused before the first look at the contract. */
export const useControl = (place: Place) =>
  useQuery({
    queryKey: [...contractKey(place), 'control'],
    queryFn: async ({ signal }) =>
      (
        await ask(
          service.GET('/public/control/contracts/{chain}/{address}/control', { params: { path: place }, signal }),
        )
      ).data,
    retryOnMount: false, // several parts of a page show it, and a refusal is one for all of them
  })
