import { readFileSync } from 'node:fs'
import { commandLineActor, recordOperatorChange } from '../../accounts/operator-changes.ts'
import { importRegistry, saveContract } from '../../control/registry/contracts.ts'
import { LIST_FORMATS, type ReadList, readList, UnknownListError } from '../../control/registry/lists.ts'
import { describeRegistryError, parseRegistry } from '../../control/registry/registry.ts'
import { withoutByteOrderMark } from '../../lib/byte-order-mark.ts'
import { plainText } from '../../lib/http/params.ts'
import {
  addressArgument,
  type Command,
  chainArgument,
  chooseFrom,
  fileFault,
  noteIfUnread,
  RefusedError,
  UsageError,
  withPlatform,
} from '../command.ts'

export const contractAdd: Command = {
  name: 'contract add',
  positionals: ['CHAIN', 'ADDRESS'],
  summary: 'Watch a contract, or set the name and protocol of a watched one',
  options: {
    name: { type: 'string', value: 'NAME', help: 'name of the contract' },
    protocol: { type: 'string', value: 'PROTOCOL', help: 'protocol of the contract' },
  },
  run: async (args) => {
    const [slug = '', text = ''] = args.positionals
    const chain = chainArgument(slug)
    const address = addressArgument(text)
    const [name, protocol] = [nameOf('name', args.text('name')), nameOf('protocol', args.text('protocol'))]
    const edit = { ...(name !== undefined && { name }), ...(protocol !== undefined && { protocol }) }
    return withPlatform(async ({ database }) => {
      const isNew = await saveContract(database, { chainId: chain.id, address }, edit)
      await recordOperatorChange(database, {
        actor: commandLineActor(),
        action: 'contract.save',
        subject: `${chain.slug} ${address}`,
        after: edit,
      })
      return {
        json: { chain: chain.slug, address, ...edit, isNew },
        lines: [`${chain.slug} ${address} is ${isNew ? 'now' : 'already'} watched.`, ...noteIfUnread(chain)],
      }
    })
  },
}

const nameText = plainText(128)

/** A name as the operator page takes it. */
function nameOf(option: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const { data, error } = nameText.safeParse(text)
  if (error !== undefined) throw new UsageError(`--${option} ${error.issues[0]?.message}.`)
  return data
}

export const registryImport: Command = {
  name: 'registry import',
  positionals: ['FILE|URL'],
  summary: 'Import contracts from a list of our own or of another project; names that you have set are kept',
  options: {
    format: {
      type: 'string',
      value: 'FORMAT',
      help: `format of the list instead of the one it looks like: ${LIST_FORMATS.join(', ')}`,
    },
    chain: { type: 'string', value: 'CHAIN', help: 'chain of a list that names none' },
  },
  run: async (args) => {
    const [source = ''] = args.positionals
    const format = chooseFrom('format', args.text('format'), LIST_FORMATS)
    const chain = args.text('chain')
    const list = await readJson(source)
    const { rows, skipped, ...read } = understood(source, list, {
      format,
      chain: chain === undefined ? undefined : chainArgument(chain).id,
    })
    const { contracts, errors } = parseRegistry(rows)
    if (errors.length > 0)
      throw new RefusedError(
        [
          `${source} has errors. Nothing was imported:`,
          ...errors.slice(0, MAX_ERRORS).map((error) => `  ${describeRegistryError(error)}`),
          ...(errors.length > MAX_ERRORS ? [`  and ${errors.length - MAX_ERRORS} more`] : []),
        ].join('\n'),
      )
    return withPlatform(async ({ database }) => {
      const result = await importRegistry(database, contracts)
      const actor = commandLineActor()
      const subject = withoutQuery(source)
      await recordOperatorChange(database, { actor, action: 'registry.import', subject, after: result })
      const left = Object.entries(skipped).filter(([, count]) => count > 0)
      return {
        json: { ...result, format: read.format, skipped },
        lines: [
          `Imported ${result.total} contracts (${read.format}): ${result.added} added, ${result.updated} updated.`,
          ...left.map(([reason, count]) => `  left out: ${count} (${reason})`),
        ],
      }
    })
  },
}

/** The query of a URL can have a key, and the audit trail is shown to other operators. */
const withoutQuery = (source: string): string => source.replace(/^(https?:\/\/[^?#]*)[?#].*$/s, '$1')

const MAX_ERRORS = 100
const MAX_BYTES = 100_000_000
const TIMEOUT_MS = 60_000

function understood(source: string, list: unknown, options: Parameters<typeof readList>[1]): ReadList {
  try {
    return readList(list, options)
  } catch (error) {
    if (error instanceof UnknownListError) throw new RefusedError(`${source}: ${error.message}`)
    throw error
  }
}

async function readJson(source: string): Promise<unknown> {
  try {
    const text = /^https?:\/\//.test(source) ? await download(source) : readFileSync(source, 'utf8')
    return JSON.parse(withoutByteOrderMark(text))
  } catch (error) {
    throw new RefusedError(`Cannot read ${source} as JSON: ${fileFault(error)}.`)
  }
}

async function download(url: string): Promise<string> {
  const response = await fetch(url, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { accept: 'application/json' },
  })
  if (!response.ok) throw new Error(`the server returned status ${response.status}`)
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES / 1_000_000} MB`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
