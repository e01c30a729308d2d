import { afterAll, beforeAll } from 'vitest'
import { type TestApp, testApp } from '../../../../test/app.ts'
import { expectStatus, withWorkspace } from '../../../../test/factories.ts'
import { blueskyServer } from '../../../../test/stand-ins/bluesky.ts'
import { describeFaults } from '../faults.fixture.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

async function connect() {
  const server = await blueskyServer()
  const owner = await withWorkspace(t)
  const fields = { network: 'bluesky', service: server.url, ...server.addAccount() }
  const { body } = expectStatus(await owner.post('/api/v1/accounts', fields), 201)
  return { server, owner, account: body.id as string }
}

describeFaults('Bluesky', { t: () => t, connect })
