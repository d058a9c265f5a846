import type { ProjectedBlock } from '../../api/use-coins.ts'

/** Virtual bytes a block has room for. */
export const FULL_BLOCK = 1_000_000

/** Shares of a block's bytes, cheapest first, that its rates are told for. */
export const SHARES: readonly number[] = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1]

export const medianOf = ({ rates }: ProjectedBlock): number => rates[SHARES.indexOf(0.5)] ?? 0
