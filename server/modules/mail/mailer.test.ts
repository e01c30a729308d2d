import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { expectStatus, newAddress, PASSWORD, type Person, signedIn } from '../../../test/factories.ts'
import { actionsOf, auditOf } from '../../../test/people.ts'
import { expectProblem } from '../../../test/problem.ts'
import { holdTimers, stopPerformanceClock } from '../../../test/timers.ts'
import { until } from '../../../test/until.ts'

type Sent = { recipients: string[]; raw: string }

/** A mail server that stores received mails. `password`: required, and a wrong one is repeated in the refusal. */
async function mailServer({ password, smtpUtf8 = true }: { password?: string; smtpUtf8?: boolean } = {}) {
  const sent: Sent[] = []
  const state = {
    refuse: undefined as string | undefined,
    open: 0,
    held: 0,
    hold: Promise.resolve() as Promise<unknown>,
  }
  const server = new SMTPServer({
    disabledCommands: password === undefined ? ['AUTH', 'STARTTLS'] : ['STARTTLS'],
    authOptional: password === undefined,
    allowInsecureAuth: true,
    hideSMTPUTF8: !smtpUtf8,
    onAuth: ({ username = '', password: given = '' }, _session, done) => {
      if (given === password) return done(null, { user: username })
      const plain = Buffer.from(`\0${username}\0${given}`).toString('base64')
      done(Object.assign(new Error(`not ${given}, nor AUTH PLAIN ${plain}`), { responseCode: 535 }))
    },
    onConnect: (_session, done) => {
      state.open++
      done()
    },
    onClose: () => {
      state.open--
    },
    onRcptTo: ({ address }, _session, done) => {
      const refuse = smtpUtf8 || /^\p{ASCII}*$/u.test(address) ? state.refuse : 'malformed address'
      done(refuse === undefined ? null : Object.assign(new Error(refuse), { responseCode: 550 }))
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        state.held++
        await state.hold
        state.held--
        const recipients = session.envelope.rcptTo.map(({ address }) => address)
        sent.push({ recipients, raw: Buffer.concat(chunks).toString() })
        done()
      })
    },
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const address = server.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    sent,
    state,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}
type MailServer = Awaited<ReturnType<typeof mailServer>>

let t: TestApp
let root: Person
let first: MailServer
let second: MailServer
beforeAll(async () => {
  t = await testApp()
  await t.deps.invalidationBus.started
  root = await signedIn(t, { instanceAdmin: true })
  first = await mailServer()
  second = await mailServer()
})
afterAll(async () => {
  await t.close()
  await Promise.all([first.close(), second.close()])
})

const set = async (key: string, value: unknown) =>
  expectStatus(await root.put(`/api/v1/options/${key}`, { value }), 200)
const unset = async (key: string) => expectStatus(await root.delete(`/api/v1/options/${key}`), 204)
const signUp = async (email = newAddress()) => {
  expectStatus(await t.anyone.post('/api/auth/sign-up/email', { email, password: PASSWORD, name: 'Ada' }), 200)
  return email
}
const stateOf = async (email: string) =>
  (await t.deps.db.selectFrom('mail').select('state').where('to_address', '=', email).executeTakeFirstOrThrow()).state
const sentTo = ({ sent }: MailServer, email: string) => sent.filter(({ recipients }) => recipients.includes(email))
const sendsMail = async () => (await t.anyone.get('/api/v1/instance')).body.sends_mail

