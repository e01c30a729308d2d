import { once } from 'node:events'
import { sql } from 'kysely'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../test/app.ts'
import { expectStatus, newAddress, PASSWORD, type Person, signedIn } from '../../../../test/factories.ts'
import { auditOf, mailsTo } from '../../../../test/people.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { writeMail } from '../mail.ts'
import { eraseOldMails } from './outbox.ts'

const DAY = 86_400_000
type Sent = { recipients: string[]; raw: string }
const sent: Sent[] = []
let refuse = false
let t: TestApp
let admin: Person
const server = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  onRcptTo: (_address, _session, done) =>
    done(refuse ? Object.assign(new Error('not now'), { responseCode: 450 }) : null),
  onData: (stream, session, done) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      const recipients = session.envelope.rcptTo.map(({ address }) => address)
      sent.push({ recipients, raw: Buffer.concat(chunks).toString() })
      done()
    })
  },
})
let smtp = ''
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const address = server.server.address()
  smtp = `smtp://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  t = await testApp({ MAIL_FROM: 'Meydan <post@meydan.test>' }, { origin: new Date() })
  admin = await signedIn(t, { instanceAdmin: true })
  await setServer(true)
})
afterAll(async () => {
  await t.close()
  await new Promise<void>((resolve) => server.close(resolve))
})

const setServer = async (isSet: boolean) =>
  isSet
    ? expectStatus(await admin.put('/api/v1/options/mail.smtp_url', { value: smtp }), 200)
    : expectStatus(await admin.delete('/api/v1/options/mail.smtp_url'), 204)
const outbox = '/api/v1/admin/outbox'
const signUp = async (name = 'Ada', more: object = {}) => {
  const email = newAddress()
  expectStatus(await t.anyone.post('/api/auth/sign-up/email', { email, password: PASSWORD, name, ...more }), 200)
  return email
}
const mailTo = async (email: string) => {
  const mail = (await mailsTo(t, email)).at(-1)
  if (!mail) throw new Error(`no mail to ${email}`)
  return mail
}
const sentTo = (email: string) => sent.filter(({ recipients }) => recipients.includes(email))
const template = async (more: object) => {
  const body = { key: `own-${Math.random().toString(36).slice(2)}`, subject: 'x', body_html: '<p>x</p>', ...more }
  return expectStatus(await admin.post('/api/v1/email-templates', body), 201).body.id as string
}
/** Header fields of a message, with folded lines joined. */
const headersOf = ({ raw }: Sent) => (raw.split('\r\n\r\n', 1)[0] ?? '').replace(/\r\n[ \t]+/g, ' ').split('\r\n')
const decoded = (raw: string) =>
  Buffer.from(
    raw.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString()

const EVIL = [
  ['a line break and a header', 'a\r\nBcc: eve@evil.example\r\n\r\n<b>body</b>'],
  ['a lone line feed', 'a\nX-Evil: 1'],
  ['a lone carriage return', 'a\rX-Evil: 1'],
  ['other line breaks', 'a\u2028X-Evil: 1\u2029b\u0085c'],
  ['angle brackets', '<eve@evil.example>, <script>alert(1)</script>'],
  ['quotes and commas', 'Eve" <eve@evil.example>, "x\\", \'y'],
  ['an encoded word', '=?utf-8?Q?a=0D=0ABcc:_eve@evil.example?='],
  ['a placeholder', '{{code}} {{{app_url}}}'],
  ['an end of data', 'a\r\n.\r\nMAIL FROM:<eve@evil.example>'],
] as const

describe('the SMTP message', () => {
  const plain = ['content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to']

  test.each(EVIL)('a value with %s adds no header, no recipient and no markup', async (_, value) => {
    const id = await template({
      subject: 'Hi {{x}}!',
      body_html: '<p title="{{x}}">{{x}}</p><a href="https://a.example/{{x}}">{{x}}</a>',
      body_text: 'Text {{x}}.',
    })
    const to = newAddress()
    const boss = await signedIn(t, { instanceAdmin: true })
    expectStatus(await boss.post(`/api/v1/email-templates/${id}/send-test`, { to, variables: { x: value } }), 200)
    const count = sent.length
    await t.runJobs()
    expect(sent.length).toBe(count + 1)
    const [message] = sentTo(to)
    if (!message) throw new Error('nothing was sent')
    expect(message.recipients).toEqual([to])
    const headers = headersOf(message)
    const root = headers.filter((line) => !line.startsWith('Content-Transfer-Encoding'))
    expect(root.map((line) => line.split(':', 1)[0]?.toLowerCase()).sort()).toEqual(plain)
    expect(headers.find((line) => line.startsWith('To: '))).toBe(`To: ${to}`)
    const html = decoded(message.raw.slice(message.raw.indexOf('text/html')))
    expect(html).not.toMatch(/<(b|script|eve)/)
    expect([...html.matchAll(/<a href="([^"]*)"/g)]).toHaveLength(1)
  })

  test.each(EVIL)('a display name with %s stays one name of one recipient', async (_, name) => {
    const to = newAddress()
    await t.deps.db.transaction().execute((tx) =>
      writeMail(tx, t.deps, {
        key: 'x',
        locale: 'en',
        to: { address: to, name },
        subject: 'x',
        body_html: 'x',
        body_text: 'x',
      }),
    )
    await t.runJobs()
    const [message] = sentTo(to)
    if (!message) throw new Error('nothing was sent')
    expect(message.recipients).toEqual([to])
    expect(headersOf(message).map((line) => line.split(':', 1)[0]?.toLowerCase())).not.toContain('bcc')
    expect(headersOf(message).map((line) => line.split(':', 1)[0]?.toLowerCase())).not.toContain('x-evil')
    const line = headersOf(message).find((header) => header.startsWith('To: ')) ?? ''
    const bare = line
      .slice(4)
      .replace(/"(\\.|[^"\\])*"/g, '')
      .replace(/=\?[^?]*\?[^?]*\?[^?]*\?=/g, '')
    expect(bare.trim().split(/\s+/).at(-1)).toMatch(new RegExp(`^<?${to}>?$`))
    expect(bare.match(/@/g)).toHaveLength(1)
  })

  test.each([
    'b@x.example\r\nRCPT TO:<eve@evil.example>',
    'b@x.example, eve@evil.example',
    'B <b@x.example>',
    '<b@x.example>',
    'b@x.example eve@evil.example',
    'group:b@x.example;',
    'b@x.example\u2028eve@evil.example',
    '',
  ])('nothing is sent to the invalid address %j', async (address) => {
    const { id } = await t.deps.db.transaction().execute((tx) =>
      writeMail(tx, t.deps, {
        key: 'x',
        locale: 'en',
        to: { address, name: '' },
        subject: 'x',
        body_html: 'x',
        body_text: 'x',
      }),
    )
    const count = sent.length
    await t.runJobs()
    expect(sent).toHaveLength(count)
    const { body } = await admin.get(`${outbox}/${id}`)
    expect(body).toMatchObject({ state: 'failed', attempts: 0, error: expect.stringContaining('not a single') })
  })

  test('a mail has a text part followed by an HTML part', async () => {
    const email = await signUp()
    const code = /\d{6}/.exec((await mailTo(email)).subject)?.[0] ?? ''
    await t.runJobs()
    const raw = sentTo(email)[0]?.raw ?? ''
    expect(raw.indexOf('text/plain')).toBeGreaterThan(0)
    expect(raw.indexOf('text/html')).toBeGreaterThan(raw.indexOf('text/plain'))
    expect(decoded(raw).split(code).length).toBeGreaterThan(3)
  })
})

describe('the contents of stored mails', () => {
  test('a mail with a code or a link for its recipient is blanked after sending, including a code in the subject', async () => {
    const email = await signUp()
    const before = await mailTo(email)
    const code = /\d{6}/.exec(before.subject)?.[0] ?? ''
    expect(before.body_html).toContain(code)
    refuse = true
    await t.runJobs()
    refuse = false
    expect(await mailTo(email)).toMatchObject({ state: 'queued', attempts: 1, body_text: before.body_text })
    t.advance(60_000)
    await t.runJobs()
    const after = (await admin.get(`${outbox}/${before.id}`)).body
    expect(after).toMatchObject({
      state: 'sent',
      attempts: 2,
      body_text: '',
      body_html: '',
      subject: '•••••• is your Meydan code',
    })
    expect(JSON.stringify(after)).not.toContain(code)
  })

  test('other mails keep their texts', async () => {
    const id = await template({ body_html: '<p>Kept</p>' })
    const to = newAddress()
    expectStatus(await admin.post(`/api/v1/email-templates/${id}/send-test`, { to }), 200)
    await t.runJobs()
    expect(await mailTo(to)).toMatchObject({ state: 'sent', body_html: '<p>Kept</p>', body_text: 'Kept\n' })
  })

  test('mails are deleted after 90 days and not before', async () => {
    const email = await signUp()
    const now = t.clock.now().getTime()
    const at = (days: number) => ({ ...t.deps, clock: { now: () => new Date(now + days * DAY) } })
    await eraseOldMails(at(89))
    expect(await mailsTo(t, email)).toHaveLength(1)
    await eraseOldMails(at(91))
    expect(await mailsTo(t, email)).toHaveLength(0)
  })
})

describe('GET /admin/outbox', () => {
  test('200 filters by state and searches in address, name, subject and key', async () => {
    await setServer(false)
    const email = await signUp('Işık İnce')
    await setServer(true)
    const queued = await signUp('Someone')
    const found = async (query: string) =>
      expectStatus(await admin.get(`${outbox}?${query}`), 200).body.data.map(
        ({ to_address }: { to_address: string }) => to_address,
      )
    expect(await found('state=kept')).toContain(email)
    expect(await found('state=kept')).not.toContain(queued)
    expect(await found('state=queued')).toContain(queued)
    expect(await found(`search=${encodeURIComponent('IŞIK ince')}`)).toEqual([email])
    expect(await found(`search=${email.slice(0, 8).toUpperCase()}`)).toEqual([email])
    expect(await found(`search=${email.slice(0, 8)}&state=sent`)).toEqual([])
    expect(await found('search=SIGNUP-OTP')).toContain(queued)
    expect(await found('search=%25')).toEqual([])
    expectProblem(await admin.get(`${outbox}?state=lost`), 400, 'validation_failed', '/state')
    await t.runJobs()
  })
})

describe('POST /admin/outbox/:id/retry', () => {
  const retry = (id: string) => admin.post(`${outbox}/${id}/retry`)

  test('a mail that was stored without a mail server is sent after one is set up, and not before', async () => {
    await setServer(false)
    const email = await signUp()
    const { id } = await mailTo(email)
    const refused = expectProblem(await retry(id), 409, 'invalid_transition')
    expect(refused).toMatchObject({ state: 'kept', detail: expect.stringContaining('No mail server') })
    await setServer(true)
    expect(expectStatus(await retry(id), 200).body).toMatchObject({ id, state: 'queued', error: null })
    expect(expectProblem(await retry(id), 409, 'invalid_transition').state).toBe('queued')
    await t.runJobs()
    expect(sentTo(email)).toHaveLength(1)
    expect(expectProblem(await retry(id), 409, 'invalid_transition').state).toBe('sent')
    const entries = (await auditOf(t, admin.id)).filter(({ action }) => action === 'mail.retried')
    expect(entries.at(-1)).toMatchObject({
      target_id: id,
      workspace_id: null,
      details: { key: 'signup-otp', to: email },
    })
  })

  test('retrying a failed mail ten times at once gives it all its attempts again and sends it once', async () => {
    const email = await signUp()
    const { id } = await mailTo(email)
    refuse = true
    for (let attempt = 1; attempt <= 10; attempt++) {
      await t.runJobs()
      t.advance(DAY)
    }
    // Undoes the advance, which is longer than sessions last.
    t.advance(-10 * DAY)
    expect(await mailTo(email)).toMatchObject({
      state: 'failed',
      attempts: 10,
      error: expect.stringContaining('not now'),
    })
    const responses = await Promise.all(Array.from({ length: 10 }, () => retry(id)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
    await t.runJobs()
    expect(await mailTo(email)).toMatchObject({ state: 'queued', attempts: 11 })
    refuse = false
    t.advance(60_000)
    await t.runJobs()
    expect(await mailTo(email)).toMatchObject({ state: 'sent', attempts: 12 })
    expect(sentTo(email)).toHaveLength(1)
  })

  test('a mail whose worker died during the last attempt is sent', async () => {
    const email = await signUp()
    const { id } = await mailTo(email)
    await sql`update graphile_worker._private_jobs set attempts = max_attempts where key = ${`mail ${id}`}`.execute(
      t.deps.db,
    )
    await t.runJobs()
    expect(await mailTo(email)).toMatchObject({ state: 'queued', attempts: 0 })
    expectStatus(await retry(id), 200)
    expect(expectProblem(await retry(id), 409, 'invalid_transition').state).toBe('queued')
    await t.runJobs()
    expect(sentTo(email)).toHaveLength(1)
  })

  test('404 for an unknown mail, 403 for users who are not instance admins', async () => {
    expectProblem(await retry('01a1ffaa-a55d-75fb-81c2-a59a5ae6ceac'), 404, 'not_found')
    const { id } = await mailTo(await signUp())
    expectProblem(await (await signedIn(t)).post(`${outbox}/${id}/retry`), 403, 'forbidden_role')
  })
})
