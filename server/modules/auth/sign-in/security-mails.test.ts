import { expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, newAddress, PASSWORD, signedIn } from '../../../../test/factories.ts'
import { mailedCode, mailedToken, mailsTo, requestReset, withTwoFactor, wrong } from '../../../../test/people.ts'
import { expectProblem } from '../../../../test/problem.ts'

const t = await testApp()

const keysTo = async (email: string) => (await mailsTo(t, email)).map(({ key }) => key)
const NEW = 'another horse battery'

test('a changed password is reported by mail, and a wrong attempt is not', async () => {
  const person = await signedIn(t)
  const change = (current_password: string) =>
    person.post('/api/v1/me/password', { current_password, new_password: NEW })
  expectProblem(await change('wrong'), 403, 'password_wrong')
  expect(await keysTo(person.email)).toEqual([])
  expectStatus(await change(PASSWORD), 204)
  const [mail] = await mailsTo(t, person.email)
  expect(mail).toMatchObject({ key: 'password-changed', subject: 'Your Meydan password was changed' })
  expect(mail?.body_text).not.toContain(NEW)
})

test('a password that was set through a mailed link is reported by mail', async () => {
  const { email } = await signedIn(t)
  await requestReset(t, email)
  const token = await mailedToken(t, email)
  expectStatus(await t.anyone.post('/api/auth/reset-password', { token, newPassword: NEW }), 200)
  expect(await keysTo(email)).toEqual(['password-reset', 'password-changed'])
})

test('a changed address is reported to the former address once the change is complete', async () => {
  const person = await signedIn(t)
  const email = newAddress()
  expectStatus(await person.patch('/api/v1/me', { locale: 'tr', timezone: 'Europe/Istanbul' }), 200)
  expectStatus(await person.post('/api/v1/me/email', { email, password: PASSWORD }), 202)
  const [old_code, new_code] = [await mailedCode(t, person.email), await mailedCode(t, email)]
  expectProblem(
    await person.post('/api/v1/me/email/confirm', { old_code, new_code: wrong(new_code) }),
    400,
    'code_rejected',
  )
  expect(await keysTo(person.email)).toEqual(['email-change'])
  expectStatus(await person.post('/api/v1/me/email/confirm', { old_code, new_code }), 200)
  const mail = (await mailsTo(t, person.email)).at(-1)
  expect(mail).toMatchObject({ key: 'email-changed', subject: 'Meydan e-posta adresiniz değiştirildi' })
  expect(mail?.body_text).toContain(email)
  expect(await keysTo(email)).toEqual(['email-change'])
})

test('turning two-factor sign-in on or off and renewing backup codes are reported by mail', async () => {
  const { person } = await withTwoFactor(t, await signedIn(t))
  expectStatus(await person.post('/api/v1/me/two-factor/backup-codes', { password: PASSWORD }), 200)
  expectStatus(await person.call('DELETE', '/api/v1/me/two-factor', { body: { password: PASSWORD } }), 204)
  const mails = await mailsTo(t, person.email)
  expect(mails.map(({ key }) => key)).toEqual(Array(3).fill('two-factor-changed'))
  for (const [index, part] of ['was turned on.', 'backup codes were renewed', 'was turned off.'].entries())
    expect(mails[index]?.body_text).toContain(part)
})
