import { readFileSync } from 'node:fs'
import { commandLineActor, recordOperatorChange } from '../../accounts/operator-changes.ts'
import { importRegistry, saveContract } from '../../control/registry/contracts.ts'
import { describeRegistryError, parseRegistry } from '../../control/registry/registry.ts'
import { reasonOf } from '../../lib/errors.ts'
import { addressArgument, type Command, chainArgument, RefusedError, withPlatform } from '../command.ts'

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
    const [name, protocol] = [args.text('name'), args.text('protocol')]
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
        lines: [`${chain.slug} ${address} is ${isNew ? 'now' : 'already'} watched.`],
      }
    })
  },
}

export const registryImport: Command = {
  name: 'registry import',
  positionals: ['FILE'],
  summary: 'Import contracts from a JSON file; each needs a chain and an address; names that you have set are kept',
  run: async ({ positionals: [file = ''] }) => {
    const { contracts, errors } = parseRegistry(readJson(file))
    if (errors.length > 0)
      throw new RefusedError(
        [
          `${file} has errors. Nothing was imported:`,
          ...errors.map((error) => `  ${describeRegistryError(error)}`),
        ].join('\n'),
      )
    return withPlatform(async ({ database }) => {
      const result = await importRegistry(database, contracts)
      const actor = commandLineActor()
      await recordOperatorChange(database, { actor, action: 'registry.import', subject: file, after: result })
      return {
        json: result,
        lines: [`Imported ${result.total} contracts: ${result.added} added, ${result.updated} updated.`],
      }
    })
  },
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new RefusedError(`Cannot read ${file} as JSON: ${reasonOf(error)}`)
  }
}
