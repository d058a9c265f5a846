/** The answers of a keyed route as its description lists them: one success, and every status it may be refused with. */
export const routeAnswers = <Success, Refusal>(success: Success, refusal: Refusal) => ({
  200: success,
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
