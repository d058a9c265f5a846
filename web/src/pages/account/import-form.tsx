/** Subscribes to a list of contracts, and shows the result of each line. */
import { type ChangeEvent, type FormEvent, useState } from 'react'
import { useAbout } from '../../api/use-about.ts'
import { useImport } from '../../api/use-alerts.ts'
import { Button } from '../../components/button.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { TextAreaField } from '../../components/field.tsx'
import { TonePill } from '../../components/tone-pill.tsx'
import { plural } from '../../text/amounts.ts'
import { MOST_LINES, readContractList } from '../../text/contract-list.ts'
import styles from './subscribe-form.module.css'

const RESULTS = { added: ['green', 'Added'], refused: ['red', 'Refused'] } as const

export function ImportForm() {
  const chains = useAbout().data?.chains ?? []
  const [text, setText] = useState('')
  const { start, results, isRunning } = useImport()
  const lines = readContractList(text, chains)
  const readFile = (event: ChangeEvent<HTMLInputElement>) => {
    void event.target.files?.[0]?.text().then(setText)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    start(lines)
  }
  return (
    <details className={styles.import}>
      <summary>Watch many contracts at once</summary>
      <form onSubmit={submit} aria-label="Import contracts">
        <TextAreaField
          label="Contracts, one chain and address per line"
          value={text}
          rows={4}
          spellCheck={false}
          placeholder={'ethereum,0x87870bca3f3fd6335c3f4ce8392d69350b4fa4e2'}
          hint={`CSV with the columns chain and address, at most ${MOST_LINES} lines. Every event of each contract is sent, to all channels.`}
          onChange={(event) => setText(event.target.value)}
        />
        <input type="file" accept=".csv,text/csv,text/plain" aria-label="CSV file" onChange={readFile} />
        <Button type="submit" kind="primary" disabled={lines.length === 0 || isRunning}>
          {isRunning
            ? `${results.length} of ${lines.length}…`
            : `Watch ${lines.length === 0 ? 'all' : plural(lines.length, 'contract')}`}
        </Button>
        {results.length > 0 && (
          <DataTable
            caption="Result of the import"
            rows={results}
            keyOf={({ line }) => line}
            columns={[
              { title: 'Line', isNumber: true, cell: ({ line }) => line },
              { title: 'Contract', cell: ({ text: given }) => <code>{given}</code> },
              {
                title: 'Result',
                cell: ({ refusal }) => {
                  const [tone, name] = RESULTS[refusal === undefined ? 'added' : 'refused']
                  return <TonePill tone={tone}>{name}</TonePill>
                },
              },
              { title: 'Reason', cell: ({ refusal }) => refusal ?? '–' },
            ]}
          />
        )}
      </form>
    </details>
  )
}
