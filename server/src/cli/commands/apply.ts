import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { findAccount } from '../../accounts/accounts.ts'
import { commandLineActor, recordOperatorChange } from '../../accounts/operator-changes.ts'
import { loadConfig } from '../../config/config.ts'
import { importMonitors } from '../../control/alerts/monitor-import.ts'
import { applySubscriptions, SubscriptionFileError, subscriptionFile } from '../../control/alerts/subscription-file.ts'
import { addChains } from '../../control/chains/chains.ts'
import { reasonOf } from '../../lib/errors.ts'
import { parseYamlFile } from '../../lib/yaml-file.ts'
import { type Command, parseOrRefuse, RefusedError, readText, required, withPlatform } from '../command.ts'

const MARKS = { add: '+', change: '~', delete: '-' } as const

export const applyCommand: Command = {
  name: 'apply',
  positionals: ['FILE'],
  summary: 'Make the subscriptions of an account equal to those of a file',
  options: { 'dry-run': { type: 'boolean', help: 'report what would change, and change nothing' } },
  run: async (args) => {
    const [file = ''] = args.positionals
    const isTrial = args.flag('dry-run')
    const { data } = parseOrRefuse(file, () => parseYamlFile(readText(file), subscriptionFile))
    return withPlatform(async ({ database }) => {
      const account = await findAccount(database, data.account)
      if (account === undefined)
        throw new RefusedError(`There is no account for ${data.account}. List accounts with: gatewatch account list`)
      const changes = await applySubscriptions(database, account.id, data.subscriptions, { isTrial }).catch(
        (error: unknown) => {
          throw error instanceof SubscriptionFileError ? new RefusedError(`${file}: ${error.message}`) : error
        },
      )
      if (!isTrial && changes.length > 0)
        await recordOperatorChange(database, {
          actor: commandLineActor(),
          action: 'subscriptions.apply',
          subject: account.email,
          after: { changes: changes.length },
        })
      const verb = isTrial ? 'would change' : 'changed'
      return {
        json: { account: account.email, isTrial, changes },
        lines: [
          ...changes.map(
            ({ action, target, fields }) =>
              `${MARKS[action]} ${target}${fields.length === 0 ? '' : `: ${fields.join(', ')}`}`,
          ),
          changes.length === 0
            ? `The ${data.subscriptions.length} subscriptions of ${account.email} are as in ${file}.`
            : `${changes.length} of the subscriptions of ${account.email} ${verb}.`,
        ],
      }
    })
  },
}

export const monitorImport: Command = {
  name: 'monitor import',
  positionals: ['FOLDER'],
  summary: 'Write the monitors of OpenZeppelin Monitor as a file for apply, and name what cannot be imported',
  options: {
    account: { type: 'string', value: 'EMAIL', help: 'account that gets the subscriptions' },
    output: { type: 'string', value: 'FILE', help: 'file to write' },
    partial: { type: 'boolean', help: 'write the file although something cannot be imported' },
  },
  run: async (args) => {
    const [folder = ''] = args.positionals
    const [account, output] = [required('account', args.text('account')), required('output', args.text('output'))]
    addChains(loadConfig(process.env, process.cwd()).chains)
    const { subscriptions, refusals, notes } = importMonitors({
      monitors: filesIn(join(folder, 'monitors')),
      networks: filesIn(join(folder, 'networks')),
      triggers: filesIn(join(folder, 'triggers')),
    })
    const isWritten = subscriptions.length > 0 && (refusals.length === 0 || args.flag('partial'))
    if (isWritten) writeFileSync(output, stringify({ version: 1, account, subscriptions }))
    return {
      json: { subscriptions, refusals, notes, output: isWritten ? output : null },
      lines: [
        ...refusals.map((refusal) => `refused: ${refusal}`),
        ...notes.map((note) => `note: ${note}`),
        isWritten
          ? `${output} has ${subscriptions.length} subscriptions. Next: gatewatch apply ${output} --dry-run`
          : subscriptions.length === 0
            ? 'Nothing was written: no monitor can be imported.'
            : 'Nothing was written. With --partial, the importable monitors are written.',
      ],
      isFailure: refusals.length > 0,
    }
  },
}

function filesIn(folder: string): readonly unknown[] {
  let names: readonly string[]
  try {
    names = readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort()
  } catch (error) {
    throw new RefusedError(`Cannot read the folder ${folder}: ${reasonOf(error)}`)
  }
  return names.map((name) => {
    const file = join(folder, name)
    try {
      return JSON.parse(readText(file)) as unknown
    } catch (error) {
      throw new RefusedError(`Cannot read ${file} as JSON: ${reasonOf(error)}`)
    }
  })
}
