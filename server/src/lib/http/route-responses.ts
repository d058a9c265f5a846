/** The error responses that every route can return; most are sent before its handler runs. */
export const errorResponses = <Schema>(error: Schema) => ({
  400: error,
  401: error,
  403: error,
  404: error,
  405: error,
  413: error,
  414: error,
  415: error,
  429: error,
  500: error,
  503: error,
})

/** The responses in the schema of a route: one success, and every error. */
export const routeResponses = <Success, Schema>(success: Success, error: Schema) => ({
  200: success,
  ...errorResponses(error),
})
