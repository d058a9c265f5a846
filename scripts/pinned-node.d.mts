export function linkPinnedNode(modules: string): boolean