describe('the mail server of the options', () => {
  test('a changed mail server is used without a restart, and connections to the former one are closed', async () => {
    expect(await stateOf(await signUp())).toBe('kept')
    expect(await sendsMail()).toBe(false)

    await set('mail.smtp_url', first.url)
    expect(await sendsMail()).toBe(true)
    const one = await signUp()
    await t.runJobs()
    expect(await stateOf(one)).toBe('sent')
    expect(sentTo(first, one)).toHaveLength(1)
    await until(() => expect(first.state.open).toBe(1))

    await set('mail.smtp_url', second.url)
    await until(() => expect(first.state.open).toBe(0))
    const other = await signUp()
    await t.runJobs()
    expect(sentTo(second, other)).toHaveLength(1)

    const waiting = await signUp()
    await unset('mail.smtp_url')
    await until(() => expect(second.state.open).toBe(0))
    await t.runJobs()
    expect(await stateOf(waiting)).toBe('kept')
    expect(await sendsMail()).toBe(false)
  })

  test('a mail that is being sent when the server changes arrives at the former server', async () => {
    await set('mail.smtp_url', first.url)
    // A mail that another test left would be held in its place.
    await t.runJobs()
    const { promise, resolve } = Promise.withResolvers<void>()
    first.state.hold = promise
    const email = await signUp()
    const running = t.runJobs()
    await until(() => expect(first.state.held).toBe(1))
    await set('mail.smtp_url', second.url)
    await t.deps.options.secret('mail.smtp_url')
    resolve()
    await running
    expect(await stateOf(email)).toBe('sent')
    expect(sentTo(first, email)).toHaveLength(1)
    await until(() => expect(first.state.open).toBe(0))
    await unset('mail.smtp_url')
  })

  test.each([
    ['Agora, the <square> of all', undefined],
    ['Agora, Inc. <post@example.com>', '"Agora, Inc." <post@example.com>'],
    ['"Agora, Inc." <post@example.com>', '"Agora, Inc." <post@example.com>'],
    ['post@example.com', 'post@example.com'],
  ])('the sender %s is used as one sender', async (from, expected) => {
    const response = await root.put('/api/v1/options/mail.from', { value: from })
    if (expected === undefined) return expectProblem(response, 400, 'validation_failed', '/value')
    expectStatus(response, 200)
    await set('mail.smtp_url', first.url)
    const email = await signUp()
    await t.runJobs()
    expect(sentTo(first, email)[0]?.raw.split('\r\n', 1)).toEqual([`From: ${expected}`])
    await unset('mail.from')
    await unset('mail.smtp_url')
  })

  test('other nodes send through the new server as well', async () => {
    const other = await testApp({}, { beside: t })
    await other.deps.invalidationBus.started
    const send = () =>
      other.deps.mailTransport.send({
        to: { name: '', address: 'ada@example.com' },
        subject: 'x',
        text: 'x',
        html: 'x',
        messageId: '<x@meydan.test>',
      })
    await set('mail.smtp_url', first.url)
    await until(async () => expect(await other.deps.options.isSet('mail.smtp_url')).toBe(true))
    await send()
    const [one, two] = [first.sent.length, second.sent.length]
    await set('mail.smtp_url', second.url)
    await until(() => expect(first.state.open).toBe(0))
    await send()
    expect([first.sent.length, second.sent.length]).toEqual([one, two + 1])
    await unset('mail.smtp_url')
    await until(() => expect(second.state.open).toBe(0))
    await expect(send()).rejects.toThrow('No mail server is set')
    await other.close()
  })

  test('an address with letters beyond ASCII is sent to, or fails at once with the reason, beside others', async () => {
    const former = await mailServer({ smtpUtf8: false })
    const address = () => `şule.${newAddress()}`
    await set('mail.smtp_url', first.url)
    const taken = await signUp(address())
    await t.runJobs()
    expect(await stateOf(taken)).toBe('sent')
    expect(first.sent.at(-1)?.recipients).toEqual([taken])

    await set('mail.smtp_url', former.url)
    const [refused, other] = [await signUp(address()), await signUp()]
    await t.runJobs()
    expect([await stateOf(refused), await stateOf(other)]).toEqual(['failed', 'sent'])
    const { error, attempts } = await t.deps.db
      .selectFrom('mail')
      .select(['error', 'attempts'])
      .where('to_address', '=', refused)
      .executeTakeFirstOrThrow()
    expect({ error, attempts }).toEqual({ error: expect.stringMatching(/SMTPUTF8.*malformed address/), attempts: 1 })
    await unset('mail.smtp_url')
    await former.close()
  })

  test('a rejection that repeats the password is stored without it', async () => {
    const strict = await mailServer({ password: 'the right one' })
    await set('mail.smtp_url', `smtp://ada:s3cret%2Fpass@127.0.0.1:${strict.port}`)
    const email = await signUp()
    await t.runJobs()
    const { error } = await t.deps.db
      .selectFrom('mail')
      .select('error')
      .where('to_address', '=', email)
      .executeTakeFirstOrThrow()
    expect(error).toMatch(/535/)
    expect(error).not.toMatch(/s3cret/)
    expect(error).not.toContain(Buffer.from('\0ada\0s3cret/pass').toString('base64'))
    await unset('mail.smtp_url')
    await strict.close()
  })
})

