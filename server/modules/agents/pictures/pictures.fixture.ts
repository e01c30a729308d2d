import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { TestApp } from '../../../../test/app.ts'
import { expectStatus, type Person, type WorkspaceOwner, withWorkspace } from '../../../../test/factories.ts'
import { generationApp, generationCalls } from '../../../../test/generations.ts'
import { noise } from '../../../../test/media.ts'
import type { AiServer, Call } from '../../../../test/stand-ins/ai-server.ts'
import { agentOf, draftText } from '../runs/runs.fixture.ts'

type Wanted = {
  video?: boolean
  generate_image?: boolean
  design?: boolean
  image_style?: string
  autonomy_level?: 'auto' | 'approve'
  monthly_credits?: number
}

export const isForImage = ({ url }: Call) => url.startsWith('/images')

/** Starts an app with both kinds of models for the tests of a file. `now`: the app, and the owner of the current test. */
export function pictureTests() {
  let now: { t: TestApp; owner: WorkspaceOwner; openai: AiServer; admin: Person; painter: { id_secure: string } }
  let close: () => Promise<void>

  beforeAll(async () => {
    const { close: end, t, openai, admin, painter } = await generationApp()
    close = end
    now = { t, openai, admin, painter, owner: await withWorkspace(t) }
  })
  beforeEach(async () => {
    now.openai.reset()
    now.openai.script.image = await noise(64, 80)
    now.openai.script.reply = () =>
      draftText({ topic: 'Günün simidi', image_prompt: 'A simit', image_alt: 'Susamlı simit' })
    now.owner = await withWorkspace(now.t)
  })
  afterAll(() => close())

  const agentWith = (wanted: Wanted, account_ids?: string[]) =>
    agentOf(now.t, now.owner, { posts_per_run: 1, is_active: false, next_run_at: null, ...wanted }, account_ids)
  const start = async (agent: string): Promise<string> =>
    expectStatus(await now.owner.post(`/api/v1/agents/${agent}/run`), 201).body.id
  const readRun = async (agent: string, id: string) =>
    expectStatus(await now.owner.get(`/api/v1/agents/${agent}/runs/${id}`), 200).body
  const readPost = async (id: string) => expectStatus(await now.owner.get(`/api/v1/posts/${id}`), 200).body

  return {
    ...generationCalls(() => now),
    now: () => now,
    agentWith,
    start,
    readRun,
    readPost,
    /** Runs an agent by hand to the end. */
    runOnce: async (agent: string) => {
      const id = await start(agent)
      await now.t.runJobs()
      return readRun(agent, id)
    },
    /** The picture of the post of a run, as the library has it. */
    pictureOf: async ({ post_ids: [id] }: { post_ids: string[] }) =>
      expectStatus(await now.owner.get(`/api/v1/media/${(await readPost(id ?? '')).media_ids[0]}`), 200).body,
    files: async () => expectStatus(await now.owner.get('/api/v1/media'), 200).body.data,
    imageCalls: () => now.openai.calls.filter(isForImage),
  }
}
