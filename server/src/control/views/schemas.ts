/** Response schemas of `/v1`. They serialize responses and define the OpenAPI document. */
import { z } from 'zod'
import { CATEGORIES } from '../../../../vocabulary/categories.ts'
import { LABELS } from '../../../../vocabulary/labels.ts'
import {
  PENDING_FAMILIES,
  PENDING_STATES,
  type PendingFamily,
  SIMULATION_PROBLEM_TEXTS,
  type SimulationProblem,
} from '../../../../vocabulary/pending.ts'
import { EFFECTS, POWER_CLASSES } from '../../../../vocabulary/powers.ts'
import { SEVERITIES } from '../../../../vocabulary/severities.ts'
import { instant, jsonObject, uint256 } from '../../lib/http/params.ts'

export const severity = z.enum(SEVERITIES)
const category = z.enum(CATEGORIES)

export const account = z.string().describe('0x and 40 lower-case hexadecimal characters')

export const envelope = <Data extends z.ZodType>(data: Data) =>
  z.object({
    data,
    nextCursor: z.string().nullable().describe('Opaque; null on the last page and on every single object'),
  })

export const contractName = z.object({
  name: z.string().nullable(),
  protocol: z.string().nullable(),
  kind: z.string().nullable(),
})

export const event = z
  .object({
    id: z.int(),
    chainId: z.int(),
    chainSlug: z.string(),
    blockNumber: z.int(),
    blockTime: instant,
    txHash: z.string(),
    logIndex: z.int(),
    address: account.describe('The emitting contract'),
    eventKey: z.string(),
    category,
    severity,
    args: jsonObject,
    isInit: z.boolean().describe('True for deployment-time events'),
    contract: contractName,
  })
  .meta({ id: 'Event' })

/** An event in `/v1/events`. */
export const feedEvent = event
  .extend({
    retracted: z
      .boolean()
      .optional()
      .describe('Only with after: true if a reorg removed the event, false if it was published'),
  })
  .meta({ id: 'FeedEvent' })

export const controlProfile = z
  .object({
    label: z.enum(['immutable', 'single_key', 'multisig', 'timelocked', 'short_timelock', 'unknown']),
    text: z.string().describe('The label as a text to show'),
    tone: z.enum(['green', 'red', 'amber', 'grey']).describe('The worst of the label and the powers'),
    reasons: z.array(z.string()),
  })
  .meta({ id: 'ControlProfile' })

export const power = z
  .object({
    effect: z.enum(EFFECTS),
    class: z.enum(POWER_CLASSES),
    functions: z.array(
      z.object({
        selector: z.string(),
        signature: z.string().nullable().describe('Null if the function is not known by its selector'),
        evidence: z.enum(['code', 'trial', 'name']).describe('How its effect was recognized'),
      }),
    ),
    holders: z
      .array(
        z.object({
          chainId: z.int(),
          address: account,
          kind: z.string(),
          role: z.string(),
          label: z.enum(LABELS),
          labelText: z.string().describe('The label in words; a vote is named where a vote decides'),
          delaySeconds: z.number().describe('Seconds that every use of the power by this account must wait'),
          threshold: z.int().nullable().describe('Signatures a multisig needs'),
          owners: z.int().nullable().describe('Number of owners of a multisig'),
        }),
      )
      .describe('Accounts that pass the guard of one of the functions'),
    label: z.enum(LABELS).describe('That of the weakest holder; immutable if no account passes the guard'),
    delaySeconds: z.number(),
    isOpen: z.boolean().describe('Whether every caller has it, by the code or by a simulated call from a new account'),
    unknown: z.string().nullable().describe('Why there may be other holders; null if all are known'),
    summary: z.string(),
    shortSummary: z.string().describe('In a few words, as the badge states it: One key can mint'),
  })
  .meta({ id: 'Power' })

export const pendingCall = z
  .object({
    chainId: z.int().describe('The chain of the target; that of the change, except for payloads of Aave'),
    chainSlug: z.string(),
    target: account,
    text: z.string().describe('What the call does'),
    selector: z.string().nullable().describe('Null for a transfer without a function call'),
    signature: z.string().nullable().describe('Null if the function is not known by its selector'),
    args: z.array(z.unknown()).nullable().describe('Null if they could not be decoded; long ones are cut'),
    value: z.string().describe('Native coins it sends, in wei; known for transactions of Safes and calls inside calls'),
    isControl: z.boolean().describe('Whether the function changes the controller of a contract or its code'),
    isDelegated: z.boolean().describe('A delegatecall: the target runs with all rights of the caller'),
    isComplete: z.boolean().describe('False if not all calls inside this call could be read or decoded'),
    get calls() {
      return z.array(pendingCall).describe('Calls inside this call, as far as its arguments contain them')
    },
  })
  .meta({ id: 'PendingCall' })

