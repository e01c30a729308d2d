import { randomUUID } from 'node:crypto'
import { Closed } from '../../../lib/http/schema.ts'
import type { Network } from './network.ts'

const published = (baseUrl: string, id: string) =>
  ({ kind: 'published', external_id: id, url: `${baseUrl}/playground/${id}` }) as const

/** Timeline inside Meydan, so that the first post needs no external account. */
export const playground: Network = {
  id: 'playground',
  name: 'Playground',
  description: 'A timeline inside Meydan for trying things out.',
  form: [],
  options: Closed({}),
  capabilities: { max_length: 5000, edit: false },
  idempotent: true,
  newAttemptKey: () => randomUUID(),

  connect: async () => ({
    external_id: randomUUID(),
    name: 'Playground',
    handle: 'playground',
    url: null,
    credentials: null,
  }),

  check: async () => ({ kind: 'ok' }),

  publish: async ({ db, baseUrl }, { account, content, attempt_key, now }) => {
    const { id } = await db
      .insertInto('playground_post')
      .values({ workspace_id: account.workspace_id, account_id: account.id, attempt_key, content, created_at: now })
      .onConflict((conflict) => conflict.column('attempt_key').doUpdateSet({ attempt_key }))
      .returning('id')
      .executeTakeFirstOrThrow()
    return published(baseUrl, id)
  },

  find: async ({ db, baseUrl }, { attempt_key }) => {
    const post = await db
      .selectFrom('playground_post')
      .select('id')
      .where('attempt_key', '=', attempt_key)
      .executeTakeFirst()
    return post ? published(baseUrl, post.id) : { kind: 'absent' }
  },
}
