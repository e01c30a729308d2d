import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { playgroundAccount, withWorkspace } from '../../../../test/factories.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import { commitIntent } from './publish-intent.ts'
import { publishNow } from './publishing.fixture.ts'

const t = await testApp()

/** Posts that are due, each on its own account in a workspace of its own. Returns their targets. */
async function duePosts(count: number) {
  const targets: string[] = []
  for (let n = 0; n < count; n++) {
    const owner = await withWorkspace(t)
    const post = await publishNow(owner, { account_ids: [await playgroundAccount(owner)] })
    targets.push(String(post.targets[0]?.id))
  }
  return targets
}

/** The transactions that wrote the targets last. */
async function writers(ids: string[]) {
  const { rows } = await sql<{ xmin: string }>`
    select distinct xmin::text from post_target where id = any(${ids}::uuid[])`.execute(t.deps.db)
  return rows.map(({ xmin }) => xmin)
}

test('attempts that begin at the same time are committed together', async () => {
  const ids = await duePosts(3)
  const intents = await Promise.all(ids.map((id) => commitIntent(t.deps, id)))
  expect(intents.map((intent) => intent?.target.id)).toEqual(ids)
  expect(await writers(ids)).toHaveLength(1)
})

test('a post that somebody has locked begins alone, and delays no other', async () => {
  const [locked = '', ...others] = await duePosts(3)
  const waiting = await inTransaction(t.deps.db, async (tx) => {
    await sql`select from post where id = (select post_id from post_target where id = ${locked}) for update`.execute(tx)
    const begun = commitIntent(t.deps, locked)
    const intents = await Promise.all(others.map((id) => commitIntent(t.deps, id)))
    expect(intents.map((intent) => intent?.target.id)).toEqual(others)
    return { begun }
  })
  expect((await waiting.begun)?.target.id).toBe(locked)
})
