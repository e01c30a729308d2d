import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import {
  expectStatus,
  memberOf,
  playgroundAccount,
  type WorkspaceOwner,
  withWorkspace,
} from '../../../test/factories.ts'
import { connectByOAuth, setUpApp } from '../../../test/network-accounts.ts'
import { expectProblem } from '../../../test/problem.ts'
import { blueskyServer } from '../../../test/stand-ins/bluesky.ts'
import { linkedinServer } from '../../../test/stand-ins/linkedin.ts'
import { mastodonServer } from '../../../test/stand-ins/mastodon.ts'
import { xServer } from '../../../test/stand-ins/x.ts'

const pages = { ada: [{ id: '501', name: 'Bakery', role: 'ADMINISTRATOR' }] }
const [bluesky, mastodon, linkedin, x] = await Promise.all([
  blueskyServer(),
  mastodonServer(),
  linkedinServer({ pages }),
  xServer(),
])

let t: TestApp
let owner: WorkspaceOwner
beforeAll(async () => {
  t = await testApp({ NETWORK_ORIGINS: `linkedin=${linkedin.url},x=${x.url}` })
  await setUpApp(t, 'linkedin_page', linkedin.oauth)
  await setUpApp(t, 'x', x.oauth)
  owner = await withWorkspace(t)
})
afterAll(async () => {
  await t.close()
  for (const server of [bluesky, mastodon, linkedin, x]) server.close()
})

const find = (id: string, query: string, person: Pick<WorkspaceOwner, 'get'> = owner) =>
  person.get(`/api/v1/accounts/${id}/mentions?query=${encodeURIComponent(query)}`)
const found = async (id: string, query: string) => expectStatus(await find(id, query), 200).body.data
const connect = async (fields: object): Promise<string> =>
  expectStatus(await owner.post('/api/v1/accounts', fields), 201).body.id
const onBluesky = (fields: object) => connect({ network: 'bluesky', service: bluesky.url, ...fields })

describe('GET /accounts/{id}/mentions', () => {
  test('Bluesky finds handles by their beginning', async () => {
    const id = await onBluesky(bluesky.addAccount())
    bluesky.addAccount('another', 'bakery.stand-in.test')
    expect(await found(id, '@bak')).toEqual([
      { name: 'The bakery', handle: 'bakery.stand-in.test', text: '@bakery.stand-in.test' },
    ])
    expect(await found(id, 'nobody')).toEqual([])
  })

  test('Mastodon finds accounts, and those of its own server have its name', async () => {
    const { token } = mastodon.addAccount()
    const id = await connect({ network: 'mastodon', server: mastodon.url, access_token: token })
    expect(await found(id, 'bak')).toEqual([
      { name: 'bakery@elsewhere.example', handle: 'bakery@elsewhere.example', text: '@bakery@elsewhere.example' },
    ])
    const { host } = new URL(mastodon.url)
    expect(await found(id, 'person')).toMatchObject([{ text: `@person1@${host}` }])
  })

  test('LinkedIn finds a page by the name in its address, with its id', async () => {
    const { account_ids } = await connectByOAuth(owner, 'linkedin_page')
    const id = String(account_ids[0])
    expect(await found(id, 'simit-co')).toEqual([
      {
        name: 'Simit & Co. (Ankara)',
        handle: 'simit-co',
        text: '@[Simit & Co. (Ankara)](urn:li:organization:2414183)',
      },
    ])
    expect(await found(id, 'simit')).toEqual([])
  })

  test('X finds a user by the whole name', async () => {
    const { account_ids } = await connectByOAuth(owner, 'x')
    const id = String(account_ids[0])
    expect(await found(id, 'bakery')).toEqual([{ name: 'The bakery', handle: 'Bakery', text: '@Bakery' }])
    expect(await found(id, 'nobody')).toEqual([])
    // Names on X have no dots, so X is not asked.
    const calls = x.calls.length
    expect(await found(id, 'ba.kery')).toEqual([])
    expect(x.calls).toHaveLength(calls)
  })

  test('the same is not asked again for a while', async () => {
    const id = await onBluesky(bluesky.addAccount())
    const asked = () => bluesky.calls.filter(({ name }) => name.endsWith('Typeahead')).length
    const before = asked()
    await found(id, 'bak')
    await found(id, 'Bak')
    expect(asked()).toBe(before + 1)
  })

  test('rejected credentials and a network that is down are no errors of Meydan', async () => {
    const account = bluesky.addAccount()
    const id = await onBluesky(account)
    bluesky.changePassword(account.handle)
    expectProblem(await find(id, 'bak'), 400, 'account_refused')
    const closing = await mastodonServer()
    const fields = { network: 'mastodon', server: closing.url, access_token: closing.addAccount().token }
    const down = await connect(fields)
    closing.close()
    expectProblem(await find(down, 'bak'), 400, 'account_unreachable')
  })

  test('a network that cannot be asked says so', async () => {
    const id = await connect({ network: 'rss', title: 'Bakery', description: 'News', language: 'en' })
    expectProblem(await find(id, 'bak'), 409, 'not_supported_by_network')
  })

  test('authors may ask, viewers and other workspaces may not', async () => {
    const owner = await withWorkspace(t)
    const id = await playgroundAccount(owner)
    const author = await memberOf(t, owner.workspace_id, 'author')
    expect(expectStatus(await find(id, 'play', author), 200).body.data).toEqual([
      { name: 'Playground', handle: 'playground', text: '@playground' },
    ])
    expectProblem(await find(id, 'play', await memberOf(t, owner.workspace_id, 'viewer')), 403, 'forbidden_role')
    expectProblem(await find(id, 'play', await withWorkspace(t)), 404, 'not_found')
  })

  test('an account takes sixty searches a minute', async () => {
    const id = await playgroundAccount(owner)
    for (let count = 0; count < 60; count++) expectStatus(await find(id, 'play'), 200)
    expectProblem(await find(id, 'play'), 429, 'too_many_requests')
    t.advance(60_000)
    expectStatus(await find(id, 'play'), 200)
  })
})

test('a mention with an id is the name on networks that take none, also in the first comment', async () => {
  const id = await playgroundAccount(owner)
  const mention = '@[Bakery](urn:li:organization:501)'
  const fields = { content: `By ${mention}`, first_comment: `Thanks ${mention}`, account_ids: [id], publish_now: true }
  const { body } = expectStatus(await owner.post('/api/v1/posts', fields), 201)
  expect(body.content).toBe(`By ${mention}`)
  await t.runJobs()
  const { data } = expectStatus(await owner.get('/api/v1/playground'), 200).body
  expect(data.map(({ content }: { content: string }) => content).sort()).toEqual(['By Bakery', 'Thanks Bakery'])
  const [listed] = expectStatus(await owner.get('/api/v1/posts/summaries'), 200).body.data
  expect(listed).toMatchObject({ id: body.id, excerpt: 'By Bakery' })
})
