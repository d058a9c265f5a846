export type FoundAnvil = {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}
export function findAnvil(): FoundAnvil | { readonly reason: string }
export function installAnvil(): void
