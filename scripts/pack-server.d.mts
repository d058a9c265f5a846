export function packServer(folder: string, options?: { readonly web?: boolean }): string
export const SERVER_PARTS: readonly string[]
