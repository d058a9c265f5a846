/** Every status a route may be refused with: most of them come before its own code, or from beneath it. */
export const refusals = <Refusal>(refusal: Refusal) => ({
  400: refusal,
  401: refusal,
  403: refusal,
  404: refusal,
  405: refusal,
  413: refusal,
  414: refusal,
  415: refusal,
  429: refusal,
  500: refusal,
  503: refusal,
})

/** The answers of a route as its description lists them: one success, and every refusal. */
export const routeAnswers = <Success, Refusal>(success: Success, refusal: Refusal) => ({
  200: success,
  ...refusals(refusal),
})
