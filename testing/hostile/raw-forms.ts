/** Requests that servers and proxies are known to parse differently. */

export type RawForm = {
  readonly name: string
  readonly bytes: string
  /** The most responses allowed: a second one means that a body was parsed as a request. */
  readonly most: number
  /** Allowed statuses of the first response; 0 if the connection closes without one. */
  readonly statuses: readonly number[]
}

const REFUSED = [400]
const SMUGGLED = 'GET /v1/smuggled HTTP/1.1\r\nhost: x\r\n\r\n'

const post = (...headers: readonly string[]) =>
  `POST /api/v2/simulate HTTP/1.1\r\nhost: x\r\n${headers.join('\r\n')}\r\n`

export const RAW_FORMS: readonly RawForm[] = [
  ...[
    ['length and chunks', `${post('content-length: 6', 'transfer-encoding: chunked')}\r\n0\r\n\r\n${SMUGGLED}`],
    ['chunks and length', `${post('transfer-encoding: chunked', 'content-length: 6')}\r\n0\r\n\r\n${SMUGGLED}`],
    ['two lengths', `${post('content-length: 0', 'content-length: 44')}\r\n${SMUGGLED}`],
    ['a list of lengths', `${post('content-length: 0, 44')}\r\n${SMUGGLED}`],
    ['a signed length', `${post('content-length: +5')}\r\n12345`],
    ['a negative length', `${post('content-length: -1')}\r\n`],
    ['a length in hexadecimal', `${post('content-length: 0x10')}\r\n${SMUGGLED}`],
    ['a length that overflows', `${post(`content-length: ${'9'.repeat(40)}`)}\r\n`],
    ['a space before the colon', `${post('content-length : 5')}\r\n12345`],
    ['chunks spelled wrong', `${post('transfer-encoding: xchunked')}\r\n0\r\n\r\n`],
    ['chunks not last', `${post('transfer-encoding: chunked, identity')}\r\n0\r\n\r\n`],
    ['chunks twice', `${post('transfer-encoding: chunked', 'transfer-encoding: x')}\r\n0\r\n\r\n`],
    ['chunks after a vertical tab', `${post('transfer-encoding:\vchunked')}\r\n0\r\n\r\n`],
    ['an invalid chunk size', `${post('transfer-encoding: chunked')}\r\nzz\r\n\r\n`],
    ['a chunk size that overflows', `${post('transfer-encoding: chunked')}\r\n${'f'.repeat(20)}\r\n`],
    ['a chunk that ends in a bare line feed', `${post('transfer-encoding: chunked')}\r\n1\na\n0\n\n${SMUGGLED}`],
    ['bare line feeds', 'GET /healthz HTTP/1.1\nhost: x\n\n'],
    ['bare carriage returns', 'GET /healthz HTTP/1.1\rhost: x\r\r'],
    ['a folded header', 'GET /healthz HTTP/1.1\r\nhost: x\r\nx-folded: a\r\n b\r\n\r\n'],
    ['a header without a name', 'GET /healthz HTTP/1.1\r\nhost: x\r\n: a\r\n\r\n'],
    ['NUL in a header', 'GET /healthz HTTP/1.1\r\nhost: x\r\nx-nul: a\0b\r\n\r\n'],
    ['NUL in the path', 'GET /healthz\0 HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['no host', 'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n'],
    ['an unknown HTTP version', 'GET /healthz HTTP/9.9\r\nhost: x\r\n\r\n'],
    ['HTTP/2 without negotiation', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unknown method', 'STEAL / HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['a TLS ClientHello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['spaces in the path', 'GET /v1/ev ents HTTP/1.1\r\nhost: x\r\n\r\n'],
  ].map(([name = '', bytes = '']) => ({ name, bytes, most: 1, statuses: REFUSED })),
  {
    // The 401 for the missing key may come before the body is found to be invalid.
    name: 'a chunk longer than its size',
    bytes: `${post('transfer-encoding: chunked')}\r\n1\r\nab\r\n0\r\n\r\n${SMUGGLED}`,
    most: 2,
    statuses: [400, 401],
  },
  {
    name: 'a whole URL as the target',
    bytes: 'GET http://evil.example/healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
    most: 1,
    statuses: [400, 404],
  },
  {
    name: 'CONNECT',
    bytes: 'CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example:443\r\n\r\n',
    most: 1,
    statuses: [0, 400, 404, 405],
  },
  {
    name: 'OPTIONS *',
    bytes: 'OPTIONS * HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
    most: 1,
    statuses: [400, 404],
  },
  {
    name: 'short chunk extensions',
    bytes: `${post('content-type: application/json', 'transfer-encoding: chunked', 'connection: close')}\r\n2;a=b\r\n{}\r\n0\r\n\r\n`,
    most: 1,
    statuses: [400, 401],
  },
  {
    name: 'very long chunk extensions',
    bytes: `${post('transfer-encoding: chunked')}\r\n2;${'a'.repeat(40_000)}\r\n{}\r\n0\r\n\r\n`,
    most: 1,
    statuses: [400, 401, 413],
  },
  {
    name: 'trailers that name headers',
    bytes: `${post('transfer-encoding: chunked', 'connection: close')}\r\n0\r\ncontent-length: 50\r\nx-api-key: a\r\n\r\n`,
    most: 1,
    statuses: [400, 401, 415],
  },
  {
    name: 'a body on GET is not the next request',
    bytes: `GET /healthz HTTP/1.1\r\nhost: x\r\ncontent-length: ${SMUGGLED.length}\r\nconnection: close\r\n\r\n${SMUGGLED}`,
    most: 1,
    statuses: [200, 415],
  },
  {
    name: 'too many bytes of headers',
    bytes: `GET /healthz HTTP/1.1\r\nhost: x\r\n${'x-a: b\r\n'.repeat(3_000)}\r\n`,
    most: 1,
    statuses: [400, 431],
  },
  {
    name: 'two thousand headers',
    bytes: `GET /healthz HTTP/1.1\r\nhost: x\r\n${'a:\r\n'.repeat(2_000)}connection: close\r\n\r\n`,
    most: 1,
    statuses: [200, 431],
  },
  {
    name: 'an upgrade to WebSocket',
    bytes:
      'GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: upgrade, close\r\nupgrade: websocket\r\nsec-websocket-key: a\r\n\r\n',
    most: 1,
    statuses: [200, 400],
  },
]
