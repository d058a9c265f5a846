/**
 * One row of a registry list under reading.
 *
 * Owns the form of single fields, and remembers what was asked for: a misspelt field is a fault and not a silence.
 * What a whole row must be is in `registry.ts`.
 */

import { type Hex, isAddress } from 'viem'

/** `row` counts from 1; without one the fault is in the list itself. */
export type RegistryFault = { readonly row?: number; readonly field?: string; readonly reason: string }

export class RowFields {
  readonly isRow: boolean
  isFaulty = false
  readonly #row: Readonly<Record<string, unknown>>
  readonly #number: number
  readonly #faults: RegistryFault[]
  readonly #read = new Set<string>()

  constructor(row: unknown, number: number, faults: RegistryFault[]) {
    this.isRow = typeof row === 'object' && row !== null && !Array.isArray(row)
    this.#row = this.isRow ? (row as Record<string, unknown>) : {}
    this.#number = number
    this.#faults = faults
    if (!this.isRow) this.fault(undefined, 'is not an object')
  }

  fault(field: string | undefined, reason: string): void {
    this.isFaulty = true
    this.#faults.push({ row: this.#number, ...(field === undefined ? {} : { field }), reason })
  }

  chain(): string | number | undefined {
    const value = this.#take('chain')
    return typeof value === 'string' || typeof value === 'number' ? value : undefined
  }

  address(): Hex | undefined {
    const value = this.#take('address')
    const isWellFormed = typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)
    if (!isWellFormed) return this.#wrong('address', 'is not 0x and 40 hex digits')
    const lower = value.toLowerCase() as Hex
    const isPlain = value.slice(2) === lower.slice(2) || value.slice(2) === lower.slice(2).toUpperCase()
    if (!isPlain && !isAddress(value)) return this.#wrong('address', 'has a wrong checksum (EIP-55)')
    return /^0x0+$/.test(lower) ? this.#wrong('address', 'is the zero address') : lower
  }

  /** Up to 200 characters without line breaks and other controls: names end up in alerts and images. */
  text(field: string, isRequired = false): string | undefined {
    const value = this.#take(field)
    if (value === undefined) return isRequired ? this.#wrong(field, 'is missing') : undefined
    if (typeof value !== 'string' || value.trim() === '') return this.#wrong(field, 'is not a text')
    if (value.length > 200) return this.#wrong(field, 'is longer than 200 characters')
    return /\p{Cc}|\p{Cs}/u.test(value) ? this.#wrong(field, 'holds a control character') : value.trim()
  }

  count(field: string, most: number): number | undefined {
    const value = this.#take(field)
    if (value === undefined) return undefined
    const isCount = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most
    return isCount ? value : this.#wrong(field, `is not an integer from 0 to ${most}`)
  }

  flag(field: string): boolean | undefined {
    const value = this.#take(field)
    return value === undefined || typeof value === 'boolean' ? value : this.#wrong(field, 'is not true or false')
  }

  refuseUnread(): void {
    for (const field of Object.keys(this.#row)) if (!this.#read.has(field)) this.fault(field, 'is no field of a row')
  }

  #take(field: string): unknown {
    this.#read.add(field)
    return Object.hasOwn(this.#row, field) ? this.#row[field] : undefined
  }

  #wrong(field: string, reason: string): undefined {
    this.fault(field, reason)
    return undefined
  }
}
