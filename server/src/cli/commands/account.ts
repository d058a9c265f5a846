import { type Account, changePlans, createAccount, getAccounts } from '../../accounts/accounts.ts'
import { MONITOR_PLANS, UTXO_PLANS } from '../../accounts/plans.ts'
import { createLogger } from '../../lib/log.ts'
import { requireSchema } from '../../platform/migrate.ts'
import {
  type Command,
  chooseFrom,
  type Given,
  onGround,
  type Printable,
  RefusedError,
  required,
  UsageError,
} from '../command.ts'

const PLAN_OPTIONS = {
  plan: { type: 'string', value: MONITOR_PLANS.join('|'), help: 'plan for interface v1' },
  'utxo-plan': { type: 'string', value: UTXO_PLANS.join('|'), help: 'plan for interface v2' },
} as const

function planChange(given: Given) {
  const plan = chooseFrom('plan', given.text('plan'), MONITOR_PLANS)
  const utxoPlan = chooseFrom('utxo-plan', given.text('utxo-plan'), UTXO_PLANS)
  return { ...(plan !== undefined && { plan }), ...(utxoPlan !== undefined && { utxoPlan }) }
}

export const accountCreate: Command = {
  words: 'account create',
  summary: 'Makes an account',
  options: {
    email: { type: 'string', value: 'E', help: 'e-mail address to sign in with' },
    password: { type: 'string', value: 'P', help: 'password to sign in with' },
    ...PLAN_OPTIONS,
    operator: { type: 'boolean', help: 'may see all accounts and traffic' },
  },
  run: async (given) => {
    const email = required('email', given.text('email'))
    const password = required('password', given.text('password'))
    const change = { ...planChange(given), ...(given.flag('operator') && { operator: true }) }
    return onGround(async ({ database, authSecret, publicUrl }) => {
      const { createAuth } = await import('../../accounts/auth.ts') // slow to load, and needed by no other command
      const log = createLogger({ level: 'warn', destination: process.stderr })
      const auth = createAuth({ database, secret: authSecret, publicUrl, origins: [], mailer: undefined, log })
      return printed(await createAccount({ auth, database }, { email, password, ...change }), 'made')
    })
  },
}

export const accountPlan: Command = {
  words: 'account plan',
  positionals: ['EMAIL'],
  summary: "Changes an account's plans, at once in every process",
  options: PLAN_OPTIONS,
  run: async (given) => {
    const [email = ''] = given.positionals
    const change = planChange(given)
    if (Object.keys(change).length === 0) throw new UsageError('say which: --plan or --utxo-plan')
    return onGround(async ({ database }) => {
      const account = await changePlans(database, email, change)
      if (account === undefined) throw new RefusedError(`There is no account for ${email}.`)
      return printed(account, 'changed')
    })
  },
}

export const accountList: Command = {
  words: 'account list',
  summary: 'Lists all accounts',
  run: () =>
    onGround(async ({ database }) => {
      await requireSchema(database)
      const accounts = await getAccounts(database)
      return { json: accounts, lines: accounts.length === 0 ? ['There is no account yet.'] : accounts.map(lineOf) }
    }, 'none'),
}

const lineOf = ({ email, plan, utxoPlan, operator }: Account): string =>
  `${email}  ${plan}  ${utxoPlan}${operator ? '  operator' : ''}`

const printed = (account: Account, done: string): Printable => ({
  json: account,
  lines: [`Account ${done}: ${lineOf(account)}`],
})
