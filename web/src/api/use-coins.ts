/** Queries of the coin pages. Queries that depend on the chain tip are fetched again periodically. */
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { CoinChain } from '../text/names.ts'
import { service, unwrap } from './service.ts'

const TIP_REFETCH_MS = 15_000
const PAGE_SIZE = 25

const dataOf = <Data>(body: { readonly data: Data }): Data => body.data

export const useCoinStatus = (chain: CoinChain) =>
  useQuery({
    queryKey: ['coins', chain, 'status'],
    queryFn: async ({ signal }) =>
      dataOf(await unwrap(service.GET('/public/coins/{chain}/status', { params: { path: { chain } }, signal }))),
    refetchInterval: TIP_REFETCH_MS,
  })

export const useFees = (chain: CoinChain) =>
  useQuery({
    queryKey: ['coins', chain, 'fees'],
    queryFn: async ({ signal }) =>
      dataOf(await unwrap(service.GET('/public/coins/{chain}/fees', { params: { path: { chain } }, signal }))),
    refetchInterval: TIP_REFETCH_MS,
  })

export const useProjectedBlocks = (chain: CoinChain) =>
  useQuery({
    queryKey: ['coins', chain, 'projected-blocks'],
    queryFn: async ({ signal }) =>
      dataOf(
        await unwrap(service.GET('/public/coins/{chain}/projected-blocks', { params: { path: { chain } }, signal })),
      ),
    refetchInterval: TIP_REFETCH_MS,
  })

export const useAddress = (chain: CoinChain, address: string) =>
  useQuery({
    queryKey: ['coins', chain, 'address', address],
    queryFn: async ({ signal }) =>
      dataOf(
        await unwrap(
          service.GET('/public/coins/{chain}/address/{address}', { params: { path: { chain, address } }, signal }),
        ),
      ),
    refetchInterval: TIP_REFETCH_MS,
  })

/** The UTXOs of an address. They are fetched again when `version` changes. */
export const useAddressUtxos = (chain: CoinChain, address: string, version = '') =>
  useQuery({
    queryKey: ['coins', chain, 'address', address, 'utxos', version],
    queryFn: async ({ signal }) =>
      dataOf(
        await unwrap(
          service.GET('/public/coins/{chain}/address/{address}/utxos', {
            params: { path: { chain, address } },
            signal,
          }),
        ),
      ),
    placeholderData: keepPreviousData,
  })

/** UTXOs of an address by value and age. Sends no request unless `isEnabled`. */
export const useUtxoGroups = (chain: CoinChain, address: string, isEnabled: boolean, version: string) =>
  useQuery({
    queryKey: ['coins', chain, 'address', address, 'utxo-groups', version],
    enabled: isEnabled,
    queryFn: async ({ signal }) =>
      dataOf(
        await unwrap(
          service.GET('/public/coins/{chain}/address/{address}/utxo-groups', {
            params: { path: { chain, address } },
            signal,
          }),
        ),
      ),
    placeholderData: keepPreviousData,
  })

export const useAnalysis = (chain: CoinChain, address: string, version: string) =>
  useQuery({
    queryKey: ['coins', chain, 'address', address, 'analysis', version],
    queryFn: async ({ signal }) =>
      dataOf(
        await unwrap(
          service.GET('/public/coins/{chain}/analyze/{address}', { params: { path: { chain, address } }, signal }),
        ),
      ),
    placeholderData: keepPreviousData,
  })

