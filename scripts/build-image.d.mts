export const HEALTH_CHECK: readonly string[]
export function buildImage(folder: string): string
