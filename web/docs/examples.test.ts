/** Every request of the guides fits the OpenAPI description: its path, its parameters and its body. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'

type Operation = {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> }
}

const { paths } = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'server', 'openapi.json'), 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}
const ajv = new Ajv2020({ strict: false, logger: false })

function operationAt(path: string, method: string): Operation | undefined {
  const fits = (template: string) =>
    new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path)
  const template = paths[path] === undefined ? Object.keys(paths).find(fits) : path
  return template === undefined ? undefined : paths[template]?.[method]
}

for (const file of globSync('*.md', { cwd: import.meta.dirname }).sort()) {
  const text = readFileSync(join(import.meta.dirname, file), 'utf8').replaceAll('\\\n', ' ')
  const lines = text.split('\n').filter((line) => /^(\w+=\$\()?curl /.test(line))
  if (lines.length === 0) continue
  test(`the requests of ${file} are described`, () => {
    for (const line of lines) {
      const url = /"\$GATEWATCH(\/[^"]*)"/.exec(line)?.[1] ?? assert.fail(line)
      const body = /-d '([^']*)'/.exec(line)?.[1]
      const { pathname, searchParams } = new URL(url, 'http://host')
      const operation =
        operationAt(pathname, body === undefined ? 'get' : 'post') ?? assert.fail(`no operation: ${line}`)
      const known = (operation.parameters ?? []).map(({ name }) => name)
      assert.deepEqual(
        [...searchParams.keys()].filter((name) => !known.includes(name)),
        [],
        line,
      )
      const schema = operation.requestBody?.content['application/json']?.schema
      if (body === undefined || schema === undefined) continue
      assert.ok(ajv.validate(schema, JSON.parse(body)), `${line}: ${ajv.errorsText()}`)
    }
  })
}
