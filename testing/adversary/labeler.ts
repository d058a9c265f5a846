/** Labels systems of the adversary suite on a local chain, with the polling and the profiles of the service. */
import type { Anvil } from '../evm/anvil.ts'
import { type Profiles, profilesOn } from '../evm/profiles.ts'
import { type Environment, environmentOf } from './chain.ts'

export type Labeler = Profiles & { readonly environment: Environment }

export async function createLabeler(node: Anvil): Promise<Labeler> {
  const environment = await environmentOf(node)
  await environment.controllers.deployMulticall()
  return { environment, ...profilesOn(node) }
}
