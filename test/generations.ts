import { HOUR, MINUTE } from '../shared/time.ts'
import { type TestApp, testApp } from './app.ts'
import { expectStatus, signedIn, type WorkspaceOwner } from './factories.ts'
import { modelAt, providerServer } from './stand-ins/ai.ts'

export const TEXT = '/api/v1/ai/generate/text'

/**
 * The time of PostgreSQL, which dates generations by its own clock. Shortly before a full hour it is the one after that, so
 * that no test reaches the next time of an hourly schedule by the minutes for which it advances.
 */
function origin() {
  const now = Date.now()
  return new Date(now % HOUR < 45 * MINUTE ? now : Math.ceil(now / HOUR) * HOUR + MINUTE)
}

/** Starts an app with a model for texts and one for images, both of a stand-in for OpenAI. `close` ends both servers. */
export async function generationApp() {
  const t = await testApp({}, { origin: origin() })
  const admin = await signedIn(t, { instanceAdmin: true })
  const openai = await providerServer('openai')
  const model = await modelAt(admin, 'openai', 'chat', openai)
  const painter = await modelAt(admin, 'openai', 'image', openai)
  const close = async () => {
    openai.close()
    await t.close()
  }
  return { t, admin, openai, model, painter, close }
}

/** Calls that tests of generations share. `now`: the test app, and the owner of the workspace of the current test. */
export function generationCalls(now: () => { t: TestApp; owner: WorkspaceOwner }) {
  const generateText = (who = now().owner, more: object = {}, headers: Record<string, string> = {}) =>
    who.post(TEXT, { prompt: 'Say hello', ...more }, headers)
  const generateImage = (more: object = {}) =>
    now().owner.post('/api/v1/ai/generate/image', { prompt: 'A cat', ...more })
  const list = async (query = '') =>
    expectStatus(await now().owner.get(`/api/v1/ai/generations${query}`), 200).body.data

  /** Reads the credits that the workspace has used this month. */
  async function usedCredits({ workspace_id } = now().owner) {
    const row = await now()
      .t.deps.db.selectFrom('usage')
      .select('used')
      .where('workspace_id', '=', workspace_id)
      .where('meter', '=', 'ai_credits')
      .executeTakeFirst()
    return row?.used ?? 0
  }

  /** Starts a call that the test can abort. */
  function startCall(path: string, body: object, headers: Record<string, string> = {}, who = now().owner) {
    const left = new AbortController()
    const response = who.open('POST', path, { body, headers, signal: left.signal })
    response.catch(() => undefined)
    return { response, leave: () => left.abort() }
  }
  const startText = () => startCall(TEXT, { prompt: 'x' })

  return { generateText, generateImage, list, usedCredits, startCall, startText }
}
