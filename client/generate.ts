/** OpenAPI → the types of the client. Lives here because the generator needs TypeScript 5 beside it. */
import openapiTs, { astToString } from 'openapi-typescript'

const HEAD = '// Written by `npm run generate` from server/openapi.json. Not for editing.\n\n'

export async function clientTypesOf(openApi: object): Promise<string> {
  // A copy: the generator resolves references in place.
  const document = structuredClone(openApi) as Parameters<typeof openapiTs>[0]
  return HEAD + astToString(await openapiTs(document))
}
