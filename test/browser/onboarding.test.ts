import type { FrameLocator, Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { setUpCode } from '../../server/modules/auth/instance-admin.ts'
import { testApp } from '../app.ts'
import { PASSWORD, signedIn, withWorkspace } from '../factories.ts'
import { mailsTo } from '../people.ts'
import { webhookReceiver } from '../receiver.ts'
import { until } from '../until.ts'
import { newPage } from './browser.ts'
import { descriptionOf, fillSignIn, main, ownerIn, pagePath, waitUntilGone } from './pages.ts'

// An installation is set up once.
describe('a new installation', { shuffle: false }, async () => {
  const t = await testApp({}, { live: true })
  const receiver = await webhookReceiver()
  afterAll(receiver.close)
  const link = `/setup?code=${setUpCode(t.deps.keyring)}`

  test('the sign-in page shows that Meydan is not set up, and the set-up page reports a missing code', async () => {
    const page = await newPage(t, { allow: ['401 '] })
    await page.goto('/')
    await page.getByText('Meydan is not set up yet').waitFor()
    await page.goto('/setup')
    await page.getByText('The link is incomplete').waitFor()
  })

  test('the set-up form shows each error at its field', async () => {
    const page = await newPage(t, { allow: ['POST /api/v1/setup'] })
    await page.goto(link)
    await page.getByLabel(/^Your name/).fill('Ada Lovelace')
    await page.getByLabel(/^Email/).fill('ada')
    await page.getByLabel(/^Password/).fill('short')
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.locator('[aria-invalid=true]').first().waitFor()
    expect(await descriptionOf(page.getByLabel(/^Email/))).toContain('This is not an e-mail address.')
    expect(await descriptionOf(page.getByLabel(/^Password/))).toContain('This must have at least 10 characters.')
    expect(await page.getByLabel(/^Your name/).getAttribute('aria-invalid')).not.toBe('true')
    expect(await page.getByLabel(/^Workspace name/).getAttribute('aria-invalid')).toBe('true')

    await page.goto('/setup?code=wrong')
    await fillSetUp(page)
    await page.getByRole('alert').getByText(/code/i).waitFor()
  })

  test('the set-up link leads to a first published post, and the first steps are ticked', async () => {
    const page = await newPage(t)
    await page.addInitScript(`
      globalThis.headings = new Set()
      new MutationObserver(() => {
        for (const { textContent } of document.querySelectorAll('h1')) headings.add(textContent)
      }).observe(document, { subtree: true, childList: true, characterData: true })`)
    await page.goto(link)
    await fillSetUp(page)

    await page.getByRole('heading', { name: 'Hello, Ada' }).waitFor()
    expect(await page.evaluate('[...headings]')).toEqual(['Set up Meydan', 'Hello, Ada'])
    await page.getByText('0 of 4 done').waitFor()

    await main(page).getByRole('link', { name: 'Connect an account' }).click()
    await page.getByText('No accounts connected').waitFor()
    await page.getByRole('button', { name: 'Connect Playground' }).click()
    await page.getByRole('article', { name: 'Playground' }).getByText('Connected').waitFor()

    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByText('1 of 4 done').waitFor()
    await main(page).getByRole('link', { name: 'Write a post' }).click()
    await page.getByLabel('Text', { exact: true }).fill('The first post of all')
    await page.getByRole('button', { name: 'Publish now' }).click()

    await page.waitForURL(/\/posts\/[0-9a-f-]{36}$/)
    // One for the post, and one for its only account.
    await main(page).getByText('Published', { exact: true }).nth(1).waitFor()
    const [shown] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: 'View on Playground' }).click(),
    ])
    await shown.getByRole('region', { name: 'Timeline' }).getByText('The first post of all').waitFor()
    expect(new URL(shown.url()).pathname).toMatch(/\/playground$/)
    await shown.close()

    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByText('3 of 4 done').waitFor()

    await main(page).getByRole('link', { name: 'Add a webhook' }).click()
    await page.getByText('No webhooks yet').waitFor()
    await main(page).getByRole('link', { name: 'Add a webhook' }).click()
    await page.getByLabel(/^Endpoint URL/).fill(receiver.url)
    await page.getByRole('button', { name: 'Add webhook' }).click()
    await page
      .getByRole('dialog')
      .getByText(/^whsec_/)
      .waitFor()
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await waitUntilGone(page.getByText(/whsec_/))
    await page.getByRole('button', { name: 'Send test event' }).click()
    await page.getByText(/The endpoint responded 200/).waitFor()
    expect(receiver.received).toHaveLength(1)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await waitUntilGone(page.getByRole('dialog'))

    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('link', { name: 'The first post of all' }).waitFor()
    await waitUntilGone(main(page).getByText('of 4 done'))
  })

  test('the set-up link of an installation that is set up links to the sign-in page', async () => {
    const page = await newPage(t)
    await page.goto(link)
    await page.getByRole('heading', { name: 'Meydan is already set up' }).waitFor()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  async function fillSetUp(page: Page) {
    await page.getByLabel(/^Your name/).fill('Ada Lovelace')
    await page.getByLabel(/^Email/).fill('ada@example.com')
    await page.getByLabel(/^Password/).fill(PASSWORD)
    await page.getByLabel(/^Workspace name/).fill('Analytical')
    await page.getByRole('button', { name: 'Set up' }).click()
  }
})