describe('POST /options/test/mail', () => {
  let admin: Person
  beforeEach(async () => {
    admin = await signedIn(t, { instanceAdmin: true })
  })
  const testMail = (body: object = {}, headers?: Record<string, string>) =>
    admin.post('/api/v1/options/test/mail', body, headers)

  test('200 sends one mail at once, without the outbox, to the caller or to the given address', async () => {
    await set('mail.smtp_url', first.url)
    await set('app.name', 'Agora & <b>')
    expect(expectStatus(await testMail(), 200).body).toEqual({
      ok: true,
      detail: expect.stringMatching(/^250 /),
      latency_ms: expect.any(Number),
    })
    const [mail, ...more] = sentTo(first, admin.email)
    expect(more).toEqual([])
    expect(mail?.raw).toContain('Agora &amp; &lt;b&gt;')
    const to = newAddress()
    expect((await testMail({ to })).body).toMatchObject({ ok: true })
    expect(sentTo(first, to)).toHaveLength(1)
    expect(
      await t.deps.db.selectFrom('mail').select('id').where('to_address', 'in', [to, admin.email]).execute(),
    ).toEqual([])
    expect(await actionsOf(t, admin.id)).toEqual(expect.arrayContaining(['options.mail_tested', 'options.mail_tested']))
    await until(() => expect(first.state.open).toBe(0))
    await unset('app.name')
    await unset('mail.smtp_url')
  })

  test('200 without a mail server reports that there is none', async () => {
    expect(expectStatus(await testMail(), 200).body).toEqual({
      ok: false,
      detail: 'No mail server is set.',
      latency_ms: 0,
    })
  })

  test('200 reports why a server rejected the mail or could not be reached', async () => {
    await set('mail.smtp_url', first.url)
    first.state.refuse = 'no such mailbox \u0000\u0007here'
    const refused = expectStatus(await testMail(), 200).body
    first.state.refuse = undefined
    expect(refused).toMatchObject({ ok: false, detail: expect.stringContaining('no such mailbox') })
    await set('mail.smtp_url', 'smtp://127.0.0.1:1')
    expect(expectStatus(await testMail(), 200).body).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/ECONNREFUSED/),
    })
    await set('mail.smtp_url', 'smtp://nowhere.invalid')
    expect(expectStatus(await testMail(), 200).body).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/nowhere/),
    })
    await unset('mail.smtp_url')
  })

  test('400 for making a plan the default while a concurrent transaction archives it', async () => {
    const strict = await mailServer({ password: 'the right one' })
    await set('mail.smtp_url', `smtp://ada:s3cret%2Fpass@127.0.0.1:${strict.port}`)
    const { body } = expectStatus(await testMail(), 200)
    expect(body).toMatchObject({ ok: false, detail: expect.stringContaining('535') })
    const responses = JSON.stringify([body, await auditOf(t, admin.id)])
    for (const form of ['s3cret', Buffer.from('\0ada\0s3cret/pass').toString('base64')])
      expect(responses).not.toContain(form)
    await set('mail.smtp_url', `smtp://ada:the%20right%20one@127.0.0.1:${strict.port}`)
    expect((await testMail()).body).toMatchObject({ ok: true })
    await unset('mail.smtp_url')
    await strict.close()
  })

  test('200 after 15 seconds for a server that never stops sending', async () => {
    const sockets: Socket[] = []
    const { promise: talking, resolve: talk } = Promise.withResolvers<void>()
    const talker = createServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => undefined)
      const timer = setInterval(() => socket.write('220-more to come\r\n', () => talk()), 20)
      socket.on('close', () => clearInterval(timer))
    }).listen(0, '127.0.0.1')
    await once(talker, 'listening')
    const address = talker.address()
    await set('mail.smtp_url', `smtp://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`)
    const limit = holdTimers(15_000)
    const advance = stopPerformanceClock()
    const testing = testMail()
    await talking
    advance(15_000)
    limit.expire()
    const { body } = expectStatus(await testing, 200)
    expect(body).toMatchObject({ ok: false, detail: expect.stringMatching(/15 seconds/), latency_ms: 15_000 })
    await until(() => expect(sockets.every(({ destroyed }) => destroyed)).toBe(true))
    talker.close()
    await unset('mail.smtp_url')
  })

  test.each([
    [{ to: 'nobody' }, '/to'],
    [{ to: '' }, '/to'],
    [{ to: null }, '/to'],
    [{ to: ['a@example.com'] }, '/to'],
    [{ to: 'a@example.com, b@example.com' }, '/to'],
    [{ to: 'a@example.com\r\nBcc: b@example.com' }, '/to'],
    [{ subject: 'x' }, '/subject'],
  ])('400 for %j', async (body, pointer) => {
    const { code } = (await testMail(body)).body
    expectProblem(await testMail(body), 400, code === 'read_only' ? 'read_only' : 'validation_failed', pointer)
  })

  test('429 for a sixth test mail within a minute', async () => {
    for (let n = 0; n < 5; n++) expectStatus(await testMail(), 200)
    expect(expectProblem(await testMail(), 429, 'too_many_requests')).toBeDefined()
    t.advance(60_001)
    expectStatus(await testMail(), 200)
  })

  test('a call repeated with its Idempotency-Key sends no second mail', async () => {
    await set('mail.smtp_url', first.url)
    const to = newAddress()
    const key = { 'idempotency-key': to }
    const response = expectStatus(await testMail({ to }, key), 200)
    const again = expectStatus(await testMail({ to }, key), 200)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.body).toEqual(response.body)
    expect(sentTo(first, to)).toHaveLength(1)
    await unset('mail.smtp_url')
  })
})
