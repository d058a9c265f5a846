/** `/api/auth/*`: signing up, in and out. These answers are the sign-in library's and no part of the OpenAPI page. */
import { failureOf } from './api-failure.ts'

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
  if (!answer.ok) throw failureOf(answer.status, body)
  return body
}
