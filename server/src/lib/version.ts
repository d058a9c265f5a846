import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export function ownVersion(): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'),
  )
  return version
}
