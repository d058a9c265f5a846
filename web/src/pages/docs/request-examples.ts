/** The request of an operation in several languages, ready to run. */
import type { DocsOperation, DocsParameter } from '../../../../scripts/docs-modules.mjs'

/** What the reader filled in. Empty values are left out. */
export type RequestValues = {
  readonly parameters: Readonly<Record<string, string>>
  readonly body: string
  readonly key: string
}

export type RequestOf = {
  readonly method: string
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string | undefined
}

const PLACEHOLDER: Readonly<Record<string, string>> = {
  bearerKey: 'gw_live_YOUR_KEY',
  apiKey: 'utxo_live_YOUR_KEY',
  bearerToken: 'YOUR_TOKEN',
  session: 'gatewatch.session_token=YOUR_SESSION',
}

/** The values that an operation has before the reader changes them: examples of required parameters. */
export function exampleValues({ parameters, body }: DocsOperation): RequestValues {
  const given = parameters.flatMap(({ name, required, example }) =>
    required && example !== undefined ? [[name, example] as const] : [],
  )
  return {
    parameters: Object.fromEntries(given),
    body: body?.example === undefined ? '' : JSON.stringify(body.example, null, 2),
    key: '',
  }
}

function credentialHeader({ credentials }: DocsOperation, key: string): RequestOf['headers'] {
  if (credentials === null) return []
  const value = key === '' ? (PLACEHOLDER[credentials] ?? '') : key
  if (credentials === 'apiKey') return [['X-API-Key', value]]
  return credentials === 'session' ? [['Cookie', value]] : [['Authorization', `Bearer ${value}`]]
}

export function requestOf(operation: DocsOperation, values: RequestValues, origin: string): RequestOf {
  const given = ({ name }: DocsParameter) => values.parameters[name]?.trim() ?? ''
  const inPlace = (place: DocsParameter['place']) =>
    operation.parameters.filter((parameter) => parameter.place === place && given(parameter) !== '')
  const path = inPlace('path').reduce(
    (text, parameter) => text.replace(`{${parameter.name}}`, encodeURIComponent(given(parameter))),
    operation.path,
  )
  const query = new URLSearchParams(inPlace('query').map((parameter) => [parameter.name, given(parameter)])).toString()
  const body = operation.body === undefined || values.body.trim() === '' ? undefined : values.body
  return {
    method: operation.method,
    url: `${origin}${path}${query === '' ? '' : `?${query}`}`,
    headers: [
      ...credentialHeader(operation, values.key.trim()),
      ...inPlace('header').map((parameter) => [parameter.name, given(parameter)] as const),
      ...(body === undefined ? [] : [['Content-Type', 'application/json'] as const]),
    ],
    body,
  }
}

const shellQuoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
const quoted = (text: string) => JSON.stringify(text)

const curl = ({ method, url, headers, body }: RequestOf): string =>
  [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${shellQuoted(url)}`,
    ...headers.map(([name, value]) => `  -H ${shellQuoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`  -d ${shellQuoted(body)}`]),
  ].join(' \\\n')

function typeScript({ method, url, headers, body }: RequestOf): string {
  const options = [
    ...(method === 'GET' ? [] : [`  method: ${quoted(method)},`]),
    ...(headers.length === 0
      ? []
      : [`  headers: { ${headers.map(([name, value]) => `${quoted(name)}: ${quoted(value)}`).join(', ')} },`]),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${body.replaceAll('\n', '\n  ')}),`]),
  ]
  const call = options.length === 0 ? `fetch(${quoted(url)})` : `fetch(${quoted(url)}, {\n${options.join('\n')}\n})`
  return `const response = await ${call}
if (!response.ok) throw new Error(await response.text())
console.log(await response.text())`
}

function python({ method, url, headers, body }: RequestOf): string {
  return `import urllib.request

request = urllib.request.Request(
    ${quoted(url)},
    method=${quoted(method)},
    headers={${headers.map(([name, value]) => `${quoted(name)}: ${quoted(value)}`).join(', ')}},${
      body === undefined ? '' : `\n    data=${quoted(body)}.encode(),`
    }
)
with urllib.request.urlopen(request) as response:
    print(response.read().decode())`
}

function go({ method, url, headers, body }: RequestOf): string {
  return `package main

import (
	"fmt"
	"io"
	"log"
	"net/http"${body === undefined ? '' : '\n\t"strings"'}
)

func main() {
	request, err := http.NewRequest(${quoted(method)}, ${quoted(url)}, ${body === undefined ? 'nil' : `strings.NewReader(${quoted(body)})`})
	if err != nil {
		log.Fatal(err)
	}
${headers.map(([name, value]) => `\trequest.Header.Set(${quoted(name)}, ${quoted(value)})\n`).join('')}	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(response.Status, string(text))
}`
}

/** The request in each language, as tabs of a block of code. */
export const requestExamples = (request: RequestOf): readonly (readonly [language: string, text: string])[] => [
  ['curl', curl(request)],
  ['TypeScript', typeScript(request)],
  ['Python', python(request)],
  ['Go', go(request)],
]
