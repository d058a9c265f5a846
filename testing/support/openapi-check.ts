/** Validates responses against the repository's `openapi.json`, from which callers generate clients. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { REPOSITORY } from './service.ts'

type Answers = Readonly<Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>>
type Description = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Answers }>>>>
}

export type Answer = { readonly status: number; readonly headers: Headers; readonly body: unknown }

/** Asserts that a response to `method` on a described `path` (`/v1/contracts/{chain}/{address}`) matches its description. */
export type OpenApiCheck = (path: string, answer: Answer, method?: string) => void

export function openApiCheck(): OpenApiCheck {
  const description = JSON.parse(readFileSync(join(REPOSITORY, 'server', 'openapi.json'), 'utf8')) as Description
  // Keywords of OpenAPI that JSON Schema does not know are allowed; a broken reference is still an error.
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema(description, 'openapi.json')
  const compiled = new Map<string, ValidateFunction>()

  return (path, { status, headers, body }, method = 'get') => {
    const type = (headers.get('content-type') ?? '').split(';')[0] ?? ''
    const answers = description.paths[path]?.[method]?.responses
    assert.ok(answers !== undefined, `openapi.json does not describe ${method} ${path}`)
    assert.ok(answers[status]?.content?.[type] !== undefined, `${method} ${path}: no ${status} ${type} is described`)
    const pointer = ['', 'paths', path, method, 'responses', String(status), 'content', type, 'schema']
    const reference = `openapi.json#${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`
    const validate = compiled.get(reference) ?? ajv.compile({ $ref: reference })
    compiled.set(reference, validate)
    const isValid = validate(body)
    assert.ok(isValid, `${method} ${path} ${status}: ${ajv.errorsText(validate.errors, { dataVar: 'body' })}`)
  }
}
