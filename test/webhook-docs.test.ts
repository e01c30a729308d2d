import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aliases, eventTypes } from '../server/events.ts'
import { type TestApp, testApp } from './app.ts'
import { expectStatus, type WorkspaceOwner, withWorkspace } from './factories.ts'
import { type Received, webhookReceiver } from './receiver.ts'

const MINUTE = 60_000

type Case = { secret: string; headers: Record<string, string>; body: string }
/** The results for `Webhook-Signature` and `X-Service-Signature`. */
type Verdict = [standard: boolean, hex: boolean]

const guide = readFileSync(join(import.meta.dirname, '..', 'docs', 'webhooks.md'), 'utf8')
const verifying = /\n## Verify signatures\n(.*?)\n## /s.exec(guide)?.[1] ?? ''
const snippets = new Map(
  [...verifying.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => [language, code]),
)

let folder: string
const write = (path: string, text: string) => writeFileSync(join(folder, path), text)
const run = (command: string, args: string[], env: NodeJS.ProcessEnv = process.env) =>
  execFileSync(command, args, { cwd: folder, encoding: 'utf8', env })

/** Code that calls a snippet's functions with all of cases.json and prints the results as JSON. */
const callers: Record<
  string,
  { command: string; version: string; verdicts: (code: string, cases: Case[]) => Verdict[] }
> = {
  js: {
    command: process.execPath,
    version: '--version',
    verdicts: (code) => {
      write('verify.mjs', code)
      write(
        'main.mjs',
        `import { readFileSync } from 'node:fs'
          import { verify, verifyHex } from './verify.mjs'
          console.log(JSON.stringify(JSON.parse(readFileSync('cases.json', 'utf8')).map(({ secret, headers, body }) =>
            [verify(secret, headers, Buffer.from(body, 'base64')), verifyHex(secret, headers, Buffer.from(body, 'base64'))])))`,
      )
      return JSON.parse(run(process.execPath, ['main.mjs']))
    },
  },
  python: {
    command: 'python3',
    version: '--version',
    verdicts: (code) => {
      write(
        'main.py',
        `${code}
import json
print(json.dumps([[f(case["secret"], case["headers"], base64.b64decode(case["body"])) for f in (verify, verify_hex)]
  for case in json.load(open("cases.json"))]))`,
      )
      return JSON.parse(run('python3', ['main.py']))
    },
  },
  php: {
    command: 'php',
    version: '--version',
    verdicts: (code) => {
      write(
        'main.php',
        `${code}
echo json_encode(array_map(fn ($case) => array_map(
  fn ($verify) => $verify($case['secret'], $case['headers'], base64_decode($case['body'])), ['verify', 'verify_hex']
), json_decode(file_get_contents('cases.json'), true)));`,
      )
      return JSON.parse(run('php', ['main.php']))
    },
  },
  go: {
    command: 'go',
    version: 'version',
    verdicts: (code) => {
      mkdirSync(join(folder, 'webhook'))
      write('go.mod', 'module receiver\n\ngo 1.19\n')
      write('webhook/verify.go', code)
      write(
        'main.go',
        `package main

import (
  "encoding/json"
  "net/http"
  "os"
  "receiver/webhook"
)

func main() {
  var cases []struct {
    Secret  string
    Headers map[string]string
    Body    []byte
  }
  text, _ := os.ReadFile("cases.json")
  if err := json.Unmarshal(text, &cases); err != nil { panic(err) }
  verdicts := [][]bool{}
  for _, one := range cases {
    headers := http.Header{}
    for name, value := range one.Headers { headers.Set(name, value) }
    verdicts = append(verdicts, []bool{webhook.Verify(one.Secret, headers, one.Body), webhook.VerifyHex(one.Secret, headers, one.Body)})
  }
  json.NewEncoder(os.Stdout).Encode(verdicts)
}`,
      )
      return JSON.parse(run('go', ['run', '.'], { ...process.env, GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local' }))
    },
  },
  // In the manual check a person compares, and checks the time.
  sh: {
    command: 'openssl',
    version: 'version',
    verdicts: (code, cases) =>
      cases.map(({ secret, headers, body }): Verdict => {
        writeFileSync(join(folder, 'body.json'), Buffer.from(body, 'base64'))
        const { 'webhook-id': WEBHOOK_ID = '', 'webhook-timestamp': WEBHOOK_TIMESTAMP = '' } = headers
        const [standard, hex] = run('sh', ['-c', code], {
          ...process.env,
          SECRET: secret,
          WEBHOOK_ID,
          WEBHOOK_TIMESTAMP,
        }).split('\n')
        const isNow = Math.abs(Date.now() / 1000 - Number(WEBHOOK_TIMESTAMP)) <= 300
        const sent = [headers['x-service-signature'], headers['x-service-signature-next']]
        return [
          isNow && (headers['webhook-signature'] ?? '').split(' ').includes(`v1,${standard}`),
          sent.includes(hex ?? ''),
        ]
      }),
  },
}
const installed = Object.entries(callers).filter(
  ([, { command, version }]) => spawnSync(command, [version]).status === 0,
)

let t: TestApp
let receiver: Awaited<ReturnType<typeof webhookReceiver>>
let owner: WorkspaceOwner
let cases: { title: string; given: Case; verdict: Verdict }[]
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'meydan-snippets-'))
  // Receivers check the time of a signature by the real clock.
  t = await testApp({}, { origin: new Date() })
  receiver = await webhookReceiver()
  owner = await withWorkspace(t)
  t.dispatch()
  cases = await collect()
  write('cases.json', JSON.stringify(cases.map(({ given }) => given)))
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await t.close()
  receiver.close()
})

