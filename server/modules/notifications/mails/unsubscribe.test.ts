import { afterAll, describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import type { Person } from '../../../../test/factories.ts'
import { mailsTo } from '../../../../test/people.ts'
import { advanceMinutes, failingNetwork, PREFERENCES } from '../notifications.fixture.ts'
import { unsubscribeUrl } from './unsubscribe.ts'

const t = await testApp({ BASE_URL: 'https://meydan.test' })
const network = await failingNetwork(t)
afterAll(() => network.close())

const mailMode = async (person: Person, wanted = 'post.failed') =>
  (await person.get(PREFERENCES)).body.kinds.find(({ kind }: { kind: string }) => kind === wanted).mail
/** Calls the address of a mail without signing in. */
const call = async (url: string, init: RequestInit = {}) => {
  const response = await fetch(url.replace('https://meydan.test', t.url), init)
  return { status: response.status, html: await response.text(), headers: response.headers }
}
const oneClick = { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) }

describe('the address in List-Unsubscribe', () => {
  test('stops the mails of its kind by one POST without a session', async () => {
    const { owner, editor, fail } = await network.team()
    await fail('One')
    await advanceMinutes(t, 5)
    for (const person of [owner, editor]) {
      const [mail] = await mailsTo(t, person.email)
      const url = mail?.unsubscribe_url ?? ''
      const page = await call(url)
      expect(page.status).toBe(200)
      expect(page.html).toContain('<form method="post"><button>Stop these e-mails</button></form>')
      expect(page.headers.get('content-security-policy')).toContain("form-action 'self'")
      // Looking at it changes nothing: programs open the links of a mail.
      expect(await mailMode(person)).toBe('now')
      expect((await call(url, oneClick)).status).toBe(200)
      expect(await mailMode(person)).toBe('off')
      expect((await call(url, oneClick)).status).toBe(200)
    }
    await fail('Two')
    await advanceMinutes(t, 30)
    for (const person of [owner, editor]) expect(await mailsTo(t, person.email)).toHaveLength(1)
  })

  test('takes the body in the form that a mail program chooses', async () => {
    const { owner } = await network.team()
    const url = unsubscribeUrl(t.deps, { user_id: owner.id, kind: 'review.requested' }) ?? ''
    const body = new FormData()
    body.set('List-Unsubscribe', 'One-Click')
    expect((await call(url, { method: 'POST', body })).status).toBe(200)
    expect(await mailMode(owner, 'review.requested')).toBe('off')
  })

  test('of the daily mail stops all kinds that it has', async () => {
    const { owner } = await network.team()
    const url = unsubscribeUrl(t.deps, { user_id: owner.id, kind: 'digest' }) ?? ''
    expect((await call(url, { ...oneClick, headers: { 'accept-language': 'tr' } })).html).toContain('kapatıldı')
    expect(await mailMode(owner, 'review.approved')).toBe('off')
    expect(await mailMode(owner, 'recurring_post.paused')).toBe('off')
    expect(await mailMode(owner, 'review.requested')).toBe('now')
  })

  test('is refused for another kind, another user, or with a part missing', async () => {
    const { owner, editor } = await network.team()
    const url = new URL(unsubscribeUrl(t.deps, { user_id: owner.id, kind: 'review.requested' }) ?? '')
    const withOther = (name: string, value: string) => {
      const other = new URL(url)
      other.searchParams.set(name, value)
      return other.href
    }
    const others = [
      withOther('kind', 'post.failed'),
      withOther('kind', 'digest'),
      withOther('kind', 'billing.payment_failed'),
      withOther('user', editor.id),
      withOther('key', owner.id),
      withOther('signature', ''),
      `${t.url}/unsubscribe`,
      `${t.url}/unsubscribe?user=1&user=2&kind=digest&key=x&signature=y`,
    ]
    for (const other of others)
      expect([(await call(other)).status, (await call(other, oneClick)).status]).toEqual([404, 404])
    for (const person of [owner, editor])
      expect([await mailMode(person), await mailMode(person, 'review.requested')]).toEqual(['now', 'now'])
  })

  test('is left out on plain http', () => {
    const deps = { ...t.deps, baseUrl: 'http://meydan.test' }
    expect(unsubscribeUrl(deps, { user_id: 'x', kind: 'digest' })).toBeUndefined()
  })
})