export const pendingChange = z
  .object({
    id: z.int(),
    chainId: z.int(),
    chainSlug: z.string(),
    address: account.describe('The timelock, governor, module or Safe that queues the change'),
    contract: contractName,
    family: z.enum(Object.keys(PENDING_FAMILIES) as [PendingFamily]),
    operation: z.string().describe('The id of the change in its contract; the EIP-712 hash of a Safe transaction'),
    state: z
      .enum(PENDING_STATES)
      .describe(
        'proposed: a vote comes first. queued: it waits for earliestAt, or for signatures. ready: it can be executed. ' +
          'failed: a Safe executed it, and its call reverted. replaced: a Safe executed another transaction with its nonce',
      ),
    severity: severity.describe('The highest of the events that queued it'),
    summary: z.string().describe('What it will do'),
    calls: z.array(pendingCall).describe('At most 100'),
    callCount: z.int(),
    queuedAt: instant,
    queuedBy: account.nullable().describe('The account that queued it; null if it is not known'),
    queuedBlock: z.int().nullable(),
    queuedTxHash: z.string().nullable(),
    earliestAt: instant
      .nullable()
      .describe('Before this it cannot be executed; estimated until the end of a vote; null if it is not known'),
    expiresAt: instant.nullable().describe('After this it can no longer be executed; null if it does not expire'),
    closedAt: instant.nullable(),
    closedTxHash: z.string().nullable(),
    confirmations: z
      .object({
        required: z.int(),
        owners: z.array(account).describe('Owners whose signatures were verified'),
        missing: z.array(account).describe('The other owners'),
        nonce: z.int().nullable().describe('The Safe executes one of the transactions with the same nonce'),
      })
      .nullable()
      .describe('The signatures of a Safe transaction; null for other changes'),
    queuedIn: z
      .array(
        z.object({
          address: account,
          name: z.string().nullable(),
          family: z.enum(Object.keys(PENDING_FAMILIES) as [PendingFamily]),
          operation: z.string(),
        }),
      )
      .describe('The operations in timelocks that a proposal queued. They are not listed again'),
    after: z
      .object({
        simulatedAt: instant,
        block: z.int(),
        problem: z.enum(Object.keys(SIMULATION_PROBLEM_TEXTS) as [SimulationProblem]).nullable(),
        reason: z.string().nullable().describe('Why there is no result'),
        contracts: z
          .array(
            z.object({
              address: account,
              label: z.enum(LABELS),
              tone: z.enum(['green', 'amber', 'red', 'grey']),
              previousLabel: z.enum(LABELS),
              previousTone: z.enum(['green', 'amber', 'red', 'grey']),
              gainedPowers: z.array(z.string()).describe('Effects that other accounts could have then'),
              lostPowers: z.array(z.string()),
            }),
          )
          .describe('At most three of the affected contracts'),
      })
      .nullable()
      .describe(
        'What affected contracts would be if it were executed at this block, by a simulation. The state can differ when it ' +
          'is executed. Null: not simulated',
      ),
    targets: z
      .array(
        z.object({
          address: account,
          name: z.string().nullable(),
          isAffected: z.boolean().describe('False for an address that only occurs in arguments, such as new code'),
          codeHash: z.string().nullable().describe('Keccak-256 of its code when the change was queued'),
          implementation: account.nullable().describe('The code that a proxy ran when the change was queued'),
          hasChanged: z.boolean().describe('Whether its code changed since then'),
        }),
      )
      .describe('Addresses whose code is checked until the execution, at most 50'),
  })
  .meta({ id: 'PendingChange' })

/** The contract that an entry is about. */
const namedContract = {
  chainId: z.int(),
  chainSlug: z.string(),
  address: account,
  name: z.string().nullable(),
  protocol: z.string().nullable(),
}

export const addressView = z
  .object({
    chain: z.object({ id: z.int(), slug: z.string() }),
    address: account,
    powers: z
      .array(
        z.object({
          effect: z.enum(EFFECTS),
          class: z.enum(POWER_CLASSES),
          contracts: z.array(
            z.object({
              ...namedContract,
              role: z.string().describe('What the last account on the path is to the contract'),
              through: z
                .array(account)
                .describe('Accounts that the address acts through, from it to the contract; empty if it acts itself'),
              signaturesNeeded: z.int().describe('The largest number of signatures that a multisig on the path needs'),
              delaySeconds: z.number().describe('Seconds that every use of the power must wait'),
            }),
          ),
        }),
      )
      .describe('Most harmful first; empty if the address has no power over a watched contract'),
    isComplete: z.boolean().describe('False if the address has more powers than are returned'),
    implementationOf: z
      .array(
        z.object({
          ...namedContract,
          isCurrent: z.boolean().describe('False if the contract ran the code before and runs other code now'),
        }),
      )
      .describe('Watched proxies and beacons that run or ran the code at the address, by their polls, at most 100'),
  })
  .meta({ id: 'AddressView' })

const contractRow = z.object({
  id: z.int(),
  kind: z.string(),
  name: z.string().nullable(),
  protocol: z.string().nullable(),
  implementation: account.nullable(),
  admin: account.nullable(),
  owner: account.nullable(),
  verified: z.boolean(),
  source: z.string(),
  metadata: jsonObject,
  firstSeenAt: instant,
  lastCheckedAt: instant.nullable(),
})

