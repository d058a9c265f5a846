/** `/api/auth/*`: signing up, in and out. These answers are the sign-in library's and no part of the OpenAPI page. */
import { ApiFailure, failureOf } from './api-failure.ts'

export async function authPost(path: string, body: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
  return answerOf(
    await fetch(`/api/auth${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  )
}

export const authGet = async (path: string, signal: AbortSignal): Promise<unknown> =>
  answerOf(await fetch(`/api/auth${path}`, { signal }))

async function answerOf(answer: Response): Promise<unknown> {
  const body: unknown = await answer.json().catch(() => undefined)
  if (!answer.ok) throw refusalOf(answer.status, body)
  return body
}

/** The library has a shape of its own; limits and faults are answered in the service's. */
function refusalOf(status: number, body: unknown): ApiFailure {
  if (typeof body !== 'object' || body === null || !('message' in body)) return failureOf(status, body)
  const { code, message } = body as { readonly code?: string; readonly message: string }
  return new ApiFailure(status, code ?? 'unknown', message)
}
