import { afterAll, expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { expectStatus, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { uploaded, videoFile } from '../../../../test/media.ts'
import { connectByOAuth, setUpApp } from '../../../../test/network-accounts.ts'
import { expectProblem } from '../../../../test/problem.ts'
import { xServer } from '../../../../test/stand-ins/x.ts'
import { publishOnX } from './x.fixture.ts'

const server = await xServer()
afterAll(() => server.close())
const t = await testApp({ NETWORK_ORIGINS: `x=${server.url}` })

const connect = (owner: WorkspaceOwner, keys: object = server.ownKeys) =>
  owner.post('/api/v1/accounts', { network: 'x', ...keys })

const publish = (owner: WorkspaceOwner, account: string, fields: Parameters<typeof publishOnX>[3]) =>
  publishOnX(t, owner, account, fields)

test('an account is connected by the keys of an app of its owner, without an app of the instance', async () => {
  const owner = await withWorkspace(t)
  const { body: account } = expectStatus(await connect(owner), 201)
  expect(account).toMatchObject({
    handle: 'bruno',
    name: 'The bruno',
    connected_by: 'form',
    form: {},
    status: 'connected',
  })
  const { data } = expectStatus(await owner.get('/api/v1/accounts/health'), 200).body
  expect(data).toMatchObject([{ account_id: account.id, state: 'ok', reasons: [], connected_by: 'form' }])
  expectStatus(await owner.post(`/api/v1/accounts/${account.id}/check`), 200)
})

test('every call is signed: a thread with a video, its look-up after a lost response, and deleting it', async () => {
  const owner = await withWorkspace(t)
  const { id } = expectStatus(await connect(owner), 201).body
  const { id: file } = await uploaded(owner, { bytes: await videoFile(2), name: 'video.mp4', type: 'video/mp4' })
  server.failNext({ kind: 'hang_up', arrives: true })
  const post = await publish(owner, id, { content: "It's (new)! *", media_ids: [file], thread: [{ content: 'More' }] })
  expect(post.targets[0]).toMatchObject({ status: 'published' })
  expect(server.posts.slice(-2).map(({ text }) => text)).toEqual(["It's (new)! *", 'More'])
  expectStatus(await owner.post(`/api/v1/posts/${post.id}/unpublish`), 200)
  expect(server.posts.slice(-2).every(({ deleted }) => deleted)).toBe(true)
})

test('wrong keys are refused with a pointer, and text that is no key names its field', async () => {
  const owner = await withWorkspace(t)
  const wrong = await connect(owner, { ...server.ownKeys, access_token_secret: 'SecretOfSomebodyElse' })
  expectProblem(wrong, 400, 'account_refused', '/api_key')
  expectProblem(
    await connect(owner, { ...server.ownKeys, api_secret: 'two words' }),
    400,
    'validation_failed',
    '/api_secret',
  )
  const { api_key: _, ...incomplete } = server.ownKeys
  expectProblem(await connect(owner, incomplete), 400, 'validation_failed', '/api_key')
})

test('a sign-in takes the place of the keys', async () => {
  const server = await xServer()
  onTestFinished(server.close)
  const t = await testApp({ NETWORK_ORIGINS: `x=${server.url}` })
  onTestFinished(t.close)
  const owner = await withWorkspace(t)
  await setUpApp(t, 'x', server.oauth)
  const { id } = expectStatus(await connect(owner, server.ownKeys), 201).body
  server.oauth.signInAs('bruno')
  expect((await connectByOAuth(owner, 'x')).account_ids).toEqual([id])
  expect((await owner.get(`/api/v1/accounts/${id}`)).body).toMatchObject({ connected_by: 'sign_in' })
  server.endKeys()
  expect((await publishOnX(t, owner, id, { content: 'By a token' })).targets[0]).toMatchObject({ status: 'published' })
})

test('an account whose keys X refuses is disconnected, with the reason', async () => {
  const other = await xServer()
  const second = await testApp({ NETWORK_ORIGINS: `x=${other.url}` })
  const owner = await withWorkspace(second)
  const { id } = expectStatus(await owner.post('/api/v1/accounts', { network: 'x', ...other.ownKeys }), 201).body
  other.endKeys()
  const { body } = expectStatus(await owner.post(`/api/v1/accounts/${id}/check`), 200)
  expect(body).toMatchObject({ status: 'disconnected', status_detail: 'Unauthorized' })
  const { data } = expectStatus(await owner.get('/api/v1/accounts/health'), 200).body
  expect(data).toMatchObject([{ state: 'disconnected', reasons: [{ code: 'credentials_refused' }] }])
  await second.close()
  other.close()
})