export const useHistory = (chain: CoinChain, address: string, page: number, version: string) =>
  useQuery({
    queryKey: ['coins', chain, 'address', address, 'txs', page, version],
    queryFn: async ({ signal }) =>
      dataOf(
        await unwrap(
          service.GET('/public/coins/{chain}/address/{address}/txs', {
            params: { path: { chain, address }, query: { page, pageSize: PAGE_SIZE } },
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
      dataOf(
        await unwrap(service.GET('/public/coins/{chain}/tx/{txid}', { params: { path: { chain, txid } }, signal })),
      ),
    refetchInterval: TIP_REFETCH_MS,
  })

/** Which outputs are spent, and by which transaction. */
export const useOutspends = (chain: CoinChain, txid: string) =>
  useQuery({
    queryKey: ['coins', chain, 'tx', txid, 'outspends'],
    queryFn: async ({ signal }) =>
      dataOf(
        await unwrap(
          service.GET('/public/coins/{chain}/tx/{txid}/outspends', { params: { path: { chain, txid } }, signal }),
        ),
      ).outputs,
    refetchInterval: TIP_REFETCH_MS,
  })

/** When a block was mined. Sends no request without a height. */
export const useBlockTime = (chain: CoinChain, height: number | null) =>
  useQuery({
    queryKey: ['coins', chain, 'block-time', height],
    enabled: height !== null,
    queryFn: async ({ signal }) => {
      const params = { path: { chain }, query: { to: height ?? 0, count: 1 } }
      const { blocks } = dataOf(await unwrap(service.GET('/public/coins/{chain}/blocks', { params, signal })))
      return blocks[0]?.timestamp ?? null
    },
  })

/** The transactions of a block, page by page. */
export const useBlockTxs = (chain: CoinChain, hashOrHeight: string) =>
  useInfiniteQuery({
    queryKey: ['coins', chain, 'block', hashOrHeight, 'txs'],
    initialPageParam: 1,
    queryFn: async ({ signal, pageParam }) =>
      dataOf(
        await unwrap(
          service.GET('/public/coins/{chain}/block/{hashOrHeight}/txs', {
            params: { path: { chain, hashOrHeight }, query: { page: pageParam } },
            signal,
          }),
        ),
      ),
    getNextPageParam: ({ page, pageSize, txCount }) => (page * pageSize < txCount ? page + 1 : undefined),
  })

export const useBlock = (chain: CoinChain, hashOrHeight: string) =>
  useQuery({
    queryKey: ['coins', chain, 'block', hashOrHeight],
    queryFn: async ({ signal }) =>
      dataOf(
        await unwrap(
          service.GET('/public/coins/{chain}/block/{hashOrHeight}', {
            params: { path: { chain, hashOrHeight } },
            signal,
          }),
        ),
      ),
  })

/** The last `count` blocks, newest first. */
export const useLatestBlocks = (chain: CoinChain, count: number) =>
  useQuery({
    queryKey: ['coins', chain, 'blocks', count],
    queryFn: async ({ signal }) => {
      const params = { path: { chain }, query: { count } }
      return dataOf(await unwrap(service.GET('/public/coins/{chain}/blocks', { params, signal }))).blocks
    },
    refetchInterval: TIP_REFETCH_MS,
  })

export type Spend = {
  readonly fromAddress: string
  readonly toAddress: string
  /** Absent if toAddress receives what is left. */
  readonly amount?: number
  readonly recipients: { readonly address: string; readonly amount: number }[]
  readonly sendAll: boolean
  readonly mustUse: string[]
  readonly mustNotUse: string[]
  readonly feeRate: number
  readonly utxoSelection: 'optimal' | 'largest' | 'smallest' | 'oldest'
}

/** Whether two payments differ in the fee rate only. */
const isSamePayment = (one: Spend | undefined, other: Spend | undefined): boolean =>
  JSON.stringify({ ...one, feeRate: 0 }) === JSON.stringify({ ...other, feeRate: 0 })

export const useSimulation = (chain: CoinChain, spend: Spend | undefined) =>
  useQuery({
    queryKey: ['coins', chain, 'simulation', spend] as const,
    enabled: spend !== undefined,
    queryFn: async ({ signal }) => {
      if (spend === undefined) throw new Error('the simulation has no input')
      // With every UTXO there is nothing to compare.
      const body = { ...spend, compareStrategies: !spend.sendAll, psbt: true, includeUnconfirmed: false }
      return dataOf(
        await unwrap(service.POST('/public/coins/{chain}/simulate', { params: { path: { chain } }, body, signal })),
      )
    },
    // Fee rates change on their own: the old result stays until the new one arrives, unless the payment is another one.
    placeholderData: (previous, query) => (isSamePayment(query?.queryKey[3], spend) ? previous : undefined),
  })

type DataOf<Hook extends (...args: never[]) => { readonly data: unknown }> = NonNullable<ReturnType<Hook>['data']>
export type Fees = DataOf<typeof useFees>
export type ProjectedBlock = DataOf<typeof useProjectedBlocks>['blocks'][number]
export type AddressSummary = DataOf<typeof useAddress>
export type AddressUtxos = DataOf<typeof useAddressUtxos>
export type UtxoGroup = DataOf<typeof useUtxoGroups>['groups'][number]
export type Analysis = DataOf<typeof useAnalysis>
export type HistoryEntry = DataOf<typeof useHistory>['txs'][number]
export type Transaction = DataOf<typeof useTransaction>
export type Block = DataOf<typeof useBlock>
export type BlockTx = DataOf<typeof useBlockTxs>['pages'][number]['txs'][number]
export type Outspend = DataOf<typeof useOutspends>[number]
export type ListedBlock = DataOf<typeof useLatestBlocks>[number]
export type Simulation = DataOf<typeof useSimulation>
