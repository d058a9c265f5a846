/** The code of the webhook guide verifies real signatures, in every language that this machine can run. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../testing/support/temporary-folder.ts'

const guide = readFileSync(join(import.meta.dirname, '07-webhooks.md'), 'utf8')
const codeIn = (language: string) =>
  guide.match(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``))?.[1] ?? assert.fail(`no ${language}`)

type Message = { readonly id: string; readonly timestamp: string; readonly signature: string; readonly body: string }

const key = randomBytes(24)
const secret = `whsec_${key.toString('base64')}`

function signed(body: string, age = 0): Message {
  const [id, timestamp] = ['msg_1', String(Math.floor(Date.now() / 1_000) - age)]
  const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { id, timestamp, signature: `v1,${mac}`, body }
}

const good = signed('{"type":"test","title":"größer"}')
const MESSAGES: readonly (readonly [message: Message, isValid: boolean])[] = [
  [good, true],
  [{ ...good, signature: `v1,${randomBytes(32).toString('base64')} ${good.signature}` }, true],
  [{ ...good, body: `${good.body} ` }, false],
  [{ ...good, id: 'msg_2' }, false],
  [{ ...good, signature: 'v1,AAAA' }, false],
  [signed(good.body, 3_600), false],
]

type Language = {
  readonly name: string
  readonly program: string
  /** The files to write, from the code of the guide. Arguments of the program: secret, id, timestamp, signature, body. */
  readonly files: Readonly<Record<string, string>>
  /** Run in the folder of the files: program and first arguments. */
  readonly command: readonly [string, ...string[]]
  /** Runs once, before the command. */
  readonly build?: readonly [string, ...string[]]
}

const LANGUAGES: readonly Language[] = [
  {
    name: 'js',
    program: process.execPath,
    files: {
      'verify.mjs': `${codeIn('js')}
const [secret, id, timestamp, signature, body] = process.argv.slice(2)
const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
console.log(verify(secret, headers, Buffer.from(body)))`,
    },
    command: [process.execPath, 'verify.mjs'],
  },
  {
    name: 'python',
    program: 'python3',
    files: {
      'verify.py': `${codeIn('python')}
import sys
secret, id, timestamp, signature, body = sys.argv[1:]
headers = {"webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature}
print(str(verify(secret, headers, body.encode())).lower())`,
    },
    command: ['python3', 'verify.py'],
  },
  {
    name: 'go',
    program: 'go',
    build: ['go', 'build', '-o', 'verify', '.'],
    files: {
      'go.mod': 'module webhooks\n',
      'verify.go': codeIn('go').replace('package webhooks', 'package main'),
      'main.go': `package main
import ("fmt"; "net/http"; "os")
func main() {
	headers := http.Header{}
	headers.Set("webhook-id", os.Args[2])
	headers.Set("webhook-timestamp", os.Args[3])
	headers.Set("webhook-signature", os.Args[4])
	fmt.Println(Verify(os.Args[1], headers, []byte(os.Args[5])))
}`,
    },
    command: ['./verify'],
  },
  {
    name: 'java',
    program: 'javac',
    build: ['javac', 'Main.java'],
    files: {
      'Main.java': codeIn('java').replace(
        'public class Webhooks {',
        `public class Main {
    public static void main(String[] args) throws Exception {
        Map<String, String> headers = Map.of("webhook-id", args[1], "webhook-timestamp", args[2], "webhook-signature", args[3]);
        System.out.println(verify(args[0], headers, args[4].getBytes("UTF-8")));
    }`,
      ),
    },
    command: ['java', '-cp', '.', 'Main'],
  },
  {
    name: 'php',
    program: 'php',
    files: {
      'verify.php': `${codeIn('php')}
[, $secret, $id, $timestamp, $signature, $body] = $argv;
$headers = ['webhook-id' => $id, 'webhook-timestamp' => $timestamp, 'webhook-signature' => $signature];
echo verify($secret, $headers, $body) ? 'true' : 'false';`,
    },
    command: ['php', 'verify.php'],
  },
]

const isMissing = (program: string) => {
  const probe = spawnSync(program, [program === 'go' ? 'version' : '--version'], { stdio: 'ignore' })
  return probe.status === 0 ? false : `${program} is not on this machine`
}

for (const { name, program, files, command, build } of LANGUAGES)
  test(`the guide verifies webhooks in ${name}`, { skip: isMissing(program) }, () => {
    const cwd = temporaryFolder()
    for (const [file, text] of Object.entries(files)) writeFileSync(join(cwd, file), text)
    const options = { cwd, encoding: 'utf8', env: { ...process.env, LC_ALL: 'C.UTF-8' } } as const
    const run = ([file, ...first]: Language['command'], args: readonly string[] = []) =>
      execFileSync(file, [...first, ...args], options)
    if (build !== undefined) run(build)
    for (const [{ id, timestamp, signature, body }, isValid] of MESSAGES) {
      const output = run(command, [secret, id, timestamp, signature, body])
      assert.equal(output.trim(), String(isValid), `${signature} ${body}`)
    }
  })
