import { describe, expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, PASSWORD, withWorkspace } from '../../../../test/factories.ts'
import { mailedCode, requestEmailChange, signIn, signUp } from '../../../../test/people.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { readConfig } from '../../../config/config.ts'

const t = await testApp()

/** Addresses as people type them, and as they are stored. */
const addresses = [
  ['ada@türkçe.com', 'ada@xn--trke-2oa7j.com'],
  ['ada@пример.рф', 'ada@xn--e1afmkfd.xn--p1ai'],
  ['ada@ornek.xn--p1ai', 'ada@ornek.xn--p1ai'],
  ['Ada@ÖRNEK.com', 'ada@xn--rnek-4qa.com'],
  ['ALİ@İSTANBUL.com', 'ali@istanbul.com'],
  ['a&b@ornek.com', 'a&b@ornek.com'],
  ['ada!x@ornek.com', 'ada!x@ornek.com'],
  ['a/b=c@ornek.com', 'a/b=c@ornek.com'],
  ['{ada}@ornek.com', '{ada}@ornek.com'],
  ['şule@ornek.com', 'şule@ornek.com'],
] as const

describe('an e-mail address with signs of RFC 6531', () => {
  test.each(addresses)('%s signs up, is verified, and signs in in both forms', async (typed, stored) => {
    expect((await signUp(t, typed)).body.user.email).toBe(stored)
    const otp = await mailedCode(t, stored)
    expectStatus(await t.anyone.post('/api/auth/email-otp/verify-email', { email: typed, otp }), 200)
    for (const email of [typed, stored]) expectStatus(await signIn(t, email), 200)
  })

  test('is invited, is changed to, and is that of the first admin', async () => {
    const owner = await withWorkspace(t)
    for (const [typed, stored] of addresses) {
      const invitation = { email: `new.${typed}`, role: 'author' }
      expect(expectStatus(await owner.post('/api/v1/workspace/invitations', invitation), 201).body.email).toBe(
        `new.${stored}`,
      )
      expectProblem(await owner.post('/api/v1/workspace/invitations', invitation), 409, 'invitation_taken')
      expect((await requestEmailChange(owner, `later.${typed}`)).body.email).toBe(`later.${stored}`)
      expect(readConfig({ ADMIN_EMAIL: typed, ADMIN_PASSWORD: PASSWORD }).ADMIN_EMAIL).toBe(stored)
    }
  })
})

test.each([
  'ada',
  'ada@ornek',
  'ada@localhost',
  'a b@ornek.com',
  'ada@@ornek.com',
  '.ada@ornek.com',
  'ada.@ornek.com',
  'a..b@ornek.com',
  'ada@-ornek.com',
  'ada@ornek-.com',
  'ada@ornek..com',
  'ada@ornek.com\n',
  '<ada@ornek.com>',
  'ada,b@ornek.com',
  `${'ş'.repeat(33)}@ornek.com`,
  `ada@${'ü'.repeat(60)}.${'ş'.repeat(60)}.${'ç'.repeat(60)}.${'ğ'.repeat(50)}.com`,
])('%j is not an e-mail address', async (email) => {
  const response = await t.anyone.post('/api/auth/sign-up/email', { email, password: PASSWORD, name: 'Ada' })
  expectProblem(response, 400, 'validation_failed', '/email')
})
