import { afterEach, beforeEach, expect, test } from 'vitest'
import { draftText } from '../server/modules/agents/runs/runs.fixture.ts'
import { readyAgent } from './agents.ts'
import { expectStatus } from './factories.ts'
import { killableApp } from './killable-app.ts'
import { noise } from './media.ts'
import { recoveryTimeout } from './processes.ts'
import { modelAt, providerServer } from './stand-ins/ai.ts'

const { now, start, kill, signIn } = killableApp()

let openai: Awaited<ReturnType<typeof providerServer>>
beforeEach(async () => {
  openai = await providerServer('openai')
})
afterEach(() => openai.close())

test('a post whose worker was killed while its picture was made has one, for the credits of one', async () => {
  await start()
  const { admin } = await signIn()
  for (const kind of ['chat', 'image'] as const) await modelAt(admin, 'openai', kind, openai)
  openai.script.image = await noise(64, 64)
  openai.script.reply = () => {
    openai.failNext({ kind: 'hang' })
    return draftText()
  }
  const { id } = await readyAgent(admin, { generate_image: true })
  const { body } = expectStatus(await admin.post(`/api/v1/agents/${id}/run`), 201)
  await openai.called(2)
  await kill()

  await start()
  const run = async () => (await admin.get(`/api/v1/agents/${id}/runs/${body.id}`)).body
  await expect.poll(async () => (await run()).status, { timeout: recoveryTimeout() }).toBe('awaiting_review')
  expect(await run()).toMatchObject({ made: 1, credits: 6, items: [{ picture: 'added', attempts: 1 }] })
  expect((await admin.get('/api/v1/media')).body.data).toHaveLength(1)
  expect((await admin.get('/api/v1/posts')).body.data).toHaveLength(1)
  expect(openai.calls).toHaveLength(3)

  // The sweep at the start returns what the dead worker reserved, once its time is over.
  await kill()
  await now().database.query("update ai_generation set leased_until = '2020-01-01' where state = 'running'")
  await start()
  const used = async () => {
    const { meters } = (await admin.get('/api/v1/workspace/usage')).body
    return meters.find(({ meter }: { meter: string }) => meter === 'ai_credits').used
  }
  await expect.poll(used).toBe(6)
})
