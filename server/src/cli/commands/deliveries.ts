import { commandLineActor, recordOperatorChange } from '../../accounts/operator-changes.ts'
import { discardMessages } from '../../control/alerts/alert-messages.ts'
import { findDeliveryHold, holdDeliveries, resumeDeliveries } from '../../platform/deliveries/delivery-hold.ts'
import { type Command, withPlatform } from '../command.ts'

export const deliveriesHold: Command = {
  name: 'deliveries hold',
  summary: 'Hold alerts and callbacks until `deliveries resume`',
  run: () =>
    withPlatform(async ({ database }) => {
      await holdDeliveries(database, 'The operator held deliveries.')
      const hold = await findDeliveryHold(database)
      await recordOperatorChange(database, { actor: commandLineActor(), action: 'deliveries.hold', subject: 'all' })
      return { json: hold, lines: [`Deliveries are held since ${hold?.since.toISOString()}. ${hold?.reason}`] }
    }),
}

export const deliveriesResume: Command = {
  name: 'deliveries resume',
  summary: 'Resume sending alerts and callbacks, after `restore` or `deliveries hold`',
  options: { discard: { type: 'boolean', help: 'cancel the alerts that wait instead of sending them' } },
  run: (args) =>
    withPlatform(async ({ database }) => {
      const discarded = args.flag('discard') ? await discardMessages(database) : 0
      const wasHeld = await resumeDeliveries(database)
      await recordOperatorChange(database, {
        actor: commandLineActor(),
        action: 'deliveries.resume',
        subject: 'all',
        after: { wasHeld, discarded },
      })
      return {
        json: { wasHeld, discarded },
        lines: [
          ...(args.flag('discard') ? [`Canceled ${discarded} waiting messages.`] : []),
          wasHeld ? 'Deliveries are resumed.' : 'Deliveries were not held.',
        ],
      }
    }),
}
