/** A choice of the visitor that the browser keeps. If it blocks storage, the choice lasts until the page is left. */
const kept = new Map<string, string>()

export function findChoice(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined
  } catch {
    return kept.get(name)
  }
}

export function keepChoice(name: string, choice: string | undefined): void {
  if (choice === undefined) kept.delete(name)
  else kept.set(name, choice)
  try {
    if (choice === undefined) localStorage.removeItem(name)
    else localStorage.setItem(name, choice)
  } catch {
    // A visitor who blocks storage has chosen that nothing is kept.
  }
}