/** The request received for a new post. */
async function delivered(): Promise<Received> {
  const before = receiver.received.length
  expectStatus(await owner.post('/api/v1/posts', { content: 'Günaydın ☀️ "simit"\\n' }), 201)
  await receiver.until((received) => received.length > before)
  const message = receiver.received.at(-1)
  if (!message) throw new Error('unreachable')
  return message
}

const asCase = (secret: string, { headers, raw }: Received): Case => ({
  secret,
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  body: raw.toString('base64'),
})

/** Deliveries as received, and as altered by attackers or mistakes. */
async function collect() {
  const { body: webhook } = expectStatus(
    await owner.post('/api/v1/webhooks', { url: receiver.url, events: ['post.created'] }),
    201,
  )
  const { id, secret } = webhook
  const good = asCase(secret, await delivered())
  t.advance(-6 * MINUTE)
  const old = asCase(secret, await delivered())
  t.advance(12 * MINUTE)
  const early = asCase(secret, await delivered())
  t.advance(-6 * MINUTE)
  const rotate = async (overlap_seconds: number) =>
    expectStatus(await owner.post(`/api/v1/webhooks/${id}/rotate-secret`, { overlap_seconds }), 200).body.secret
  const next = await rotate(3600)
  const rotating = await delivered()
  const last = await rotate(0)
  const rotated = await delivered()

  const tampered = Buffer.from(Buffer.from(good.body, 'base64').toString().replace('simit', 'poğaça')).toString(
    'base64',
  )
  const headers = (more: Record<string, string>) => ({ ...good.headers, ...more })
  const now = String(Math.floor(Date.now() / 1000))
  return [
    { title: 'as it came', given: good, verdict: [true, true] },
    { title: 'with another body', given: { ...good, body: tampered }, verdict: [false, false] },
    { title: 'by another secret', given: { ...good, secret: next }, verdict: [false, false] },
    { title: 'under another id', given: { ...good, headers: headers({ 'webhook-id': id }) }, verdict: [false, true] },
    { title: 'six minutes old', given: old, verdict: [false, true] },
    { title: 'six minutes early', given: early, verdict: [false, true] },
    {
      title: 'old, under the time of now',
      given: { ...old, headers: { ...old.headers, 'webhook-timestamp': now } },
      verdict: [false, true],
    },
    {
      title: 'with a malformed time',
      given: { ...good, headers: headers({ 'webhook-timestamp': 'soon' }) },
      verdict: [false, true],
    },
    {
      title: 'with malformed signatures',
      given: { ...good, headers: headers({ 'webhook-signature': 'v1, ü', 'x-service-signature': 'ü' }) },
      verdict: [false, false],
    },
    { title: 'without signatures', given: { ...good, headers: {} }, verdict: [false, false] },
    { title: 'during a rotation, by the former secret', given: asCase(secret, rotating), verdict: [true, true] },
    { title: 'during a rotation, by the new secret', given: asCase(next, rotating), verdict: [true, true] },
    { title: 'after it, by the former secret', given: asCase(next, rotated), verdict: [false, false] },
    { title: 'after it, by the new secret', given: asCase(last, rotated), verdict: [true, true] },
  ] satisfies typeof cases
}

describe('docs/webhooks.md', () => {
  test('docs/webhooks.md lists each event type with the fields of its data', () => {
    for (const [type, { data }] of Object.entries(eventTypes)) {
      const fields = Object.keys(data.properties).map((name) => `\`${name}\``)
      expect(guide).toMatch(new RegExp(`^\\| \`${type}\` \\| .* \\| ${fields.join(', ')} \\|$`, 'm'))
    }
    for (const alias of Object.keys(aliases)) expect(guide).toContain(`\`${alias}\``)
  })

  test('docs/webhooks.md has a snippet for each tested language', () => {
    expect([...snippets.keys()].sort()).toEqual(Object.keys(callers).sort())
    expect(installed.map(([language]) => language)).toContain('js')
  })

  test.each(installed)(
    'the snippet in %s accepts genuine deliveries and rejects all others',
    (language, { verdicts }) => {
      const found = verdicts(
        snippets.get(language) ?? '',
        cases.map(({ given }) => given),
      )
      expect(cases.map(({ title }, index) => [title, found[index]])).toEqual(
        cases.map(({ title, verdict }) => [title, verdict]),
      )
    },
  )
})
