/** No text that a question to the database is made of comes from anywhere but the program. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { questionsIn } from '../support/query-texts.ts'
import { REPOSITORY } from '../support/service.ts'

/** Parts of questions that are not fixed, and why nobody can write into them. */
const KNOWN: Readonly<Record<string, string>> = {
  'traffic/store/partitions.ts: name': 'the name of a partition of the log, read from the catalog; only we make them',
  'platform/backup/load.ts: partition.bounds': 'of a backup that the operator hands over, which PostgreSQL wrote',
  'platform/migrate.ts: sql': 'a file of server/migrations',
  'platform/copy.ts: copy': "the driver's hooks; their statement is looked at with every caller of copyIn",
  'platform/replica.ts: database.query': 'hands on, to one of two databases, what a store has asked',
}

const SOURCE = join(REPOSITORY, 'server', 'src')
const sources = Object.fromEntries(
  globSync('**/*.ts', { cwd: SOURCE })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => [file, readFileSync(join(SOURCE, file), 'utf8')]),
)
const questions = questionsIn(sources)

test('every question to the database is a fixed text: values travel as parameters, names are our own or quoted', () => {
  assert.ok(questions.length > 250, `${questions.length} questions were found`)
  const open = questions.flatMap(({ file, open: parts }) => parts.map((part) => `${file}: ${part}`))
  assert.deepEqual([...new Set(open)].toSorted(), Object.keys(KNOWN).toSorted())
})

test('outside platform/ and */store/ a database is only asked whether it answers', () => {
  assert.deepEqual(
    questions
      .filter(({ file }) => !/^(platform\/|[a-z]+\/store\/)/.test(file))
      .map(({ file, literal }) => `${file}: ${literal}`)
      .toSorted(),
    ['accounts/api/auth-routes.ts: select 1', 'accounts/session.ts: select 1'],
  )
})

const openIn = (body: string, others: Readonly<Record<string, string>> = {}): readonly string[] =>
  questionsIn({ 'a.ts': body, ...others }).flatMap(({ open }) => open)

test('a text with a value in it is found, however it is put together', () => {
  const inFind = (line: string) => `const find = (database, name: string, names: string[]) => { ${line} }`
  const wrong: readonly (readonly [string, string])[] = [
    ['return database.query(`select ${name}`)', 'name'],
    ["return database.query('select ' + name)", 'name'],
    ['return database.query({ name: "x", text: `select ${name}`, values: [] })', 'name'],
    ['const text = `select ${name}`; return database.query(text)', 'name'],
    ['let text = "select 1"; text = name; return database.query(text)', 'text'],
    ['const { text } = name; return database.query(text)', 'text'],
    ['return database.query(`select ${names.join(", ")}`)', 'names'],
    ['return database.query(`select ${names.map((one) => one).join(", ")}`)', 'one'],
    ['const parts = ["select 1"]; parts.push(name); return database.query(parts.join(" "))', 'parts'],
    ['const TEXTS = { a: "select 1" }; TEXTS.a = name; return database.query(TEXTS["a"])', 'TEXTS["a"]'],
    ['for (const one of names) database.query(`select ${one}`)', 'names'],
    ['return database.query(name === "" ? "select 1" : name)', 'name'],
    ['return database.query(`select ${name.trim()}`)', 'name.trim()'],
    ['return database.query(copyTo(`copy ${name} to stdout`))', 'name'],
    ['return copyIn(database, `copy ${name} from stdin`, [])', 'name'],
    ['const ask = database.query; return ask(name)', 'database.query'],
    ['return database.query.call(database, name)', 'database.query'],
  ]
  for (const [line, part] of wrong) assert.deepEqual(openIn(inFind(line)), [part], line)
})

test('a part that a caller gives is looked at where it is given', () => {
  const text = 'export const where = (part: string) => `select 1 where ${part}`'
  const ask = (given: string) => `import { where } from './b.ts'; (database, name) => database.query(where(${given}))`
  assert.deepEqual(openIn(ask("'id = $1'"), { 'b.ts': text }), [])
  assert.deepEqual(openIn(ask('name'), { 'b.ts': text }), ['name'])
  assert.deepEqual(openIn(ask('...name'), { 'b.ts': text }), ['where(...name)'])
  const renamed = "import { where as which } from './b.ts'; (database, name) => database.query(which(name))"
  assert.deepEqual(openIn(renamed, { 'b.ts': text }), ['name'])
  const elsewhere = "import { where } from './b.ts'; export const all = (names) => names.map(where)"
  assert.deepEqual(openIn(ask("'id = $1'"), { 'b.ts': text, 'c.ts': elsewhere }), ['names.map(where)'])
})

test('constants, tables of texts, quoted names and dates are fixed', () => {
  const right = [
    'const COLUMNS = "a, b"; database.query(`select ${COLUMNS} from t`, [name])',
    'const BY = { a: "a", b: "b" } as const; (by: keyof typeof BY) => database.query(`select ${BY[by]}`)',
    '(table: "a" | "b") => database.query(`select 1 from ${table}`)',
    '(names: string[]) => database.query(`truncate ${names.map(quoted).join(", ")}`)',
    '(day: number) => database.query(`drop table log_${new Date(day).toISOString().slice(0, 10)}`)',
    'for (const table of ["a", "b"]) database.query(`delete from ${table}`)',
    '(isNew: boolean) => database.query(isNew ? "select 1" : "select 2")',
  ]
  for (const line of right) assert.deepEqual(openIn(line), [], line)
})
