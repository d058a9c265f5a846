/** SQL of stored code analyses, and the version of the analyzer they belong to. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ExceededLimit } from '../../../../vocabulary/reasons.ts'
import type { Hex } from '../../lib/hex.ts'
import { toBytes, toDigits, toHex } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'

export type CodeAnalysisStore = {
  /** The text of the stored facts by code hash, see `textOfFacts`. */
  readonly load: (codeHashes: readonly Hex[]) => Promise<ReadonlyMap<Hex, string>>
  readonly save: (codeHash: Hex, text: string, exceeded: ExceededLimit | undefined) => Promise<void>
}

/** A slow machine may exceed the CPU budget with code that another one follows, so those are analyzed again. */
const REPEAT_AFTER_HOURS = 24

export function createCodeAnalysisStore(database: Queryable, version: string): CodeAnalysisStore {
  return {
    load: async (codeHashes) => {
      const { rows } = await database.query<{ code_hash: Buffer; facts: string }>({
        name: 'load_code_analyses',
        text: sql`select code_hash, facts from code_analysis
               where analyzer_version = $1 and code_hash in (select decode(digits, 'hex') from unnest($2::text[]) as digits)
                 and (exceeded is distinct from 'time' or analyzed_at > now() - $3 * interval '1 hour')`,
        values: [version, codeHashes.map(toDigits), REPEAT_AFTER_HOURS],
      })
      return new Map(rows.map((row) => [toHex(row.code_hash), row.facts]))
    },
    save: async (codeHash, text, exceeded) => {
      await database.query({
        name: 'save_code_analysis',
        text: sql`insert into code_analysis (code_hash, analyzer_version, facts, exceeded) values ($1, $2, $3, $4)
               on conflict (code_hash, analyzer_version) do update
                 set facts = excluded.facts, exceeded = excluded.exceeded, analyzed_at = now()`,
        values: [toBytes(codeHash), version, text, exceeded ?? null],
      })
    },
  }
}

/** Deletes the analyses of other versions, which no process of this version reads. */
export async function deleteOldAnalyses(database: Queryable, version: string): Promise<void> {
  await database.query(
    sql`delete from code_analysis where analyzer_version <> $1 and analyzed_at < now() - interval '30 days'`,
    [version],
  )
}

const ANALYZER = new URL('../profile/code-facts.ts', import.meta.url)

/** The hash of the analyzer's source: a changed analyzer analyzes again. Its limits are part of the source. */
export function analyzerVersion(entry: URL = ANALYZER): string {
  const hash = createHash('sha256')
  const seen = new Set<string>()
  const add = (file: URL): void => {
    if (seen.has(file.href)) return
    seen.add(file.href)
    const source = readFileSync(file, 'utf8')
    hash.update(source)
    for (const [, path = ''] of source.matchAll(
      /^(?:import (?!type )|export |\} ).*from '(\.[^']+)'(?: with \{ type: 'json' \})?$/gm,
    ))
      add(new URL(path, file))
  }
  add(entry)
  return hash.digest('hex').slice(0, 16)
}