const snapshot = z.object({
  implementation: account.nullable(),
  admin: account.nullable(),
  owner: account.nullable(),
  beacon: account.nullable(),
  adminIsContract: z.boolean().nullable(),
  ownerIsContract: z.boolean().nullable(),
  extra: z.object({ safeThreshold: uint256, minDelay: uint256, blockNumber: z.int() }),
  takenAt: instant,
})

export const contractView = z
  .object({
    chain: z.object({ id: z.int(), slug: z.string() }),
    address: account,
    contract: contractRow.nullable(),
    latestSnapshot: snapshot.nullable(),
    counts: z.array(z.object({ eventKey: z.string(), total: z.int(), real: z.int(), init: z.int() })),
    recentEvents: z.array(event),
    controlProfile,
    powers: z
      .array(power)
      .nullable()
      .describe('What privileged callers can do, most harmful first; null if it was not analyzed'),
    pending: z.array(pendingChange).describe('Queued changes of the contract, earliest first, at most 20'),
  })
  .meta({ id: 'ContractView' })

const protocolContract = z.object({
  chainId: z.int(),
  chainSlug: z.string(),
  address: account,
  name: z.string().nullable(),
  protocol: z.string(),
  kind: z.string(),
  verified: z.boolean(),
  source: z.string(),
  events30d: z.int(),
  critical30d: z.int(),
  lastEventAt: instant.nullable(),
  lastEventKey: z.string().nullable(),
  controlProfile,
})

export const controlSummary = z.object({
  total: z.int(),
  singleKey: z.int(),
  multisig: z.int(),
  shortTimelock: z.int(),
  timelocked: z.int(),
  immutable: z.int(),
  unknown: z.int(),
})

const toneCounts = z
  .object({ green: z.int(), grey: z.int(), amber: z.int(), red: z.int() })
  .describe('Contracts by tone: the worst of label and powers')

export const protocolView = z
  .object({
    protocol: z.string(),
    slug: z.string(),
    contracts: z.array(protocolContract),
    recentEvents: z.array(event),
    counts: z.object({ contracts: z.int(), chains: z.int(), events30d: z.int(), critical30d: z.int() }),
    controlSummary: controlSummary,
    pending: z.array(pendingChange).describe('Queued changes of its contracts, earliest first, at most 20'),
  })
  .meta({ id: 'ProtocolView' })

export const label = z.enum(LABELS)
export const tone = z.enum(['green', 'red', 'amber', 'grey'])
export const controlNode = z
  .object({
    chainId: z.int(),
    address: z.string(),
    role: z.string().describe('What the account is to the account it controls'),
    kind: z.string(),
    text: z.string(),
    label: z.enum([...LABELS, 'circular']),
    threshold: z.int().nullable().describe('Signatures a multisig needs'),
    owners: z.int().nullable().describe('Number of owners of a multisig'),
    delaySeconds: z
      .number()
      .describe('Seconds that every change on this path must wait, up to and including this account'),
    labelText: z.string().describe('The label of the account in words; a vote is named where a vote decides'),
    multisig: z
      .object({
        threshold: z.int(),
        signers: z.int(),
        keysNeeded: z
          .int()
          .nullable()
          .describe(
            'Distinct keys that can sign, through nested multisigs; null if it can never sign or is not judged',
          ),
        isBelowHalf: z.boolean().describe('Fewer than half of the signers suffice'),
        contractSigners: z.array(z.string()).describe('Signers that are contracts and not multisigs'),
        unusedSigners: z.array(z.string()).describe('Signers that never sent a transaction on this chain'),
        sharedSigners: z
          .array(
            z.object({
              address: z.string(),
              multisigs: z.int().describe('Watched multisigs it signs for'),
              signsFor: z
                .array(
                  z.object({
                    chainId: z.int(),
                    chainSlug: z.string(),
                    address: z.string(),
                    name: z.string().nullable(),
                  }),
                )
                .describe('These multisigs, at most 20'),
            }),
          )
          .describe('Signers that sign for several watched multisigs'),
      })
      .nullable()
      .describe('How much the signatures of a multisig are worth; null for other accounts'),
    notes: z.array(z.string()),
    signers: z.array(z.object({ address: z.string(), text: z.string() })).describe('Owners of a multisig'),
    get paths() {
      return z.array(controlNode)
    },
  })
  .meta({ id: 'ControlNode' })

export const listedProtocol = z
  .object({
    protocol: z.string(),
    slug: z.string(),
    contracts: z.int(),
    chains: z.int(),
    lastEventAt: instant.nullable(),
    summary: controlSummary,
    tones: toneCounts,
  })
  .meta({ id: 'ListedProtocol' })

export const overview = z
  .object({
    contracts: z.int(),
    summary: controlSummary,
    tones: toneCounts,
    events24h: z.object({ info: z.int(), high: z.int(), critical: z.int() }),
  })
  .meta({ id: 'Overview' })
