import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, newAddress, PASSWORD, signedIn, withWorkspace } from '../../../../test/factories.ts'
import { auditOf, mailsTo } from '../../../../test/people.ts'
import { expectProblem } from '../../../../test/problem.ts'

const t = await testApp()
const admin = await signedIn(t, { instanceAdmin: true, name: 'Ada, Countess "of" <Lovelace>' })

const path = '/api/v1/email-templates'
const unique = () => `own-${randomBytes(5).toString('hex')}`
const draft = (more: object = {}) => ({
  key: unique(),
  subject: 'Hi {{user_name}}',
  body_html: '<p>{{user_name}}</p>',
  ...more,
})
const created = async (more: object = {}) => expectStatus(await admin.post(path, draft(more)), 201).body
const signUp = async (more: object = {}) => {
  const email = newAddress()
  expectStatus(await t.anyone.post('/api/auth/sign-up/email', { email, password: PASSWORD, name: 'Ada', ...more }), 200)
  const [mail] = await mailsTo(t, email)
  if (!mail) throw new Error('no mail')
  return mail
}
const clear = () => t.deps.db.deleteFrom('email_template').execute()

describe('POST /email-templates', () => {
  test('201 returns the record with its ETag, and the locale defaults to `default` and is stored in its canonical form', async () => {
    const response = await admin.post(path, draft({ description: 'For a friend', body_text: '  ' }))
    const { body, headers } = expectStatus(response, 201)
    expect(body).toMatchObject({
      locale: 'default',
      subject: 'Hi {{user_name}}',
      body_text: null,
      description: 'For a friend',
      warnings: [],
    })
    expect(headers.get('etag')).toBe('"1"')
    expect((await admin.get(`${path}/${body.id}`)).body).toEqual(body)
    expect((await created({ locale: 'PT-br' })).locale).toBe('pt-BR')
  })

  test('201 warns about unused variables of the key, but not about those that all mails have', async () => {
    const key = 'invitation'
    const { warnings } = await created({ key, locale: 'de', body_html: '<a href="{{ accept_url }}">{{role}}</a>' })
    expect(warnings).toEqual(['workspace_name', 'inviter_name', 'expires_at'])
  })

  test('400 for unknown variables, other syntax and unsafe places, each with its pointer', async () => {
    const bad = { key: 'signup-otp', subject: '{{cod}}', body_html: '<p style="{{code}}">', body_text: '{{{code}}}' }
    const { errors } = expectProblem(await admin.post(path, bad), 400, 'validation_failed')
    expect(errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(['/subject', '/body_html', '/body_text'])
    expect(errors[0].message).toContain('{{cod}}')
    expect(errors[2].message).toContain('{{{code}}}')
  })

  test.each([
    ['/key', { key: '-a' }],
    ['/key', { key: 'a'.repeat(61) }],
    ['/key', { key: 'A' }],
    ['/locale', { locale: 'not a tag' }],
    ['/locale', { locale: '' }],
    ['/subject', { subject: 'a\r\nBcc: eve@evil.example' }],
    ['/subject', { subject: 'a'.repeat(301) }],
    ['/body_html', { body_html: '' }],
    ['/body_html', { body_html: 'a'.repeat(200_001) }],
    ['/body_text', { body_text: 'a'.repeat(100_001) }],
    ['/extra', { extra: 1 }],
  ])('400 for an invalid value at %s (case %#)', async (pointer, more) => {
    expectProblem(await admin.post(path, draft(more)), 400, 'validation_failed', pointer)
  })

  test('409 when key and locale are taken, also for concurrent calls and however the locale is written', async () => {
    const key = unique()
    const responses = await Promise.all(
      ['tr-TR', 'tr-tr', 'TR-tr', 'tr-TR'].map((locale) => admin.post(path, draft({ key, locale }))),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
    for (const response of responses.filter(({ status }) => status === 409))
      expectProblem(response, 409, 'email_template_taken')
    await created({ key, locale: 'tr' })
  })

  test('403 for owners of workspaces, 401 without credentials', async () => {
    const owner = await withWorkspace(t)
    expectProblem(await owner.post(path, draft()), 403, 'forbidden_role')
    expectProblem(await t.anyone.get(`${path}/keys`), 401, 'unauthenticated')
  })
})

describe('GET /email-templates', () => {
  test('200 lists stored templates, newest first, page by page, and searches in key, locale, subject and description', async () => {
    await clear()
    expect(expectStatus(await admin.get(path), 200).body).toEqual({ data: [], next_cursor: null })
    const a = await created({ subject: 'KIŞ indirimi', locale: 'tr' })
    const b = await created({ description: 'Winter %_', key: a.key })
    const c = await created()
    const ids = async (query: string) =>
      expectStatus(await admin.get(`${path}?${query}`), 200).body.data.map(({ id }: { id: string }) => id)
    expect(await ids('')).toEqual([c.id, b.id, a.id])
    expect(await ids('search=k%C4%B1%C5%9F')).toEqual([a.id])
    expect(await ids('search=wINTER')).toEqual([b.id])
    expect(await ids('search=%25_')).toEqual([b.id])
    expect(await ids(`search=${a.key.toUpperCase()}`)).toEqual([b.id, a.id])
    expect(await ids('search=TR')).toContain(a.id)
    expect(await ids(`key=${a.key}&locale=default`)).toEqual([b.id])
    expect(await ids('locale=TR')).toEqual([a.id])
    const first = (await admin.get(`${path}?limit=2`)).body
    expect(await ids(`limit=2&cursor=${first.next_cursor}`)).toEqual([a.id])
  })
})

describe('PUT /email-templates/:id', () => {
  test('200 keeps absent fields, keeps the version without changes, and derives a text that is null again', async () => {
    const before = await created({ body_text: 'Hi' })
    const one = `${path}/${before.id}`
    const same = expectStatus(await admin.put(one, { subject: before.subject }), 200)
    expect(same.headers.get('etag')).toBe('"1"')
    const { body, headers } = expectStatus(await admin.put(one, { subject: 'New', body_text: null }), 200)
    expect(body).toMatchObject({ ...before, subject: 'New', body_text: null, updated_at: expect.any(String) })
    expect(headers.get('etag')).toBe('"2"')
    expectProblem(await admin.call('PUT', one, { body: {}, headers: { 'if-match': '"1"' } }), 412, 'version_conflict')
  })

  test('400 when the new key lacks a variable of the body, 409 when it is taken, 404 after the template was deleted', async () => {
    const { id, key } = await created({ body_html: '<p>{{anything}}</p>' })
    expectProblem(await admin.put(`${path}/${id}`, { key: 'invitation' }), 400, 'validation_failed', '/body_html')
    const other = await created()
    expectProblem(await admin.put(`${path}/${id}`, { key: other.key }), 409, 'email_template_taken')
    expect((await admin.get(`${path}/${id}`)).body.key).toBe(key)
    expectStatus(await admin.delete(`${path}/${id}`), 204)
    for (const response of [await admin.put(`${path}/${id}`, {}), await admin.delete(`${path}/${id}`)])
      expectProblem(response, 404, 'not_found')
  })

  test('the audit log records each change without the bodies', async () => {
    const boss = await signedIn(t, { instanceAdmin: true })
    const { id } = expectStatus(await boss.post(path, draft({ body_html: 'SECRET-BODY' })), 201).body
    expectStatus(await boss.put(`${path}/${id}`, { subject: 'Other' }), 200)
    expectStatus(await boss.delete(`${path}/${id}`), 204)
    const entries = (await auditOf(t, boss.id)).filter(({ target_id }) => target_id === id)
    expect(entries.map(({ action }) => action)).toEqual([
      'email_template.created',
      'email_template.updated',
      'email_template.deleted',
    ])
    expect(entries[1]?.details).toMatchObject({
      changed: ['subject'],
      before: { subject: 'Hi {{user_name}}' },
      after: { subject: 'Other' },
    })
    expect(JSON.stringify(entries)).not.toContain('SECRET-BODY')
  })
})

describe('GET /email-templates/keys', () => {
  test('200 lists every key with its variables, samples and built-in texts, which are valid templates', async () => {
    await clear()
    const { body } = expectStatus(await admin.get(`${path}/keys`), 200)
    const keys = body.data.map(({ key }: { key: string }) => key)
    for (const key of [
      'signup-otp',
      'password-reset',
      'invitation',
      'billing-receipt',
      'billing-failed',
      'email-change',
    ])
      expect(keys).toContain(key)
    for (const { key, texts, variables } of body.data) {
      expect(variables.slice(0, 3).map(({ name }: { name: string }) => name)).toEqual([
        'app_name',
        'app_url',
        'user_name',
      ])
      for (const [locale, text] of Object.entries(texts as Record<string, object>)) {
        const { id, warnings } = await created({ key, locale, ...text })
        expect(warnings).toEqual([])
        const shown = expectStatus(await admin.post(`${path}/${id}/preview`), 200).body
        expect(shown.missing).toEqual([])
        expect(JSON.stringify(shown)).not.toContain('{{')
      }
    }
    await clear()
  })
})

describe('previews', () => {
  test('200 fills in samples or the given values, escapes them, and derives the text from the HTML', async () => {
    const { id } = await created({
      key: 'password-reset',
      subject: '{{app_name}}: {{user_name}}',
      body_html: '<h1>{{user_name}}</h1><a href="{{reset_url}}">Go</a>',
    })
    const variables = { user_name: '<b>"Ada"</b>\r\nBcc: x', reset_url: 'javascript:alert(1)' }
    expect(expectStatus(await admin.post(`${path}/${id}/preview`, { variables }), 200).body).toEqual({
      subject: 'Meydan: <b>"Ada"</b> Bcc: x',
      body_html: '<h1>&lt;b&gt;&quot;Ada&quot;&lt;/b&gt;\r\nBcc: x</h1><a href="">Go</a>',
      body_text: '<b>"Ada"</b>\r\nBcc: x\n\nGo [javascript:alert(1)]\n',
      missing: [],
      warnings: ['expires_minutes'],
    })
    const unknown = { variables: { reset: 'x' } }
    expectProblem(await admin.post(`${path}/${id}/preview`, unknown), 400, 'validation_failed', '/variables/reset')
    await clear()
  })

  test('200 previews a draft without saving it, and 400 for what a template would be refused for', async () => {
    const before = (await admin.get(path)).body.data
    const shown = await admin.post(`${path}/preview`, {
      ...draft({ body_html: '{{a}}{{b}}{{constructor}}' }),
      locale: 'tr',
      variables: { a: '1' },
    })
    expect(expectStatus(shown, 200).body).toMatchObject({ body_html: '1', missing: ['b', 'constructor'] })
    const bad = { ...draft({ body_html: '<p {{a}}>' }), locale: 'tr' }
    expectProblem(await admin.post(`${path}/preview`, bad), 400, 'validation_failed', '/body_html')
    expect((await admin.get(path)).body.data).toEqual(before)
  })

  test('400 when the values make the mail too large to send', async () => {
    const large = { ...draft({ body_html: '{{a}}'.repeat(500) }), locale: 'tr', variables: { a: '<'.repeat(2000) } }
    expectProblem(await admin.post(`${path}/preview`, large), 400, 'validation_failed', '/body_html')
    const many = { ...draft({ body_html: '{{a}}'.repeat(501) }), locale: 'tr' }
    expectProblem(await admin.post(`${path}/preview`, many), 400, 'validation_failed', '/body_html')
  })
})

describe('POST /email-templates/:id/send-test', () => {
  test('200 queues a mail to the caller or to the given address, at most five a minute', async () => {
    const boss = await signedIn(t, { instanceAdmin: true, name: 'Grace' })
    const { id, key } = await created()
    const { body } = expectStatus(await boss.post(`${path}/${id}/send-test`), 200)
    const [mail] = await mailsTo(t, boss.email)
    expect(body).toEqual({ mail_id: mail?.id, state: 'kept' })
    expect(mail).toMatchObject({
      key,
      to_name: 'Grace',
      subject: 'Hi Grace',
      body_html: '<p>Grace</p>',
      body_text: 'Grace\n',
    })
    const to = newAddress()
    expectStatus(await boss.post(`${path}/${id}/send-test`, { to, variables: { user_name: 'Eve' } }), 200)
    expect((await mailsTo(t, to))[0]).toMatchObject({ subject: 'Hi Eve', to_name: '' })
    for (const wrong of ['x', 'a@b.example\r\nBcc: c@d.example', 'a@b.example, c@d.example', 'A <a@b.example>'])
      expectProblem(await boss.post(`${path}/${id}/send-test`, { to: wrong }), 400, 'validation_failed', '/to')
    for (let count = 3; count <= 5; count++) expectStatus(await boss.post(`${path}/${id}/send-test`), 200)
    const refused = expectProblem(await boss.post(`${path}/${id}/send-test`), 429, 'too_many_requests')
    expect(refused.detail).toMatch(/seconds/)
    t.advance(61_000)
    expectStatus(await boss.post(`${path}/${id}/send-test`), 200)
  })
})

describe('the choice of a text', () => {
  const otp = (locale: string, subject: string) =>
    created({ key: 'signup-otp', locale, subject: `${subject} {{code}}`, body_html: '<p>{{code}}</p>' })
  const subjectFor = async (locale: string) => (await signUp({ locale })).subject.replace(/\d{6}/, '#')

  test('the text is chosen by the exact locale, then its language, then the default, first among templates and then among built-in texts', async () => {
    await clear()
    expect(await subjectFor('tr-TR')).toBe('Meydan kodunuz: #')
    expect(await subjectFor('fr')).toBe('# is your Meydan code')
    const fallback = await otp('default', 'default')
    expect(await subjectFor('tr-TR')).toBe('default #')
    const language = await otp('tr', 'tr')
    expect(await subjectFor('tr-TR')).toBe('tr #')
    const exact = await otp('tr-TR', 'exact')
    expect(await subjectFor('tr-TR')).toBe('exact #')
    expect(await subjectFor('tr-CY')).toBe('tr #')
    expect(await subjectFor('fr')).toBe('default #')
    for (const { id } of [exact, language, fallback]) expectStatus(await admin.delete(`${path}/${id}`), 204)
    expect(await subjectFor('tr-TR')).toBe('Meydan kodunuz: #')
  })

  test('a change applies from the next mail on', async () => {
    const { id } = await otp('default', 'before')
    expect(await subjectFor('en')).toBe('before #')
    expectStatus(await admin.put(`${path}/${id}`, { subject: 'after {{code}}' }), 200)
    expect(await subjectFor('en')).toBe('after #')
    await clear()
  })

  test.each([
    ['syntax', { subject: '{{{code}}}' }],
    ['an unknown variable', { body_html: '{{nothing}}' }],
    ['an unsafe place', { body_html: '<p style="{{user_name}}">' }],
    ['too large to send', { body_html: '{{user_name}}'.repeat(501) }],
  ])('an invalid row (%s) is skipped for the next text, and the mail is still sent', async (_, broken) => {
    await clear()
    const { id } = await otp('tr', 'tr')
    await t.deps.db.updateTable('email_template').set(broken).where('id', '=', id).execute()
    expect(await subjectFor('tr')).toBe('Meydan kodunuz: #')
    await otp('default', 'default')
    expect(await subjectFor('tr')).toBe('default #')
    await clear()
  })

  test('the name of the app in mails is an option', async () => {
    expectStatus(await admin.put('/api/v1/options/app.name', { value: 'Pazar <&>' }), 200)
    const mail = await signUp()
    expect(mail.subject).toMatch(/^\d{6} is your Pazar <&> code$/)
    expect(mail.body_html).toContain('Pazar &lt;&amp;&gt;')
    expectStatus(await admin.delete('/api/v1/options/app.name'), 204)
  })
})

describe('GET /mail-frame', () => {
  test('200 returns a page whose policy allows only its own script', async () => {
    const { headers, body } = expectStatus(await t.anyone.get('/mail-frame'), 200)
    const policy = headers.get('content-security-policy') ?? ''
    for (const part of [
      "default-src 'none'",
      "style-src 'unsafe-inline'",
      'sandbox allow-scripts',
      "frame-ancestors 'self'",
    ])
      expect(policy.split('; ')).toContain(part)
    expect(policy).toMatch(/script-src 'sha256-[\w+/]{43}='/)
    expect(policy).not.toContain('allow-same-origin')
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(body).toMatch(/^<!doctype html>/)
  })
})
