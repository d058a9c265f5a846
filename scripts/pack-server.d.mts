export function packServer(folder: string, options?: { readonly web?: boolean }): string
