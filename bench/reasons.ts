/** Why a figure fell short when it last did, as far as it is known, by the name of its result. */
export const REASONS: Readonly<Record<string, string>> = {}
