/** Requests to `/api/auth/*` (sign up, in and out), which the sign-in library serves outside the OpenAPI document. */
import { ApiError, apiErrorOf } from './api-error.ts'

export async function authPost(path: string, body: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
  return bodyOf(
    await fetch(`/api/auth${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  )
}

export const authGet = async (path: string, signal: AbortSignal): Promise<unknown> =>
  bodyOf(await fetch(`/api/auth${path}`, { signal }))

async function bodyOf(response: Response): Promise<unknown> {
  const body: unknown = await response.json().catch(() => undefined)
  if (!response.ok) throw authErrorOf(response.status, body)
  return body
}

/** The library has its own error shape. Rate limits and server errors have the shape of the service. */
function authErrorOf(status: number, body: unknown): ApiError {
  if (typeof body !== 'object' || body === null || !('message' in body)) return apiErrorOf(status, body)
  const { code, message } = body as { readonly code?: string; readonly message: string }
  return new ApiError(status, code ?? 'unknown', message)
}
