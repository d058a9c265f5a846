import { createInterface } from 'node:readline'
import {
  type Account,
  changePlans,
  createAccount,
  findAccount,
  getAccounts,
  removeTwoFactor,
} from '../../accounts/accounts.ts'
import { commandLineActor, recordOperatorChange } from '../../accounts/operator-changes.ts'
import { MONITOR_PLANS, UTXO_PLANS } from '../../accounts/plans.ts'
import { requireSchema } from '../../platform/migrate.ts'
import {
  type Arguments,
  type Command,
  chooseFrom,
  type Printable,
  RefusedError,
  required,
  UsageError,
  withPlatform,
} from '../command.ts'

const byCommand = { actor: commandLineActor() }

const PLAN_OPTIONS = {
  plan: { type: 'string', value: MONITOR_PLANS.join('|'), help: 'plan for the v1 API' },
  'utxo-plan': { type: 'string', value: UTXO_PLANS.join('|'), help: 'plan for the v2 API' },
} as const

function planChange(args: Arguments) {
  const plan = chooseFrom('plan', args.text('plan'), MONITOR_PLANS)
  const utxoPlan = chooseFrom('utxo-plan', args.text('utxo-plan'), UTXO_PLANS)
  return { ...(plan !== undefined && { plan }), ...(utxoPlan !== undefined && { utxoPlan }) }
}

export const accountCreate: Command = {
  name: 'account create',
  summary: 'Create an account',
  options: {
    email: { type: 'string', value: 'EMAIL', help: 'e-mail address for signing in' },
    password: {
      type: 'string',
      value: 'PASSWORD',
      help: 'password for signing in; other users of the machine can see it',
    },
    'password-stdin': { type: 'boolean', help: 'read the password from the first line of standard input' },
    ...PLAN_OPTIONS,
    operator: { type: 'boolean', help: 'let the account manage all accounts and read all traffic' },
  },
  run: async (args) => {
    const email = required('email', args.text('email'))
    const password = await passwordOf(args)
    const change = { ...planChange(args), ...(args.flag('operator') && { operator: true }) }
    return withPlatform(async ({ database }) => {
      const account = await createAccount(database, { email, password, ...change })
      const { plan, utxoPlan, operator } = account
      const after = { plan, utxoPlan, operator }
      await recordOperatorChange(database, { ...byCommand, action: 'account.create', subject: account.email, after })
      return printed(account, 'created')
    })
  },
}

/** Arguments of a process are visible to other users of the machine, standard input is not. */
async function passwordOf(args: Arguments): Promise<string> {
  const given = args.text('password')
  if (!args.flag('password-stdin')) {
    if (given === undefined || given === '') throw new UsageError('Give --password-stdin or --password.')
    return given
  }
  if (given !== undefined) throw new UsageError('Give --password-stdin or --password, not both.')
  for await (const line of createInterface({ input: process.stdin })) return line
  throw new UsageError('Standard input has no password.')
}

export const accountPlan: Command = {
  name: 'account plan',
  positionals: ['EMAIL'],
  summary: 'Change the plans of an account',
  options: PLAN_OPTIONS,
  run: async (args) => {
    const [email = ''] = args.positionals
    const change = planChange(args)
    if (Object.keys(change).length === 0) throw new UsageError('Nothing to change. Give --plan, --utxo-plan or both.')
    return withPlatform(async ({ database }) => {
      const before = await findAccount(database, email)
      const account = await changePlans(database, email, change)
      if (before === undefined || account === undefined)
        throw new RefusedError(`There is no account for ${email}. List accounts with: gatewatch account list`)
      const plansOf = ({ plan, utxoPlan }: Account) => ({ plan, utxoPlan })
      await recordOperatorChange(database, {
        ...byCommand,
        action: 'account.plan',
        subject: account.email,
        before: plansOf(before),
        after: plansOf(account),
      })
      return printed(account, 'changed')
    })
  },
}

export const accountRemoveCodes: Command = {
  name: 'account remove-codes',
  positionals: ['EMAIL'],
  summary: 'Let an account that has lost its one-time codes sign in without them; ends its sessions',
  run: ({ positionals: [email = ''] }) =>
    withPlatform(async ({ database }) => {
      const account = await removeTwoFactor(database, email)
      if (account === undefined)
        throw new RefusedError(`There is no account for ${email}. List accounts with: gatewatch account list`)
      await recordOperatorChange(database, { ...byCommand, action: 'account.remove-codes', subject: account.email })
      return printed(account, 'changed')
    }),
}

export const accountList: Command = {
  name: 'account list',
  summary: 'List all accounts',
  run: () =>
    withPlatform(async ({ database }) => {
      await requireSchema(database)
      const accounts = await getAccounts(database)
      return { json: accounts, lines: accounts.length === 0 ? ['There are no accounts.'] : accounts.map(lineOf) }
    }, 'read'),
}

const lineOf = ({ email, plan, utxoPlan, operator }: Account): string =>
  `${email}  v1 plan ${plan}  v2 plan ${utxoPlan}${operator ? '  operator' : ''}`

const printed = (account: Account, done: string): Printable => ({
  json: account,
  lines: [`Account ${done}: ${lineOf(account)}`],
})
