import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { linkedinServer } from './linkedin.ts'
import { request, signInPage } from './request.ts'

type LinkedIn = Awaited<ReturnType<typeof linkedinServer>>

const MEMBER = 'openid profile w_member_social'
const PAGES = 'openid profile w_organization_social r_organization_social rw_organization_admin'
const PAGE = 'urn:li:organization:7'
const ADA = 'urn:li:person:ada'

let members: LinkedIn
let pages: LinkedIn
let token: string
let pageToken: string
beforeAll(async () => {
  members = await linkedinServer()
  pages = await linkedinServer({ pages: { ada: [{ id: '7', name: 'Bakery', role: 'ADMINISTRATOR' }] } })
  token = (await signIn(members, MEMBER)).body.access_token
  pageToken = (await signIn(pages, PAGES)).body.access_token
})
afterAll(() => {
  members.close()
  pages.close()
})

const codeOf = async ({ url, oauth: { client } }: LinkedIn, scope: string, changes: Record<string, string> = {}) =>
  signInPage(`${url}/oauth/v2/authorization`, {
    ...{ client_id: client.client_id, redirect_uri: client.redirect_uri, response_type: 'code', scope, state: 's' },
    ...changes,
  })
const askToken = ({ url, oauth: { client } }: LinkedIn, fields: Record<string, string>) =>
  request('POST', `${url}/oauth/v2/accessToken`, {}, new URLSearchParams({ ...client, ...fields }))
async function signIn(server: LinkedIn, scope: string) {
  const code = (await codeOf(server, scope))?.searchParams.get('code') ?? ''
  return askToken(server, { grant_type: 'authorization_code', code })
}

const versioned = { 'linkedin-version': '202608', 'x-restli-protocol-version': '2.0.0' }
const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = versioned) =>
  request(method, `${members.url}${path}`, { authorization: `Bearer ${token}`, ...headers }, body)
const callPages = (method: string, path: string, body?: unknown) =>
  request(method, `${pages.url}${path}`, { authorization: `Bearer ${pageToken}`, ...versioned }, body)

const postOf = (commentary: string, content?: object, author = ADA) => ({
  ...{ author, commentary, visibility: 'PUBLIC', lifecycleState: 'PUBLISHED', content },
  distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
})
const post = (commentary: string, content?: object) => call('POST', '/rest/posts', postOf(commentary, content))

/** Sends bytes to an address of LinkedIn, at the stand-in. */
const put = (uploadUrl: string, bytes: number) =>
  request(
    'PUT',
    uploadUrl.replace('https://www.linkedin.com', members.url),
    { authorization: `Bearer ${token}` },
    Buffer.alloc(bytes),
  )
const begin = async (kind: string, fields: object = {}) => {
  const body = { initializeUploadRequest: { owner: ADA, ...fields } }
  return (await call('POST', `/rest/${kind}s?action=initializeUpload`, body)).body.value
}

describe('the sign-in of LinkedIn', () => {
  test('compares the whole address, and takes a code once', async () => {
    const { redirect_uri } = members.oauth.client
    expect(await codeOf(members, MEMBER, { redirect_uri: `${redirect_uri}?a=b` })).toBeUndefined()
    const code = (await codeOf(members, MEMBER))?.searchParams.get('code') ?? ''
    const fields = { grant_type: 'authorization_code', code }
    expect((await askToken(members, { ...fields, redirect_uri: `${redirect_uri}/` })).body.error).toBe('invalid_grant')
    expect((await askToken(members, { ...fields, client_secret: 'other' })).body.error).toBe('invalid_client')
    expect((await askToken(members, fields)).status).toBe(200)
    expect((await askToken(members, fields)).body.error).toBe('invalid_grant')
  })

  test('gives members neither a refresh token nor the kind of the token, and pages both for a year', async () => {
    const { body } = await signIn(members, MEMBER)
    expect(body).toEqual({
      access_token: expect.any(String),
      expires_in: 5_184_000,
      scope: MEMBER.replaceAll(' ', ','),
    })
    expect((await signIn(pages, PAGES)).body).toMatchObject({
      refresh_token: expect.any(String),
      refresh_token_expires_in: 31_536_000,
    })
  })

  test('allows what the person left ticked, and no more', async () => {
    members.oauth.signInAs('ada', { scopes: ['openid', 'profile'] })
    const { access_token } = (await signIn(members, MEMBER)).body
    members.oauth.signInAs('ada')
    const headers = { ...versioned, authorization: `Bearer ${access_token}` }
    expect((await call('POST', '/rest/posts', postOf('Hi'), headers)).status).toBe(403)
    expect((await call('GET', '/v2/userinfo', undefined, headers)).body.sub).toBe('ada')
  })
})

