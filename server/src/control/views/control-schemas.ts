/** Response schemas of who controls a contract: its tree, its history, and its past. */
import { z } from 'zod'
import { EFFECTS, POWER_CLASSES } from '../../../../vocabulary/powers.ts'
import { instant } from '../../lib/http/params.ts'
import { controlNode, controlProfile, label, power, tone } from './schemas.ts'

const upgradedFunction = z.object({
  selector: z.string(),
  signature: z.string().nullable().describe('Null if it is not in the table of published packages'),
  access: z.string().describe('Who may call it'),
})
const upgradedPower = z.object({ effect: z.enum(EFFECTS), class: z.enum(POWER_CLASSES), label })

const upgrade = z
  .object({
    at: instant.describe('When the poll found it'),
    blockNumber: z.int(),
    summary: z.array(z.string()).describe('One sentence for each kind of change, most harmful first'),
    functionsAdded: z.array(upgradedFunction),
    functionsRemoved: z.array(upgradedFunction),
    guardsChanged: z.array(upgradedFunction.extend({ previousAccess: z.string() })),
    powersGained: z.array(upgradedPower),
    powersLost: z.array(upgradedPower),
    powersWeakened: z.array(upgradedPower.extend({ previousLabel: label })),
    openInitializers: z
      .array(upgradedFunction)
      .describe('Functions that set up the contract and that a simulated unprivileged caller could call'),
    isComplete: z.boolean().describe('False if a list was cut'),
  })
  .meta({ id: 'Upgrade' })

/** Who controls a contract, and what they can do. */
export const controlled = z.object({
  profile: controlProfile,
  powers: z.array(power).nullable(),
  stale: z.boolean().describe('The last poll could not read everything'),
  kind: z.string(),
  blockNumber: z.int(),
  tree: controlNode,
  powerPaths: z
    .array(z.object({ effects: z.array(z.enum(EFFECTS)), node: controlNode }))
    .describe('Holders of powers other than to upgrade, with the accounts behind them'),
})

export const check = z
  .object({
    chain: z.object({ id: z.int(), slug: z.string() }),
    address: z.string(),
    state: z.enum(['waiting', 'done', 'failed']),
    requestedAt: instant,
    checkedAt: instant.nullable(),
    failure: z.string().nullable().describe('Why the contract could not be checked'),
    control: controlled.nullable().describe('Null until the check is done, and where there is no contract'),
  })
  .meta({ id: 'ContractCheck' })

const moment = z.object({ at: instant, blockNumber: z.int() })

const labelChange = z.object({
  at: instant,
  blockNumber: z.int(),
  from: label.nullable(),
  fromText: z.string().nullable().describe('The label in words, as it was shown'),
  fromTone: tone.nullable(),
  to: label,
  toText: z.string().describe('The label in words, as it was shown'),
  toTone: tone,
  cause: z.array(z.record(z.string(), z.unknown())),
})

const polledState = z.object({
  takenAt: instant,
  blockNumber: z.int(),
  polledAt: instant,
  polledBlock: z.int(),
  fields: z.record(z.string(), z.string().nullable()),
})

export const control = controlled
  .extend({
    updatedAt: instant,
    disagreements: z
      .array(
        z.object({
          field: z.string(),
          since: instant,
          values: z.array(z.string().nullable()).describe('One per endpoint; null if the contract has none'),
        }),
      )
      .describe('Fields for which two RPC endpoints have returned different values for ten minutes or longer'),
    upgrades: z.array(upgrade).describe('What each change of the running code altered, newest first'),
    labels: z.array(labelChange),
    states: z.array(polledState),
    versions: z.array(moment).describe('When the control tree, the reasons or the powers changed, newest first'),
    isUpdating: z
      .boolean()
      .describe('An event may have changed the state, and the poll that reads it is still to come'),
  })
  .meta({ id: 'Control' })

export const pastControl = z
  .object({
    from: moment.describe('The last change until then'),
    until: moment.nullable().describe('The first change since; null if there is none'),
    label: labelChange.nullable().describe('The change to the label of that time'),
    state: polledState.nullable(),
    control: controlled.nullable().describe('Null if it was not recorded then'),
  })
  .meta({ id: 'PastControl' })
