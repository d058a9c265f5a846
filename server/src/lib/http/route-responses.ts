/** The responses of a route, as OpenAPI describes them: its success, and only the refusals that it can give. */
import type { RouteOptions } from 'fastify'

/** Statuses that a hook or the handler of a route refuses requests with. */
export type Refusal = 401 | 403 | 404 | 409 | 422 | 429 | 503

/** Refusals of every route, and internal errors. Routes without a body do not give 413 and 415 (`http/openapi.ts`). */
type CommonRefusal = 400 | 413 | 414 | 415 | 500

export const errorResponses = <Schema>(error: Schema, refusals: readonly Refusal[] = []) =>
  Object.fromEntries([400, 413, 414, 415, 500, ...refusals].map((status) => [status, error])) as {
    readonly [status in CommonRefusal]: Schema
  }

/** The responses in the schema of a route: one success, and the refusals. */
export const routeResponses = <Success, Schema>(
  success: Success,
  error: Schema,
  refusals: readonly Refusal[] = [],
) => ({
  ...errorResponses(error, refusals),
  200: success,
})

/**
 * Returns an `onRoute` hook for a plugin whose request hooks refuse requests: it adds these refusals, and the
 * credentials that avoid them, to the description of each route.
 */
export const describeGuard =
  (
    error: unknown,
    refusalsOf: (route: RouteOptions) => readonly Refusal[],
    security?: readonly Readonly<Record<string, readonly string[]>>[],
  ) =>
  (route: RouteOptions): void => {
    if (route.schema === undefined) return
    const { response } = route.schema as { response?: object }
    route.schema = {
      ...route.schema,
      ...(security !== undefined && { security }),
      response: { ...errorResponses(error, refusalsOf(route)), ...response },
    }
  }
