import { type Selectable, sql } from 'kysely'
import type { Static } from 'typebox'
import { invalid, limitExceeded, notFound, problem } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, nextUpdatedAt, type Tx } from '../../../lib/db/database.ts'
import type { AgentSource as Row } from '../../../lib/db/database-types.ts'
import { type PageInput, page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { IfMatch } from '../../../lib/http/etag.ts'
import { atLeast } from '../../../lib/http/roles.ts'
import { refusedUrl } from '../../../lib/outbound/safe-http.ts'
import { addressProblem } from '../../networks/calls/connect-problem.ts'
import { lockAgent } from '../record/agent-record.ts'
import type { AgentSource, ChangeAgentSource, NewAgentSource } from './sources.schema.ts'

const MAX_SOURCES = 5

type SourceDeps = Pick<Deps, 'db' | 'clock' | 'options' | 'urlRules'>
type Kind = Selectable<Row>['kind']

const selectSources = (db: Db) =>
  db
    .selectFrom('agent_source')
    .select(['agent_source.id', 'kind', 'label', 'url', 'text', 'is_trusted', 'last_fetched_at'])
    .select(['created_at', 'updated_at', 'version'])
    .select([
      sql<boolean>`coalesce(url, text) is not null`.as('is_complete'),
      sql<Static<typeof AgentSource>['last_error']>`last_error`.as('last_error'),
    ])

const findSource = (tx: Tx, agent_id: string, id: string) =>
  selectSources(tx).where('id', '=', id).where('agent_id', '=', agent_id).executeTakeFirstOrThrow(notFound)

export async function listSources(db: Db, caller: Member, agent_id: string, query: PageInput) {
  await db
    .selectFrom('agent')
    .select('id')
    .where('id', '=', agent_id)
    .where('workspace_id', '=', caller.workspace_id)
    .executeTakeFirstOrThrow(notFound)
  return page(selectSources(db).where('agent_id', '=', agent_id), 'agent_source.id', query)
}

/** Refuses fields that the kind does not have, addresses that Meydan does not call, and trust by others than admins. */
function checkFields(
  { urlRules }: SourceDeps,
  { role }: Member,
  kind: Kind,
  { url, text, is_trusted }: Static<typeof ChangeAgentSource>,
) {
  if (kind === 'text' && url !== undefined) throw invalid('/url', 'A source of kind text has no address.')
  if (kind !== 'text' && text !== undefined) throw invalid('/text', 'Only a source of kind text has a text.')
  if (kind === 'text' && is_trusted === false) throw invalid('/is_trusted', 'A text of members is always trusted.')
  if (text?.trim() === '') throw invalid('/text', 'Write a text.')
  const refused = url === undefined ? undefined : refusedUrl(url, urlRules)
  if (refused) throw addressProblem('/url', refused)
  if (is_trusted && kind !== 'text' && !atLeast(role, 'admin'))
    throw problem('forbidden_role', { detail: `Only admins can trust a source; your role is ${role}.` })
}

/** Runs of the agent have the rights of who changed last what it writes about. */
const actFor = (tx: Tx, { user_id }: Member, agent_id: string) =>
  tx.updateTable('agent').set({ acts_for_id: user_id }).where('id', '=', agent_id).execute()

export function createSource(deps: SourceDeps, caller: Member, agent_id: string, input: Static<typeof NewAgentSource>) {
  const { kind, label, url, text, is_trusted = false } = input
  return inTransaction(deps.db, async (tx) => {
    await lockAgent(deps, tx, caller, agent_id)
    checkFields(deps, caller, kind, input)
    if (kind === 'text' ? text === undefined : url === undefined)
      throw invalid(kind === 'text' ? '/text' : '/url', kind === 'text' ? 'Write a text.' : 'Give its address.')
    const { count } = await tx
      .selectFrom('agent_source')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('agent_id', '=', agent_id)
      .executeTakeFirstOrThrow()
    if (count >= MAX_SOURCES)
      throw limitExceeded('agent_sources', MAX_SOURCES, count, `An agent can have at most ${MAX_SOURCES} sources.`)
    const { workspace_id } = caller
    const { id } = await tx
      .insertInto('agent_source')
      .values({ workspace_id, agent_id, kind, label, url, text, is_trusted: kind === 'text' || is_trusted })
      .returning('id')
      .executeTakeFirstOrThrow()
    await actFor(tx, caller, agent_id)
    const source = await findSource(tx, agent_id, id)
    await audit(tx, caller, 'agent.source_added', agent_id, { source_id: id, ...described(source) })
    return source
  })
}

type SourceRow = Awaited<ReturnType<typeof findSource>>

/** The part of a source for the audit log, without its text. */
const described = ({ kind, label, url, is_trusted }: SourceRow) => ({ kind, label, url, is_trusted })

/** A source without what was read from its former address. */
const unread = { etag: null, last_modified: null, last_fetched_at: null, last_error: null } as const

export const changeSource = (
  deps: SourceDeps,
  caller: Member,
  { id: agent_id, source_id }: { id: string; source_id: string },
  input: Static<typeof ChangeAgentSource>,
  ifMatch: IfMatch,
) =>
  inTransaction(deps.db, async (tx) => {
    await lockAgent(deps, tx, caller, agent_id)
    await tx.selectFrom('agent_source').select('id').where('id', '=', source_id).forUpdate().execute()
    const before = await findSource(tx, agent_id, source_id)
    checkFields(deps, caller, before.kind, input)
    ifMatch(before.version)
    const isMoved = input.url !== undefined && input.url !== before.url
    await tx
      .updateTable('agent_source')
      .set({
        ...(isMoved && !atLeast(caller.role, 'admin') && { is_trusted: false }),
        ...input,
        ...(isMoved && unread),
        updated_at: nextUpdatedAt(deps.clock.now()),
      })
      .where('id', '=', source_id)
      .execute()
    if (isMoved) await tx.deleteFrom('agent_source_item').where('source_id', '=', source_id).execute()
    await actFor(tx, caller, agent_id)
    const after = await findSource(tx, agent_id, source_id)
    const details = { source_id, ...described(after), fields: Object.keys(input) }
    await audit(tx, caller, 'agent.source_updated', agent_id, details)
    return after
  })

export const deleteSource = (
  deps: SourceDeps,
  caller: Member,
  { id: agent_id, source_id }: { id: string; source_id: string },
) =>
  inTransaction(deps.db, async (tx) => {
    await lockAgent(deps, tx, caller, agent_id)
    const before = await findSource(tx, agent_id, source_id)
    await tx.deleteFrom('agent_source').where('id', '=', source_id).execute()
    await audit(tx, caller, 'agent.source_removed', agent_id, { source_id, ...described(before) })
  })