describe('new users', async () => {
  const t = await testApp({}, { live: true })
  const admin = await ownerIn(t, 'UTC', { instanceAdmin: true, name: 'Root', workspace: 'House' })

  /** Opens the newest mail to an address, like an instance admin who reads it to the user. */
  async function mailTo(email: string) {
    await until(async () => expect(await mailsTo(t, email)).not.toEqual([]))
    const page = await newPage(t, { as: admin })
    await page.goto(pagePath(admin))
    await page.getByRole('link', { name: 'Instance', exact: true }).click()
    await page.getByRole('link', { name: 'Outbox' }).click()
    await page.getByRole('button', { name: email }).first().click()
    const frame = page.getByRole('dialog').locator('iframe')
    expect(await frame.getAttribute('sandbox')).toBe('allow-scripts')
    return frame.contentFrame()
  }
  const codeIn = async (mail: FrameLocator) => (await mail.getByText(/^\d{6}$/).textContent()) ?? ''

  test('a new user signs up with a code from the outbox and creates a workspace', async () => {
    const page = await newPage(t, { allow: ['/api/auth/sign-up/email', '/api/auth/email-otp/verify-email'] })
    await page.goto('/sign-in')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByLabel(/^Email/).fill('grace')
    await page.getByLabel(/^Password/).fill('short')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.locator('[aria-invalid=true]').first().waitFor()
    expect(await descriptionOf(page.getByLabel(/^Email/))).toContain('This is not an e-mail address.')
    expect(await descriptionOf(page.getByLabel(/^Password/))).toContain('This must have at least 10 characters.')
    expect(await page.getByLabel(/^Your name/).getAttribute('aria-invalid')).toBe('true')

    await page.getByLabel(/^Your name/).fill('Grace <b>Hopper</b>')
    await page.getByLabel(/^Email/).fill('grace@example.com')
    await page.getByLabel(/^Password/).fill(PASSWORD)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Enter the code' }).waitFor()
    await page.getByText('Ask an instance admin to find yours there').waitFor()

    const mail = await mailTo('grace@example.com')
    await mail.getByText('Hello Grace <b>Hopper</b>,').waitFor()
    const code = await codeIn(mail)
    await page.getByLabel('Digit 1 of 6').click()
    await page.keyboard.type(code === '000000' ? '111111' : '000000')
    await page
      .getByRole('alert')
      .getByText(/wrong|invalid|expired/i)
      .waitFor()

    // The digits are cleared and the first box has the focus: the sixth digit submits.
    await page.keyboard.type(code)
    await page.getByRole('heading', { name: 'Your first workspace' }).waitFor()
    await page.getByLabel(/^Workspace name/).fill('Compilers')
    await page.getByRole('button', { name: 'Create workspace' }).click()
    await page.getByRole('heading', { name: 'Hello, Grace' }).waitFor()
    await page.getByRole('button', { name: 'Compilers' }).waitFor()
  })

  test('a user who closed the page before entering the code continues after signing in, and pastes the code', async () => {
    const email = 'late@example.com'
    await t.anyone.post('/api/auth/sign-up/email', { email, password: PASSWORD, name: 'Late' })
    const page = await newPage(t, { allow: ['/api/auth/sign-in/email'] })
    await page.goto('/sign-in')
    await fillSignIn(page, { email })
    await page.getByRole('heading', { name: 'Enter the code' }).waitFor()
    await page.getByText(email).waitFor()
    const code = await codeIn(await mailTo(email))
    await page.getByLabel('Digit 1 of 6').click()
    // As people copy it, with words around it.
    await page.evaluate(
      `const data = new DataTransfer()
      data.setData('text', ${JSON.stringify(`Kodunuz: ${code.slice(0, 3)}-${code.slice(3)}.`)})
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))`,
    )
    await page.getByLabel(/^Password/).fill(PASSWORD)
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByRole('heading', { name: 'Your first workspace' }).waitFor()
  })

  test('a user who forgot the password sets another by the mailed link, which ends all sessions', async () => {
    const person = await withWorkspace(t)
    const old = await newPage(t, { as: person, allow: ['401 '] })
    await old.goto('/')
    await old.getByRole('heading', { name: /^Hello/ }).waitFor()

    const page = await newPage(t, { allow: ['/api/auth/sign-in/email', '/api/auth/reset-password'] })
    await page.goto('/sign-in')
    await fillSignIn(page, person, 'something else')
    await page.getByRole('alert').waitFor()
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await page.getByRole('button', { name: 'Send link' }).waitFor()
    await page.getByLabel(/^Email/).fill(person.email)
    await page.getByRole('button', { name: 'Send link' }).click()
    await page.getByText(`If ${person.email} has an account`).waitFor()
    await page.getByText('Ask an instance admin to find yours there').waitFor()

    const mail = await mailTo(person.email)
    await page.goto((await mail.getByRole('link').first().getAttribute('href')) ?? '')
    await page.getByLabel(/^New password/).fill('short')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('This must have at least 10 characters.').waitFor()
    expect(await page.getByLabel(/^New password/).getAttribute('aria-invalid')).toBe('true')
    expect(await descriptionOf(page.getByLabel(/^New password/))).toContain('This must have at least 10 characters.')
    await page.getByLabel(/^New password/).fill('another horse battery')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByRole('heading', { name: 'Your password was changed' }).waitFor()

    // The open tab of the old session notices at its next poll.
    await old.getByRole('dialog', { name: 'Your session has ended' }).waitFor()

    await page.getByRole('link', { name: 'Sign in' }).click()
    await fillSignIn(page, person, 'another horse battery')
    await page.getByRole('heading', { name: /^Hello/ }).waitFor()
  })
})

