/** A local Safe Transaction Service with the published schema, which can also lie, hang, repeat and flood. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { getAddress, type Hex, zeroAddress } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import {
  parseSafeVersion,
  type SafeTransaction,
  safeTransactionHash,
} from '../../server/src/control/profile/safe-transaction.ts'

export type Signer = PrivateKeyAccount

export const signer = (n: number): Signer =>
  privateKeyToAccount(`0x${(0x1234_5678 + n).toString(16).padStart(64, '0')}`)

/** An entry as version 1 of the API returns it. */
export type ServiceEntry = Readonly<Record<string, unknown>> & { readonly safe: Hex; readonly safeTxHash: Hex }

export type Proposal = {
  readonly chainId?: number
  readonly safe: Hex
  readonly version?: string
  readonly to: Hex
  readonly value?: bigint
  readonly data?: Hex
  readonly operation?: 0 | 1
  readonly nonce: number
  readonly signers: readonly Signer[]
}

export const transactionOf = ({ to, value = 0n, data = '0x', operation = 0, nonce }: Proposal): SafeTransaction => ({
  to,
  value,
  data,
  operation,
  safeTxGas: 0n,
  baseGas: 0n,
  gasPrice: 0n,
  gasToken: zeroAddress,
  refundReceiver: zeroAddress,
  nonce: BigInt(nonce),
})

export function hashOf(proposal: Proposal): Hex {
  const version = parseSafeVersion(proposal.version ?? '1.4.1') ?? [0, 0, 0]
  return safeTransactionHash(
    { chainId: proposal.chainId ?? 1, address: proposal.safe },
    version,
    transactionOf(proposal),
  )
}

/** The entry of a proposal that these owners signed. */
export async function entryOf(
  proposal: Proposal,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<ServiceEntry> {
  const hash = hashOf(proposal)
  const { value, data, safeTxGas, baseGas, gasPrice, nonce, ...rest } = transactionOf(proposal)
  const confirmations = await Promise.all(
    proposal.signers.map(async (by) => ({
      owner: by.address,
      submissionDate: '2024-05-01T10:00:00.000000Z',
      transactionHash: null,
      signature: await by.sign({ hash }),
      signatureType: 'EOA',
    })),
  )
  return {
    ...rest,
    safe: getAddress(proposal.safe),
    to: getAddress(proposal.to),
    value: value.toString(),
    data: data === '0x' ? null : data,
    safeTxGas: Number(safeTxGas),
    baseGas: Number(baseGas),
    gasPrice: gasPrice.toString(),
    nonce: Number(nonce),
    executionDate: null,
    submissionDate: '2024-05-01T10:00:00.000000Z',
    modified: '2024-05-01T10:00:00.000000Z',
    blockNumber: null,
    transactionHash: null,
    safeTxHash: hash,
    proposer: proposal.signers[0]?.address ?? null,
    executor: null,
    isExecuted: false,
    isSuccessful: null,
    confirmationsRequired: 2,
    confirmations,
    trusted: true,
    signatures: null,
    ...changes,
  }
}

export type TestSafeService = {
  readonly url: string
  /** Entries by lowercase address of the Safe, as the service stores them. */
  readonly entries: Map<string, ServiceEntry[]>
  readonly requests: string[]
  readonly headers: IncomingMessage['headers'][]
  /** Answers instead of the service, if it returns true. */
  interfere: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined
}

export async function startSafeService(): Promise<TestSafeService> {
  const service: { -readonly [K in keyof TestSafeService]: TestSafeService[K] } = {
    url: '',
    entries: new Map(),
    requests: [],
    headers: [],
    interfere: undefined,
  }
  const server = createServer((request, response) => {
    service.requests.push(request.url ?? '')
    service.headers.push(request.headers)
    if (service.interfere?.(request, response) === true) return
    const url = new URL(request.url ?? '', 'http://localhost')
    const send = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (url.pathname === '/api/v1/about/')
      return send(200, { name: 'Safe Transaction Service', version: '5.31.0', api_version: 'v1' })
    const safe = /^\/api\/v1\/safes\/(0x[0-9a-fA-F]{40})\/multisig-transactions\/$/.exec(url.pathname)?.[1]
    if (safe === undefined) return send(404, { detail: 'Not found.' })
    if (safe !== getAddress(safe)) return send(422, { code: 1, message: 'Checksum address validation failed' })
    const [limit, offset] = ['limit', 'offset'].map((name) => Number(url.searchParams.get(name) ?? '0')) as [
      number,
      number,
    ]
    const from = Number(url.searchParams.get('nonce__gte') ?? '0')
    const found = (service.entries.get(safe.toLowerCase()) ?? []).filter((entry) => Number(entry.nonce) >= from)
    const isLast = offset + limit >= found.length
    send(200, {
      count: found.length,
      next: isLast ? null : `http://192.0.2.1/next?offset=${offset + limit}`,
      previous: null,
      results: found.slice(offset, offset + limit),
      countUniqueNonce: found.length,
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return service
}
