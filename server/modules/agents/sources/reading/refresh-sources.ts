import { sql } from 'kysely'
import { MINUTE } from '../../../../../shared/time.ts'
import { type Db, inTransaction } from '../../../../lib/db/database.ts'
import type { Deps } from '../../../../lib/deps.ts'
import type { Member } from '../../../../lib/http/access.ts'
import { actingMember } from '../../record/acting-member.ts'
import { hasEnded, lockRun } from '../../record/lock-run.ts'
import { fetchSource, SourceFault } from './fetch-source.ts'
import { storeFeed, storePage } from './store-items.ts'

/** Time for which what was read counts as new. */
const FRESH_MS = 10 * MINUTE

type SourceDeps = Pick<Deps, 'db' | 'clock' | 'dispatcher' | 'urlRules'>

const dueSources = (db: Db, now: Date) =>
  db
    .selectFrom('agent_source')
    .select(['agent_source.id', 'kind', 'url', 'etag', 'last_modified'])
    .where('url', 'is not', null)
    .where((where) =>
      where.or([
        where('last_fetched_at', 'is', null),
        where('last_fetched_at', '<=', new Date(now.getTime() - FRESH_MS)),
      ]),
    )

type Due = Awaited<ReturnType<ReturnType<typeof dueSources>['execute']>>[number]

/** Reads a source, without storing anything. */
async function read(deps: SourceDeps, source: Due & { url: string }) {
  try {
    const fetched = await fetchSource(deps, source)
    if (!fetched) return { fetched }
    const { body, url } = fetched
    // With the parsers of feeds and pages, which take long to load.
    const { readFeed, readPage } = await import('./read-items.ts')
    return source.kind === 'feed' ? { fetched, entries: readFeed(body, url) } : { fetched, parts: readPage(body, url) }
  } catch (error) {
    return { fault: error instanceof SourceFault ? error.code : ('unreadable' as const) }
  }
}

/** Reads a source and stores what is new, unless its address changed meanwhile. */
async function refresh(deps: SourceDeps, { url, ...source }: Due) {
  if (url === null) return
  const { fault, fetched, entries, parts } = await read(deps, { ...source, url })
  await inTransaction(deps.db, async (tx) => {
    const { etag, last_modified } = fetched ?? source
    const current = await tx
      .updateTable('agent_source')
      .set({ last_fetched_at: deps.clock.now(), last_error: fault ?? null, etag, last_modified })
      .where('id', '=', source.id)
      .where('url', '=', url)
      .returning('id')
      .executeTakeFirst()
    if (!current) return
    if (entries) await storeFeed(tx, source.id, entries)
    if (parts) await storePage(tx, source.id, parts)
  })
}

/**
 * Reads the sources of an agent of the workspace that were not read lately. One that fails says so, and does not hold up
 * others.
 */
export async function refreshSources(
  deps: SourceDeps,
  { workspace_id }: Pick<Member, 'workspace_id'>,
  agent_id: string,
) {
  const due = await dueSources(deps.db, deps.clock.now())
    .where('agent_id', '=', agent_id)
    .where('workspace_id', '=', workspace_id)
    .execute()
  await Promise.all(due.map((source) => refresh(deps, source)))
}

/** Reads the sources of a run before its first text, unless the run cannot begin anyway. */
export async function refreshSourcesOfRun(deps: Deps, run_id: string) {
  const due = await dueSources(deps.db, deps.clock.now())
    .innerJoin('agent_run', 'agent_run.agent_id', 'agent_source.agent_id')
    .where('agent_run.id', '=', run_id)
    .where(sql<boolean>`not exists (select from agent_item where agent_item.run_id = agent_run.id)`)
    .execute()
  if (due.length === 0) return
  const canBegin = await inTransaction(deps.db, async (tx) => {
    const locked = await lockRun(tx, run_id)
    return locked && !hasEnded(locked.run) && typeof (await actingMember(tx, locked)) !== 'string'
  })
  if (canBegin) await Promise.all(due.map((source) => refresh(deps, source)))
}