describe('signing in and out', async () => {
  const t = await testApp({}, { live: true })
  await signedIn(t, { instanceAdmin: true })

  test('signing in leads back to the requested page', async () => {
    const person = await withWorkspace(t)
    const page = await newPage(t, { allow: ['401 '] })
    await page.goto(pagePath(person, '/posts?status=draft'))
    await page.waitForURL(/\/sign-in\?next=/)
    await fillSignIn(page, person)
    await page.waitForURL(pagePath(person, '/posts?status=draft'))
    await page.getByRole('heading', { name: 'Posts' }).waitFor()
  })

  test('signing in never redirects to another site', async () => {
    const person = await withWorkspace(t)
    // From pages still loading when their session ended.
    const page = await newPage(t, { allow: ['401 '] })
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    for (const next of ['//evil.test', 'https://evil.test/', '/\\evil.test', '/\t/evil.test', 'javascript:alert(1)']) {
      await page.context().clearCookies()
      await page.goto(`/sign-in?next=${encodeURIComponent(next)}`)
      await fillSignIn(page, person)
      await page.waitForURL(({ pathname }) => pathname !== '/sign-in')
      expect(new URL(page.url()).origin).toBe(t.url)
    }
    expect(requests.filter((url) => new URL(url).origin !== t.url)).toEqual([])
  })

  test('after signing out, going back in the browser shows nothing', async () => {
    const person = await withWorkspace(t)
    const page = await newPage(t, { as: person, allow: ['401 '] })
    await page.goto(pagePath(person))
    await page.getByRole('button', { name: 'Account of Ada' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.goBack()
    await page.waitForURL(/\/sign-in\?next=/)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })
})
