/** What the coin pages ask for. A block may arrive at any moment, so what depends on the tip is asked again. */
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import type { CoinChain } from '../text/coins.ts'
import { ask, service } from './service.ts'

const TIP_MS = 15_000
const PAGE = 25

const dataOf = <Data>(answer: { readonly data: Data }): Data => answer.data

export const useCoinStatus = (chain: CoinChain) =>
  useQuery({
    queryKey: ['coins', chain, 'status'],
    queryFn: async ({ signal }) =>
      dataOf(await ask(service.GET('/public/coins/{chain}/status', { params: { path: { chain } }, signal }))),
    refetchInterval: TIP_MS,
  })

export const useFees = (chain: CoinChain) =>
  useQuery({
    queryKey: ['coins', chain, 'fees'],
    queryFn: async ({ signal }) =>
      dataOf(await ask(service.GET('/public/coins/{chain}/fees', { params: { path: { chain } }, signal }))),
    refetchInterval: TIP_MS,
  })

export const useProjectedBlocks = (chain: CoinChain) =>
  useQuery({
    queryKey: ['coins', chain, 'projected-blocks'],
    queryFn: async ({ signal }) =>
      dataOf(await ask(service.GET('/public/coins/{chain}/projected-blocks', { params: { path: { chain } }, signal }))),
    refetchInterval: TIP_MS,
  })

export const useAddress = (chain: CoinChain, address: string) =>
  useQuery({
    queryKey: ['coins', chain, 'address', address],
    queryFn: async ({ signal }) =>
      dataOf(
        await ask(
          service.GET('/public/coins/{chain}/address/{address}', { params: { path: { chain, address } }, signal }),
        ),
      ),
    refetchInterval: TIP_MS,
  })

export const useAddressCoins = (chain: CoinChain, address: string) =>
  useQuery({
    queryKey: ['coins', chain, 'address', address, 'utxos'],
    queryFn: async ({ signal }) =>
      dataOf(
        await ask(
          service.GET('/public/coins/{chain}/address/{address}/utxos', {
            params: { path: { chain, address } },
            signal,
          }),
        ),
      ),
  })

export const useAnalysis = (chain: CoinChain, address: string) =>
  useQuery({
    queryKey: ['coins', chain, 'address', address, 'analysis'],
    queryFn: async ({ signal }) =>
      dataOf(
        await ask(
          service.GET('/public/coins/{chain}/analyze/{address}', { params: { path: { chain, address } }, signal }),
        ),
      ),
  })

export const useHistory = (chain: CoinChain, address: string, page: number) =>
  useQuery({
    queryKey: ['coins', chain, 'address', address, 'txs', page],
    queryFn: async ({ signal }) =>
      dataOf(
        await ask(
          service.GET('/public/coins/{chain}/address/{address}/txs', {
            params: { path: { chain, address }, query: { page, pageSize: PAGE } },
            signal,
          }),
        ),
      ),
    placeholderData: keepPreviousData,
  })

export const useTransaction = (chain: CoinChain, txid: string) =>
  useQuery({
    queryKey: ['coins', chain, 'tx', txid],
    queryFn: async ({ signal }) =>
      dataOf(await ask(service.GET('/public/coins/{chain}/tx/{txid}', { params: { path: { chain, txid } }, signal }))),
    refetchInterval: TIP_MS,
  })

export const useBlock = (chain: CoinChain, hashOrHeight: string) =>
  useQuery({
    queryKey: ['coins', chain, 'block', hashOrHeight],
    queryFn: async ({ signal }) =>
      dataOf(
        await ask(
          service.GET('/public/coins/{chain}/block/{hashOrHeight}', {
            params: { path: { chain, hashOrHeight }, query: { txids: true } },
            signal,
          }),
        ),
      ),
  })

/** The blocks up to `height`, newest first, as far as they have arrived. */
export const useBlocksUpTo = (chain: CoinChain, height: number, count: number) =>
  useQueries({
    queries: Array.from({ length: Math.min(count, height + 1) }, (_, depth) => {
      const hashOrHeight = String(height - depth)
      return {
        queryKey: ['coins', chain, 'block', hashOrHeight, 'head'],
        queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
          dataOf(
            await ask(
              service.GET('/public/coins/{chain}/block/{hashOrHeight}', {
                params: { path: { chain, hashOrHeight }, query: { txids: false } },
                signal,
              }),
            ),
          ),
      }
    }),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  })

export type Spend = {
  readonly fromAddress: string
  readonly toAddress: string
  readonly amount: number
  readonly feeRate: number
  readonly utxoSelection: 'optimal' | 'largest' | 'smallest' | 'oldest'
}

export const useSimulation = (chain: CoinChain, spend: Spend | undefined) =>
  useQuery({
    queryKey: ['coins', chain, 'simulation', spend],
    enabled: spend !== undefined,
    queryFn: async ({ signal }) => {
      if (spend === undefined) throw new Error('asked without a question')
      const body = { ...spend, compareStrategies: true, psbt: false, includeUnconfirmed: false }
      return dataOf(
        await ask(service.POST('/public/coins/{chain}/simulate', { params: { path: { chain } }, body, signal })),
      )
    },
    // Fee rates move by themselves, and the result with them: it must not go away in between.
    placeholderData: keepPreviousData,
  })

type Found<Hook extends (...given: never[]) => { readonly data: unknown }> = NonNullable<ReturnType<Hook>['data']>
export type CoinStatus = Found<typeof useCoinStatus>
export type Fees = Found<typeof useFees>
export type ProjectedBlock = Found<typeof useProjectedBlocks>['blocks'][number]
export type AddressCoins = Found<typeof useAddressCoins>
export type Analysis = Found<typeof useAnalysis>
export type HistoryEntry = Found<typeof useHistory>['txs'][number]
export type Transaction = Found<typeof useTransaction>
export type Block = Found<typeof useBlock>
export type Simulation = Found<typeof useSimulation>
