import { readFileSync } from 'node:fs'
import { CHAINS, findChain } from '../../control/chains/chains.ts'
import { parseAddress } from '../../control/chains/parse-address.ts'
import { importRegistry, saveContract } from '../../control/registry/contracts.ts'
import { describeFault, parseRegistry } from '../../control/registry/registry.ts'
import { reasonOf } from '../../lib/errors.ts'
import { type Command, onGround, RefusedError, UsageError } from '../command.ts'

export const contractAdd: Command = {
  words: 'contract add',
  positionals: ['CHAIN', 'ADDRESS'],
  summary: 'Puts a contract under watch, or names one that is',
  options: {
    name: { type: 'string', value: 'N', help: 'what it is called' },
    protocol: { type: 'string', value: 'P', help: 'the protocol it belongs to' },
  },
  run: async (given) => {
    const [slug = '', text = ''] = given.positionals
    const chain = findChain(slug)
    if (chain === undefined)
      throw new UsageError(`CHAIN must be one of ${CHAINS.map((known) => known.slug).join(', ')}, or its chain id`)
    const parsed = parseAddress(text)
    if ('refusal' in parsed) throw new UsageError(`ADDRESS ${parsed.refusal}`)
    const [name, protocol] = [given.text('name'), given.text('protocol')]
    const edit = { ...(name !== undefined && { name }), ...(protocol !== undefined && { protocol }) }
    return onGround(async ({ database }) => {
      const isNew = await saveContract(database, { chainId: chain.id, address: parsed.address }, edit)
      const { address } = parsed
      return {
        json: { chain: chain.slug, address, ...edit, isNew },
        lines: [`${chain.slug} ${address} is ${isNew ? 'now' : 'already'} under watch.`],
      }
    })
  },
}

export const registryImport: Command = {
  words: 'registry import',
  positionals: ['FILE'],
  summary: 'Brings in contracts from a JSON file; your own names are never overwritten',
  run: async ({ positionals: [file = ''] }) => {
    const { contracts, faults } = parseRegistry(readJson(file))
    if (faults.length > 0)
      throw new RefusedError(
        [`${file} has faults, nothing was brought in:`, ...faults.map((fault) => `  ${describeFault(fault)}`)].join(
          '\n',
        ),
      )
    return onGround(async ({ database }) => {
      const result = await importRegistry(database, contracts)
      return { json: result, lines: [`${result.added} added, ${result.updated} updated, of ${result.total}.`] }
    })
  },
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new RefusedError(`${file} cannot be read as JSON (${reasonOf(error)}).`)
  }
}
