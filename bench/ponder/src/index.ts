import { ponder } from 'ponder:registry'
import { controlEvent } from 'ponder:schema'

const KEYS = {
  'Watched:RoleGranted': 'role.granted',
  'Watched:Paused': 'contract.paused',
  'Watched:Blacklisted': 'token.blacklisted',
  'Watched:MinterConfigured': 'token.minter_configured',
} as const

for (const [name, eventKey] of Object.entries(KEYS) as [keyof typeof KEYS, string][])
  ponder.on(name, async ({ event, context }) => {
    const args = Object.fromEntries(Object.entries(event.args).map(([key, value]) => [key, String(value)]))
    await context.db.insert(controlEvent).values({
      id: event.id,
      eventKey,
      address: event.log.address,
      blockNumber: event.block.number,
      blockTime: event.block.timestamp,
      txHash: event.transaction.hash,
      logIndex: event.log.logIndex,
      args,
    })
  })
