/** One operation of the reference: what it does, its parameters, its response, and a request to run. */

import { useState } from 'react'
import { Link } from 'wouter'
import type { DocsField, DocsGroup, DocsOperation } from '../../../../scripts/docs-modules.mjs'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { TextField } from '../../components/field.tsx'
import styles from './docs.module.css'
import { CodeTabs, DocsNodes } from './docs-nodes.tsx'
import { exampleValues, type RequestValues, requestExamples, requestOf } from './request-examples.ts'

const CREDENTIALS = {
  bearerKey: 'v1 API key as bearer token',
  apiKey: 'v2 API key in X-API-Key',
  bearerToken: 'signed token as bearer token',
  session: 'web session',
} as const

type Types = DocsGroup['types']

export function Operation({ operation, types }: { readonly operation: DocsOperation; readonly types: Types }) {
  const { id, method, path, summary, nodes, credentials, parameters, body, response, errors } = operation
  return (
    <section id={id} className={styles.operation} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>
        <a href={`#${id}`}>{summary}</a>
      </h2>
      <p className={styles.route}>
        <span className={styles.method}>{method}</span> <code>{path}</code>
      </p>
      <p className={styles.credentials}>
        Needs: {credentials === null ? 'nothing' : CREDENTIALS[credentials]}.{' '}
        {credentials !== null && <Link href="/docs/authentication">Authentication</Link>}
      </p>
      <DocsNodes nodes={nodes} />
      {parameters.length > 0 && (
        <>
          <h3>Parameters</h3>
          <dl className={styles.fields}>
            {parameters.map(({ name, place, required, type, text, preset }) => (
              <div key={name}>
                <dt>
                  <code>{name}</code> <span className={styles.type}>{type}</span>{' '}
                  <span className={styles.type}>
                    {place}
                    {required ? ', required' : ''}
                    {preset === undefined ? '' : `, ${preset} by default`}
                  </span>
                </dt>
                {text !== undefined && <dd>{text}</dd>}
              </div>
            ))}
          </dl>
        </>
      )}
      {body !== undefined && (
        <>
          <h3>Body</h3>
          <Fields fields={body.fields} types={types} />
        </>
      )}
      {response !== undefined && (
        <details className={styles.details}>
          <summary>
            Response: <span className={styles.type}>{response.type}</span>
          </summary>
          <Fields fields={response.fields} types={types} />
        </details>
      )}
      {errors.length > 0 && (
        <p className={styles.credentials}>
          Errors: {errors.join(', ')}. <Link href="/docs/errors">Codes and what to do</Link>
        </p>
      )}
      <Request operation={operation} />
    </section>
  )
}

/** The named type that the words of a type mention, if the reference has its fields. */
const mentioned = (type: string, types: Types): string | undefined =>
  type.split(/\W+/).find((word) => types[word] !== undefined)

function Fields({
  fields,
  types,
  parents = [],
}: {
  readonly fields: readonly DocsField[]
  readonly types: Types
  /** Named types that are open around this one: a type that contains itself is shown once. */
  readonly parents?: readonly string[]
}) {
  return (
    <dl className={styles.fields}>
      {fields.map(({ name, type, required, text, fields: own }) => {
        const named = mentioned(type, types)
        const inner = own ?? (named === undefined || parents.includes(named) ? undefined : types[named])
        return (
          <div key={name}>
            <dt>
              <code>{name}</code> <span className={styles.type}>{type}</span>
              {!required && <span className={styles.type}> optional</span>}
            </dt>
            {text !== undefined && <dd>{text}</dd>}
            {inner !== undefined && inner.length > 0 && (
              <dd>
                <details className={styles.details}>
                  <summary>Fields</summary>
                  <Fields fields={inner} types={types} parents={named === undefined ? parents : [...parents, named]} />
                </details>
              </dd>
            )}
          </div>
        )
      })}
    </dl>
  )
}

/** The key is kept while the docs are open, and nowhere else. */
const typedKeys: Record<string, string> = {}

const MAX_SHOWN = 20_000

function Request({ operation }: { readonly operation: DocsOperation }) {
  const { id, method, credentials, parameters, body } = operation
  const [values, setValues] = useState<RequestValues>(() => ({
    ...exampleValues(operation),
    key: typedKeys[credentials ?? ''] ?? '',
  }))
  const [answer, setAnswer] = useState<string>()
  const [isRunning, setRunning] = useState(false)
  const request = requestOf(operation, values, window.location.origin)
  const setParameter = (name: string, value: string) =>
    setValues({ ...values, parameters: { ...values.parameters, [name]: value } })
  // A browser sends no cookie header of ours, and a stream does not end.
  const canRun =
    (credentials === 'bearerKey' || credentials === 'apiKey' || credentials === null) && !id.includes('stream')
  const run = async () => {
    setRunning(true)
    setAnswer(await answerTo(request))
    setRunning(false)
  }
  return (
    <>
      <h3>Request</h3>
      <CodeTabs tabs={requestExamples(request)} />
      {canRun && (
        <details className={styles.details}>
          <summary>Run it here</summary>
          <form
            className={styles.form}
            onSubmit={(event) => {
              event.preventDefault()
              void run()
            }}
          >
            {credentials !== null && (
              <TextField
                label="API key"
                value={values.key}
                autoComplete="off"
                spellCheck={false}
                hint="Kept until you close this page. The request counts against the limits of the key."
                onChange={(event) => {
                  typedKeys[credentials] = event.target.value
                  setValues({ ...values, key: event.target.value })
                }}
              />
            )}
            {parameters.map(({ name, required, example }) => (
              <TextField
                key={name}
                label={`${name}${required ? ' (required)' : ''}`}
                value={values.parameters[name] ?? ''}
                placeholder={example}
                spellCheck={false}
                onChange={(event) => setParameter(name, event.target.value)}
              />
            ))}
            {body !== undefined && (
              <label className={styles.body}>
                Body
                <textarea
                  rows={8}
                  value={values.body}
                  spellCheck={false}
                  onChange={(event) => setValues({ ...values, body: event.target.value })}
                />
              </label>
            )}
            <Button type="submit" kind="primary" disabled={isRunning}>
              {isRunning ? 'Sending…' : `Send ${method}`}
            </Button>
          </form>
          {answer !== undefined && (
            <output>
              <CodeBlock title="Response" text={answer} />
            </output>
          )}
        </details>
      )}
    </>
  )
}

async function answerTo({ method, url, headers, body }: ReturnType<typeof requestOf>): Promise<string> {
  try {
    const response = await fetch(url, {
      method,
      headers: headers.map(([name, value]) => [name, value]),
      ...(body !== undefined && { body }),
      credentials: 'omit',
    })
    const text = await response.text()
    return `${response.status} ${response.statusText}\n\n${readable(text).slice(0, MAX_SHOWN)}`
  } catch {
    return 'The request was not answered. Check the connection, and the characters of the key.'
  }
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
