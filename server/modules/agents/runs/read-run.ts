import { sql } from 'kysely'
import type { Static } from 'typebox'
import { notFound } from '../../../errors.ts'
import type { Db } from '../../../lib/db/database.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { Draft } from '../drafts/draft.ts'
import { withoutKeys } from '../drafts/without-keys.ts'
import type { AgentConfig } from '../record/agent-config.ts'
import type { RunItem } from './runs.schema.ts'
import { selectRuns } from './runs.ts'

type Item = Static<typeof RunItem>
type Post = Item['post']
type StoredItem = Omit<Item, 'topic' | 'content' | 'source_ids' | 'post'> & {
  draft: Draft | null
  written: (Omit<NonNullable<Post>, 'texts'> & { content: string; targets: StoredTarget[] }) | null
}
type StoredTarget = { account_id: string; network: string; content: string | null }

const time = (column: string) => sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The parts of a prompt. A node of the former version, which can still run during an update, names the rules otherwise. */
const asked = sql`jsonb_build_object('rules', coalesce(i.asked -> 'rejections', '[]')) || i.asked`

/** The posts of a run with the texts that they have now. */
const items = sql<StoredItem[]>`coalesce((
  select json_agg(json_build_object('position', i.position, 'status', i.status, 'reason', i.reason,
    'post_id', i.post_id, 'draft', i.draft, 'findings', i.checks, 'picture', i.picture,
    'picture_reason', i.picture_reason, 'attempts', cardinality(i.generation_ids), 'asked', ${asked},
    'written', (
      select json_build_object('status', p.status, 'review', p.review, 'review_reason', p.review_reason,
        'published_at', ${time('p.published_at')}, 'is_deleted', p.deleted_at is not null, 'content', p.content,
        'targets', coalesce((
          select json_agg(json_build_object('account_id', t.account_id, 'network', a.network, 'content', t.content)
            order by t.account_id)
          from post_target t join account a on a.id = t.account_id where t.post_id = p.id), '[]'))
      from post p where p.id = i.post_id)) order by i.position)
  from agent_item i where i.run_id = agent_run.id), '[]')`

/** Puts the texts of a draft beside those that its post has now. An account has one of its own if either says so. */
function comparedTexts(draft: Draft, { content, targets }: NonNullable<StoredItem['written']>) {
  const variants = new Map(draft.variants.map(({ network, content }) => [network, content]))
  const own = targets
    .filter((target) => target.content !== null || variants.has(target.network))
    .map(({ account_id, network, ...target }) => ({
      ...{ account_id, network, written: variants.get(network) ?? draft.content, current: target.content ?? content },
    }))
  return [{ account_id: null, network: null, written: draft.content, current: content }, ...own]
}

function shownPost({ draft, written }: StoredItem): Post {
  if (!written) return null
  const { content: _, targets: __, ...post } = written
  return { ...post, texts: post.is_deleted || !draft ? [] : comparedTexts(draft, written) }
}

const shownItem = (item: StoredItem): Item => ({
  ...item,
  topic: item.draft?.topic ?? null,
  content: item.draft?.content ?? null,
  source_ids: item.draft?.source_ids ?? [],
  post: shownPost(item),
})

/** The instructions that a run began with, without what looks like a key. */
const setupOf = ({ role, persona, voice, system_prompt }: AgentConfig) => ({
  role: withoutKeys(role),
  persona: withoutKeys(persona),
  voice: withoutKeys(voice),
  system_prompt: withoutKeys(system_prompt),
})

/** Reads a run with what was asked for each post, what came back, and what became of it. */
export async function readRun(db: Db, { workspace_id }: Member, { id, run_id }: { id: string; run_id: string }) {
  const { config, ...run } = await selectRuns(db)
    .select([sql<AgentConfig | null>`config`.as('config'), items.as('items')])
    .where('agent_run.id', '=', run_id)
    .where('agent_run.agent_id', '=', id)
    .where('agent_run.workspace_id', '=', workspace_id)
    .executeTakeFirstOrThrow(notFound)
  return { ...run, setup: config && setupOf(config), items: run.items.map(shownItem) }
}
