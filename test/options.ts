import type { TestApp } from './app.ts'
import { expectStatus, type Person } from './factories.ts'
import { auditOf } from './people.ts'

const path = (key: string) => `/api/v1/options/${encodeURIComponent(key)}`

/** Calls that tests of options share. `now`: the test app, and an instance admin. */
export function optionCalls(now: () => { t: TestApp; root: Person }) {
  const setOption = (key: string, value: unknown, who = now().root) => who.call('PUT', path(key), { body: { value } })
  const resetOption = (key: string, who = now().root) => who.delete(path(key))
  const read = async (key: string, who = now().root) => expectStatus(await who.get(path(key)), 200).body
  const rowOf = (key: string) =>
    now().t.deps.db.selectFrom('option').selectAll().where('key', '=', key).executeTakeFirst()
  const changes = async (who = now().root) =>
    (await auditOf(now().t, who.id)).filter(({ action }) => action === 'options.changed')
  const lastChange = async () => (await changes()).at(-1)

  async function withOption(key: string, value: unknown, work: () => Promise<unknown>) {
    expectStatus(await setOption(key, value), 200)
    try {
      await work()
    } finally {
      expectStatus(await resetOption(key), 204)
    }
  }

  const newModel = async () => {
    const { id } = await now()
      .t.deps.db.insertInto('ai_model')
      .values({ provider: 'openai', model_key: 'gpt', name: 'A model', api_params: '{}' })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { id, key: `ai-model-${id}_api-key` }
  }

  return { path, setOption, resetOption, read, rowOf, changes, lastChange, withOption, newModel }
}
