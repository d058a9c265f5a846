/** Reads a stream of server-sent events as the standard describes it. */

export type SseMessage = { readonly event: string; readonly data: string; readonly id: string }

export type SseReader = {
  readonly status: number
  /** Messages so far. */
  readonly messages: readonly SseMessage[]
  /** The id that a client sends when it connects again. */
  readonly lastId: () => string
  /** Returns when there are `count` messages, or the stream ended. */
  readonly until: (count: number) => Promise<void>
  readonly ended: Promise<void>
  readonly close: () => void
}

export async function openStream(url: string, headers: Readonly<Record<string, string>>): Promise<SseReader> {
  const stopped = new AbortController()
  const response = await fetch(url, { headers, signal: stopped.signal })
  const messages: SseMessage[] = []
  let lastId = ''
  let hasEnded = false
  const waiting = new Set<() => void>()
  const notify = (): void => {
    for (const check of waiting) check()
  }

  const parse = (block: string): void => {
    const fields = block.split('\n').map((line) => /^([a-z]*): ?(.*)$/.exec(line) ?? [])
    const valueOf = (name: string): string | undefined => fields.findLast(([, field]) => field === name)?.[2]
    lastId = valueOf('id') ?? lastId
    const data = valueOf('data')
    if (data !== undefined) messages.push({ event: valueOf('event') ?? 'message', data, id: lastId })
  }
  const read = async (): Promise<void> => {
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      blocks.forEach(parse)
      notify()
    }
  }
  const ended = read()
    .catch(() => undefined)
    .finally(() => {
      hasEnded = true
      notify()
    })
  return {
    status: response.status,
    messages,
    lastId: () => lastId,
    until: (count) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (messages.length < count && !hasEnded) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
    ended,
    close: () => stopped.abort(),
  }
}
