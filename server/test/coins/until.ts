/** Asks again until the answer is there. The test runner's own limit ends a wait that has no end. */
export async function until<T>(ask: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    await new Promise((resolve) => {
      setTimeout(resolve, 10)
    })
  }
}
