import { inTransaction, type Tx } from '../../server/lib/db/database.ts'
import type { Deps } from '../../server/lib/deps.ts'
import type { Member } from '../../server/lib/http/access.ts'
import { createAgent } from '../../server/modules/agents/agents.ts'
import { readContext, type WritingContext } from '../../server/modules/agents/drafts/writing-context.ts'
import { configOf } from '../../server/modules/agents/record/agent-config.ts'
import { createSource } from '../../server/modules/agents/sources/sources.ts'
import { createPost } from '../../server/modules/posts/authoring/create-and-change.ts'
import { saveBrand } from '../../server/modules/workspaces/brand/brand.ts'
import type { LanguageBrief } from './brief.ts'

/** The same in each run, so that prompts of two runs can be compared. */
const CANARY = 'ref-evaluation'
const NOW = new Date('2026-03-02T08:00:00Z')

const UNDO = new Error('The brief is read, and leaves nothing behind')

async function addAgent(deps: Deps, tx: Tx, owner: Member, brief: LanguageBrief) {
  const { name, role, voice = '', task, forbidden = [], language, network } = brief
  const account = await tx
    .insertInto('account')
    .values({
      ...{ workspace_id: owner.workspace_id, network, external_id: name, handle: 'brief', name },
      status: 'connected',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return createAgent(deps, owner, {
    ...{ name, role, voice, language, system_prompt: task, forbidden_words: [...forbidden] },
    ...{ timezone: 'Europe/Istanbul', account_ids: [account.id] },
  })
}

async function addSources(deps: Deps, tx: Tx, owner: Member, agent_id: string, { facts, entry }: LanguageBrief) {
  if (facts) await createSource(deps, owner, agent_id, { kind: 'text', label: 'Facts', text: facts })
  if (!entry) return
  const url = new URL('/feed.xml', entry.url).href
  const source = await createSource(deps, owner, agent_id, { kind: 'feed', label: 'Feed', url, is_trusted: true })
  await tx
    .insertInto('agent_source_item')
    .values({ source_id: source.id, key_hash: '1', ...entry })
    .execute()
}

/** Reads the context of a prompt for a brief from the database, as a run does. Everything is rolled back. */
export async function contextOf(deps: Deps, owner: Member, brief: LanguageBrief): Promise<WritingContext> {
  let context: WritingContext | undefined
  await inTransaction(deps.db, async (tx) => {
    const within = { ...deps, db: tx }
    const { link, entry, hashtags = [], language, recent = [] } = brief
    await saveBrand(
      within,
      owner,
      {
        ...{ about: null, audience: null, voice: null, use_words: [], avoid_words: [], never_mention: [] },
        ...{ links: link && !entry ? [link] : [], hashtags: [...hashtags], languages: [language], liked_posts: [] },
      },
      () => undefined,
    )
    const { id } = await addAgent(within, tx, owner, brief)
    await addSources(within, tx, owner, id, brief)
    for (const content of recent) await createPost(within, owner, { content })
    const agent = await tx.selectFrom('agent').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const { workspace_id } = owner
    context = await readContext(tx, { agent_id: id, workspace_id, config: configOf(agent), canary: CANARY, now: NOW })
    throw UNDO
  }).catch((error) => {
    if (error !== UNDO) throw error
  })
  if (!context) throw new Error(`The brief ${brief.name} has no context`)
  return context
}
