/** Turns the arguments of a tool into an HTTP request, and its response into the result of the tool. */
import type { CallToolResult } from '@modelcontextprotocol/server'
import { fetchFault } from '../../lib/errors.ts'
import { parseToForward } from '../../lib/json.ts'
import { boundedResult } from './bounded-result.ts'
import type { DescribedTool } from './described-tools.ts'
import { OperationError } from './operation-error.ts'
import type { ToolDefinition } from './tools.ts'

export type OperationRequest = {
  readonly api: ToolDefinition['api']
  readonly method: 'GET' | 'POST'
  /** The path with its query. */
  readonly url: string
  readonly body: string | undefined
}
export type OperationResponse = {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly body: string
}

/** Sends a request with the caller's key. */
export type SendRequest = (request: OperationRequest) => Promise<OperationResponse>

export async function callTool(send: SendRequest, tool: DescribedTool, args: unknown): Promise<CallToolResult> {
  try {
    const response = await callOperation(send, tool, { ...tool.defaults, ...objectOf(args) })
    const chosen = tool.fields === undefined ? response : chooseFields(response, tool.fields)
    const { value, text, notes } = boundedResult(chosen, tool.pageSize)
    const content = [text, ...notes].map((part) => ({ type: 'text' as const, text: part }))
    return { content, structuredContent: value }
  } catch (error) {
    if (!(error instanceof OperationError)) throw error
    return { content: [{ type: 'text', text: error.message }], isError: true }
  }
}

/** Returns the body of the response. */
export async function callOperation(
  send: SendRequest,
  { api, method, path }: Pick<ToolDefinition, 'api' | 'method' | 'path'>,
  args: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const rest = new Map(Object.entries(args))
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const value = rest.get(name)
    rest.delete(name)
    return pathSegment(name, value)
  })
  const isPost = method === 'post'
  const response = await send({
    api,
    method: isPost ? 'POST' : 'GET',
    url: isPost ? filled : filled + queryOf(rest),
    body: isPost ? JSON.stringify(Object.fromEntries(rest)) : undefined,
  }).catch((error: unknown) => {
    throw new OperationError(`The service cannot be reached: ${fetchFault(error)}`)
  })
  const body = parseObject(response.body)
  if (response.status !== 200 || body === undefined) throw new OperationError(refusalOf(response, body))
  return body
}

function pathSegment(name: string, value: unknown): string {
  // Dot segments would name another path.
  if ((typeof value !== 'string' && typeof value !== 'number') || /^\.{0,2}$/.test(String(value)))
    throw new OperationError(`${name}: is missing or is not a text`)
  return encode(name, String(value))
}

function queryOf(args: ReadonlyMap<string, unknown>): string {
  const parts = [...args].map(([name, value]) => {
    if (!['string', 'number', 'boolean'].includes(typeof value))
      throw new OperationError(`${name}: must be a text, a number or a boolean`)
    return `${encode(name, name)}=${encode(name, String(value))}`
  })
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

/** A text with half of a surrogate pair has no encoding. */
function encode(name: string, text: string): string {
  if (!text.isWellFormed()) throw new OperationError(`${name.toWellFormed()}: is not valid Unicode`)
  return encodeURIComponent(text)
}

function refusalOf({ status, retryAfter }: OperationResponse, body: unknown): string {
  const { error, code } = objectOf(body)
  const { code: v1Code, message } = objectOf(error)
  const [name, reason] = [[v1Code, code].find(isText), [message, error].find(isText)]
  const text = `${name ?? status}: ${reason ?? 'The service returned no result.'}`
  return retryAfter === undefined ? text : `${text} (retry after ${retryAfter} seconds)`
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = parseToForward(text)
    return typeof value === 'object' && value !== null ? objectOf(value) : undefined
  } catch {
    return undefined
  }
}

function chooseFields(response: Readonly<Record<string, unknown>>, fields: readonly string[]) {
  const data = objectOf(response.data)
  return { ...response, data: Object.fromEntries(fields.map((name) => [name, data[name]])) }
}

const isText = (value: unknown): value is string => typeof value === 'string'

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