describe('the stand-in of LinkedIn', () => {
  test('refuses a version that has ended, none, and none of the protocol', async () => {
    const status = async (headers: Record<string, string>) =>
      (await call('POST', '/rest/posts', postOf('Hi'), headers)).status
    expect(await status({ ...versioned, 'linkedin-version': '202501' })).toBe(426)
    expect(await status({ 'x-restli-protocol-version': '2.0.0' })).toBe(426)
    expect(await status({ 'linkedin-version': '202608' })).toBe(400)
  })

  const image = { id: 'urn:li:image:1' }
  test.each([
    ['an unknown field', { color: 'red' }, '/color'],
    ['a post that is scheduled', { lifecycleState: 'DRAFT' }, '/lifecycleState'],
    ['no distribution', { distribution: undefined }, '/distribution'],
    ['an author that is no URN', { author: 'ada' }, '/author'],
    ['one image as several', { content: { multiImage: { images: [image] } } }, '/content/multiImage/images'],
    [
      'two kinds of content',
      { content: { media: image, article: { source: 'https://a.example', title: 'A' } } },
      '/content',
    ],
    ['an article without a title', { content: { article: { source: 'https://a.example' } } }, '/content/article/title'],
    ['a file by its address', { content: { media: { id: 'https://a.example' } } }, '/content/media/id'],
  ])('refuses %s', async (_, changes, at) => {
    const { status, body } = await call('POST', '/rest/posts', { ...postOf('Hi'), ...changes })
    expect([status, body.message]).toEqual([400, expect.stringMatching(`^ERROR :: ${at} ::`)])
  })

  test.each([
    ['POST', '/rest/images?action=initializeUpload', { initializeUploadRequest: { owner: ADA, size: 1 } }],
    ['POST', '/rest/videos?action=initializeUpload', { initializeUploadRequest: { owner: ADA, fileSizeBytes: 1 } }],
    ['GET', '/rest/videos/urn:li:video:1', undefined],
  ])('refuses %s %s with wrong fields', async (method, path, body) => {
    expect((await call(method, path, body)).status).toBe(400)
  })

  test('names a post in a header, and the first one when the text comes again', async () => {
    const first = await post('Once')
    const id = first.headers.get('x-restli-id')
    expect([first.status, first.body, id]).toEqual([201, undefined, expect.stringMatching('^urn:li:share:')])
    const { status, body } = await post('Once')
    expect(status).toBe(422)
    expect(body.message).toBe(`Content is a duplicate of ${id}`)
    expect(body.errorDetails.inputErrors[0].code).toBe('DUPLICATE_POST')
    expect((await call('DELETE', `/rest/posts/${encodeURIComponent(String(id))}`)).status).toBe(204)
    expect((await post('Once')).status).toBe(201)
  })

  test('shows a text up to the first reserved character without a backslash', async () => {
    await post('Open \\(late\\) #simit and (never')
    expect(members.stored().at(-1)?.text).toBe('Open (late) #simit and ')
    expect((await post('a'.repeat(3001))).body.code).toBe('FIELD_LENGTH_TOO_LONG')
  })

  test('lets a post have a file only after its bytes came', async () => {
    const { uploadUrl, image: id } = await begin('image')
    const content = { media: { id, altText: 'A loaf' } }
    expect((await post('With a loaf', content)).status).toBe(400)
    expect((await put(uploadUrl, 10)).status).toBe(201)
    expect((await post('With a loaf', content)).status).toBe(201)
    const document = await begin('document')
    await put(document.uploadUrl, 10)
    const { headers } = await post('A menu', { media: { id: document.document, title: 'Menu' } })
    expect(headers.get('x-restli-id')).toMatch(/^urn:li:ugcPost:/)
    expect((await post('A stranger', { media: { id: 'urn:li:image:C41' } })).status).toBe(400)
  })

  test('takes a video whose parts are complete and in order, and processes it before a post can have it', async () => {
    const sizes = { fileSizeBytes: 4_194_314, uploadCaptions: false, uploadThumbnail: false }
    const { video, uploadToken, uploadInstructions } = await begin('video', sizes)
    expect(uploadInstructions.map(({ firstByte, lastByte }: Record<string, number>) => [firstByte, lastByte])).toEqual([
      [0, 4_194_303],
      [4_194_304, 4_194_313],
    ])
    const finish = async (uploadedPartIds: (string | null)[]) =>
      call('POST', '/rest/videos?action=finalizeUpload', {
        finalizeUploadRequest: { video, uploadToken, uploadedPartIds },
      })
    const [first, second] = uploadInstructions
    expect((await put(second.uploadUrl, 11)).status).toBe(400)
    const last = (await put(second.uploadUrl, 10)).headers.get('etag')
    expect((await finish([last])).status).toBe(400)
    const begun = (await put(first.uploadUrl, 4_194_304)).headers.get('etag')
    expect((await finish([last, begun])).status).toBe(400)
    expect((await finish([begun, last])).status).toBe(200)
    const content = { media: { id: video, title: 'Oven' } }
    expect((await post('An oven', content)).status).toBe(400)
    const states = []
    for (let polls = 0; polls < 2; polls++)
      states.push((await call('GET', `/rest/videos/${encodeURIComponent(video)}`)).body.status)
    expect(states).toEqual(['PROCESSING', 'AVAILABLE'])
    expect((await post('An oven', content)).status).toBe(201)
  })

  test('lets pages read posts and comment, and members neither', async () => {
    const created = await callPages('POST', '/rest/posts', postOf('Of a page', undefined, PAGE))
    const id = String(created.headers.get('x-restli-id'))
    const finder = (author: string) => `/rest/posts?q=author&author=${encodeURIComponent(author)}`
    expect((await callPages('GET', finder(PAGE))).body.elements).toMatchObject([{ id, commentary: 'Of a page' }])
    expect((await call('GET', finder(ADA))).status).toBe(403)
    const comments = `/rest/socialActions/${encodeURIComponent(id)}/comments`
    const comment = { actor: PAGE, object: id, message: { text: 'First' } }
    expect((await callPages('POST', comments, { ...comment, object: 'urn:li:share:1' })).status).toBe(400)
    expect((await callPages('POST', comments, comment)).status).toBe(201)
    expect((await call('POST', comments, comment)).status).toBe(403)
    expect(
      (await callPages('POST', '/rest/posts', postOf('Of another', undefined, 'urn:li:organization:8'))).status,
    ).toBe(403)
  })

  test('saves a post whose response is lost, and names it when it comes again', async () => {
    members.fault('response_lost_after_saving')
    await expect(post('Lost')).rejects.toThrow()
    const { id } = members.stored().at(-1) ?? {}
    expect((await post('Lost')).body.message).toBe(`Content is a duplicate of ${id}`)
  })
})
