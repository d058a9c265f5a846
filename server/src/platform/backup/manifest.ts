/** The manifest of a backup: its version, tables and sequences. */
import { z } from 'zod'
import { GatewatchError } from '../../lib/errors.ts'

export class BackupError extends GatewatchError {
  override readonly code = 'backup_unusable'
  override readonly retryable = false
}

export const FORMAT = 1

export const manifest = z.object({
  format: z.literal(FORMAT),
  version: z.string(),
  madeAt: z.iso.datetime(),
  /** The migrations that the rows were written under. */
  migrations: z.array(z.object({ number: z.int(), checksum: z.string() })),
  tables: z.array(
    z.object({
      name: z.string(),
      columns: z.array(z.string()),
      partition: z.object({ of: z.string(), bounds: z.string() }).optional(),
      rows: z.int(),
    }),
  ),
  sequences: z.array(z.object({ name: z.string(), value: z.int(), isCalled: z.boolean() })),
  /** Folders with a copy of a coin index. */
  coinIndexes: z.array(z.string()),
})
export type Manifest = z.infer<typeof manifest>
