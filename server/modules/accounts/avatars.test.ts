import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { expectStatus, memberOf, withWorkspace } from '../../../test/factories.ts'
import { download, picture } from '../../../test/media.ts'
import { expectProblem } from '../../../test/problem.ts'
import { playground } from '../networks/playground/index.ts'

let t: TestApp
const pictures = createServer(async (request, response) => {
  if (request.url === '/picture.png')
    response.writeHead(200, { 'content-type': 'image/png' }).end(await picture(800, 600))
  else if (request.url === '/page') response.writeHead(200).end('<svg onload="alert(1)"/>')
  else response.writeHead(404).end()
})
beforeAll(async () => {
  t = await testApp()
  pictures.listen(0, '127.0.0.1')
  await once(pictures, 'listening')
})
afterAll(async () => {
  await t.close()
  pictures.close()
})

const addressOf = (path: string) => `http://127.0.0.1:${(pictures.address() as AddressInfo).port}${path}`

/** Connects an account whose network names this address of a picture. */
async function connectWith(avatar_url: string) {
  const owner = await withWorkspace(t)
  const { connect } = playground
  if (connect.kind !== 'form') throw new Error('The Playground is connected by a form')
  const found = { external_id: avatar_url, name: 'Bakery', handle: 'bakery', url: null, credentials: null, avatar_url }
  const submit = vi.spyOn(connect, 'submit').mockResolvedValueOnce(found)
  try {
    const { body } = expectStatus(await owner.post('/api/v1/accounts', { network: 'playground' }), 201)
    return { owner, account: body }
  } finally {
    submit.mockRestore()
  }
}

describe('GET /accounts/:id/avatar', () => {
  test('200 returns the picture of the network, as a small WebP, to members only', async () => {
    const { owner, account } = await connectWith(addressOf('/picture.png'))
    expect(account.avatar_url).toBe(`/api/v1/accounts/${account.id}/avatar`)
    const { status, headers, bytes } = await download(owner, account.avatar_url)
    expect([status, headers.get('content-type'), headers.get('x-content-type-options')]).toEqual([
      200,
      'image/webp',
      'nosniff',
    ])
    expect(bytes.subarray(8, 12).toString()).toBe('WEBP')
    const viewer = await memberOf(t, owner.workspace_id, 'viewer')
    expect((await download(viewer, account.avatar_url)).status).toBe(200)
    const stranger = await withWorkspace(t)
    expectProblem(await stranger.get(account.avatar_url), 404, 'not_found')
  })

  test.each(['/page', '/absent'])(
    'an account whose picture cannot be read is connected without one: %s',
    async (path) => {
      const { owner, account } = await connectWith(addressOf(path))
      expect(account.avatar_url).toBeNull()
      expectProblem(await owner.get(`/api/v1/accounts/${account.id}/avatar`), 404, 'not_found')
    },
  )
})
