import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { newAddress } from '../../../test/factories.ts'
import { lastMail, signUp } from '../../../test/people.ts'
import { queueMail } from './mail.ts'

const DAY = 86_400_000

describe('mail through an SMTP server', () => {
  type Sent = { recipients: string[]; raw: string }
  const sent: Sent[] = []
  let refuse: string | undefined
  let mailing: TestApp
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo: (_address, _session, done) =>
      done(refuse === undefined ? null : Object.assign(new Error(refuse), { responseCode: 450 })),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        sent.push({
          recipients: session.envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
        })
        done()
      })
    },
  })
  const sentTo = (email: string) => sent.filter(({ recipients }) => recipients.includes(email))
  /** Header fields of a message, with folded lines joined. */
  const headersOf = ({ raw }: Sent) => (raw.split('\r\n\r\n', 1)[0] ?? '').replace(/\r\n[ \t]+/g, ' ').split('\r\n')

  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server.server, 'listening')
    const address = server.server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    mailing = await testApp(
      { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Meydan <post@meydan.test>' },
      // graphile-worker plans the retries of a job by the clock of PostgreSQL. Each test begins at its time.
      { origin: new Date() },
    )
  })
  beforeEach(() => mailing.advance(Date.now() - mailing.clock.now().getTime()))
  afterAll(async () => {
    await mailing.close()
    await new Promise<void>((resolve) => server.close(resolve))
  })

  test('a mail that its reader can stop says where, and how a mail program does it', async () => {
    const email = newAddress()
    const unsubscribeUrl = 'https://meydan.test/unsubscribe?user=1&kind=digest'
    const mail = { key: 'password-changed', to: { address: email, name: 'Ada' }, locale: 'en' } as const
    await queueMail(mailing.deps.db, mailing.deps, { ...mail, variables: { changed_at: 'today' }, unsubscribeUrl })
    await queueMail(mailing.deps.db, mailing.deps, { ...mail, variables: { changed_at: 'today' } })
    await mailing.runJobs()
    const listed = sentTo(email).map((one) => headersOf(one).filter((header) => /^list-/i.test(header)))
    expect(listed.toSorted((a, b) => b.length - a.length)).toEqual([
      [`List-Unsubscribe: <${unsubscribeUrl}>`, 'List-Unsubscribe-Post: List-Unsubscribe=One-Click'],
      [],
    ])
  })

  test('a mail is queued in the transaction of the sign-up and sent by a job', async () => {
    const email = newAddress()
    await signUp(mailing, email)
    const { subject, ...queued } = await lastMail(mailing, email)
    expect(queued).toMatchObject({ state: 'queued', sent_at: null })
    expect(sentTo(email)).toEqual([])
    await mailing.runJobs()
    const mail = await lastMail(mailing, email)
    expect(mail).toMatchObject({ state: 'sent', error: null, sent_at: mailing.clock.now() })
    await mailing.runJobs()
    const [message, ...more] = sentTo(email)
    expect(more).toEqual([])
    expect(message?.recipients).toEqual([email])
    expect(headersOf(message as Sent)).toEqual(
      expect.arrayContaining([
        `To: Ada <${email}>`,
        'From: Meydan <post@meydan.test>',
        `Subject: ${subject}`,
        `Message-ID: <${mail.id}@meydan.test>`,
      ]),
    )
  })

  test('a mail that the server rejects stays queued with the reason and is sent again', async () => {
    const email = newAddress()
    await signUp(mailing, email)
    refuse = 'greylisted, come back later'
    await mailing.runJobs()
    expect(await lastMail(mailing, email)).toMatchObject({
      state: 'queued',
      error: expect.stringContaining('greylisted'),
    })
    refuse = undefined
    await mailing.runJobs()
    expect(sentTo(email)).toEqual([])
    await mailing.advance(60_000)
    await mailing.runJobs()
    expect(await lastMail(mailing, email)).toMatchObject({ state: 'sent', error: null })
    expect(sentTo(email)).toHaveLength(1)
  })

  test('a mail fails after ten rejected attempts', async () => {
    const email = newAddress()
    await signUp(mailing, email)
    refuse = 'no such mailbox'
    for (let attempt = 1; attempt <= 10; attempt++) {
      expect((await lastMail(mailing, email)).state).toBe('queued')
      await mailing.runJobs()
      await mailing.advance(DAY)
    }
    refuse = undefined
    expect(await lastMail(mailing, email)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('no such mailbox'),
    })
    await mailing.advance(DAY)
    await mailing.runJobs()
    expect(sentTo(email)).toEqual([])
  })

  test.each([
    ['commas and brackets', 'Eve, <eve@evil.example>, Eve'],
    ['quotes', 'Eve" <eve@evil.example>, "x'],
    ['a backslash and a quote', 'Eve\\", eve@evil.example, "'],
    ['letters of other scripts', 'Şule "Ğ", eve@evil.example'],
    ['a comment', '(Eve) eve@evil.example ('],
  ])('a name with %s adds no recipient and no header', async (_, name) => {
    const email = newAddress()
    await signUp(mailing, email, { name })
    await mailing.runJobs()
    const [message] = sentTo(email)
    expect(message?.recipients).toEqual([email])
    const headers = headersOf(message as Sent)
    expect(headers.map((line) => line.split(':', 1)[0]?.toLowerCase()).sort()).toEqual(
      ['content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'].sort(),
    )
    const to = headers.find((line) => line.startsWith('To: ')) ?? ''
    // Outside of quotes and encoded words there is only the one address.
    const bare = to
      .slice(4)
      .replace(/"(\\.|[^"\\])*"/g, '')
      .replace(/=\?[^?]*\?[BQ]\?[^?]*\?=/gi, '')
    expect(bare.trim()).toBe(`<${email}>`)
  })
})
