/** Generates the types of the client from the OpenAPI document. This package pins TypeScript 5 for the generator. */
import openapiTs, { astToString } from 'openapi-typescript'

const HEAD = '// Generated from server/openapi.json by `npm run generate`. Do not edit.\n\n'

export async function clientTypesOf(openApi: object): Promise<string> {
  // A copy: the generator resolves references in place.
  const document = structuredClone(openApi) as Parameters<typeof openapiTs>[0]
  return HEAD + astToString(await openapiTs(document))
}
