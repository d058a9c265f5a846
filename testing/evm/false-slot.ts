/** An RPC pool whose endpoints return a false value for one storage slot of every contract. */
import { toWord } from '../../server/src/control/profile/abi-values.ts'
import { SLOT_NAMES, SLOTS, type SlotName } from '../../server/src/control/profile/slots.ts'
import type { EndpointId, RpcPool } from '../../server/src/control/rpc/pool.ts'
import type { Hex } from '../../server/src/lib/hex.ts'

/** `truthful`: the endpoint that returns the real value. */
export function withFalseSlot(pool: RpcPool, slot: SlotName, value: Hex, truthful: EndpointId): RpcPool {
  const position = SLOTS[slot].slice(2)
  return {
    ...pool,
    request: async (request, options = {}) => {
      const result = await pool.request(request, options)
      if (options.only === truthful || !JSON.stringify(request.params).includes(position)) return result
      return { ...result, value: replaced(result.value as unknown as Hex, slot, value) as never }
    },
  }
}

/** One slot alone, or all slots of each of several contracts. */
function replaced(result: Hex, slot: SlotName, value: Hex): Hex {
  const words = result.slice(2).match(/.{64}/g) ?? []
  const at = words.length === 1 ? 0 : SLOT_NAMES.indexOf(slot)
  const size = words.length === 1 ? 1 : SLOT_NAMES.length
  return `0x${words.map((word, index) => (index % size === at ? toWord(value).slice(2) : word)).join('')}`
}
