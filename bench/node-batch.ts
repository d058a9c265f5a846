/** Many calls to a local node, a thousand in a request. */
const CALLS_A_REQUEST = 1_000

export async function sendBatch(url: string, calls: readonly (readonly [string, ...unknown[]])[]): Promise<void> {
  for (let at = 0; at < calls.length; at += CALLS_A_REQUEST) {
    const body = calls
      .slice(at, at + CALLS_A_REQUEST)
      .map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }))
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const responses = (await response.json()) as readonly { readonly error?: { readonly message: string } }[]
    const failed = responses.find(({ error }) => error !== undefined)
    if (failed !== undefined) throw new Error(failed.error?.message)
  }
}
