import { sql } from 'kysely'
import type { Tx } from '../../../lib/db/database.ts'
import { cut, plainText } from './reading/plain-text.ts'

/** Newest entries of a feed that the model chooses from. */
const MAX_ENTRIES = 5
/** Characters for the model, shared by the rules and the sources. */
const MAX_CHARACTERS = 60_000

/** A piece of a source that the model may write about. */
export type Material = {
  /** Name in the prompt, such as `s1`. */
  id: string
  /** Entry of a feed, which is written about once. */
  entry_id: string | null
  label: string
  title: string
  text: string
  url: string | null
  is_trusted: boolean
  /** Whether members of the workspace wrote it. */
  is_own: boolean
}

const sourcesOf = (tx: Tx, agent_id: string) =>
  tx
    .selectFrom('agent_source')
    .select(['id', 'kind', 'label', 'text', 'is_trusted', 'last_error'])
    .where('agent_id', '=', agent_id)
    .where(sql<boolean>`coalesce(url, text) is not null`)
    .orderBy('id')
    .execute()

type Source = Awaited<ReturnType<typeof sourcesOf>>[number]

type Piece = { id: string | null; refused_in_run?: string | null } & Pick<Material, 'title' | 'text' | 'url'>

/** Pieces of a source; for a feed, its newest entries. `withUsed`: also pieces that posts were written from. */
async function piecesOf(tx: Tx, { id, kind, text }: Source, withUsed: boolean): Promise<Piece[]> {
  if (kind === 'text') return [{ id: null, title: '', text: plainText(text ?? ''), url: null }]
  let query = tx
    .selectFrom('agent_source_item')
    .select(['id', 'title', 'text', 'url', 'refused_in_run'])
    .where('source_id', '=', id)
    .where(sql<boolean>`title || text <> ''`)
  if (!withUsed) query = query.where('is_used', '=', false)
  if (kind === 'page') return query.orderBy('id').execute()
  return query.orderBy('id', 'desc').limit(MAX_ENTRIES).execute()
}

/** Cuts pieces so that together they have at most `max` characters. */
function cutTogether(pieces: readonly Piece[], max: number) {
  let left = max
  return pieces.flatMap((piece) => {
    const text = cut(piece.text, left)
    left -= text.length
    return text === '' && piece.text !== '' ? [] : [{ ...piece, text }]
  })
}

/** After a refusal that one of several entries caused, the next of them is offered without other entries. */
function alone<Offered extends Piece & Pick<Material, 'entry_id'>>(pieces: readonly Offered[]) {
  const suspect = pieces.find(({ refused_in_run }) => refused_in_run)
  return suspect ? pieces.filter((piece) => piece === suspect || piece.entry_id === null) : pieces
}

/**
 * Reads what the sources of an agent offer. `besides`: the texts that share their space. `missing`: the reason for which
 * an agent with sources has nothing to write about.
 */
export async function readMaterial(
  tx: Tx,
  agent_id: string,
  { withUsed = false, besides = [] }: { withUsed?: boolean; besides?: readonly string[] } = {},
) {
  const sources = await sourcesOf(tx, agent_id)
  const left = MAX_CHARACTERS - besides.join('').length
  const share = Math.floor(left / Math.max(sources.length, 1))
  const found: (Piece & Omit<Material, 'id'>)[] = []
  for (const source of sources) {
    const { kind, label, is_trusted } = source
    for (const piece of cutTogether(await piecesOf(tx, source, withUsed), share))
      found.push({ ...piece, entry_id: kind === 'feed' ? piece.id : null, label, is_trusted, is_own: kind === 'text' })
  }
  const material = alone(found).map(
    ({ entry_id, label, title, text, url, is_trusted, is_own }, at): Material => ({
      id: `s${at + 1}`,
      ...{ entry_id, label, title, text, url, is_trusted, is_own },
    }),
  )
  const isMissing = sources.length > 0 && material.length === 0
  const hasFailed = sources.every(({ last_error }) => last_error !== null)
  const missing = isMissing ? (hasFailed ? ('source_failed' as const) : ('nothing_new' as const)) : undefined
  return { material, missing }
}

/** Notes that there is a post of these entries, so that no other is written about them. */
export async function markUsed(tx: Tx, run_id: string, used: readonly Material[]) {
  const ids = used.flatMap(({ entry_id }) => entry_id ?? [])
  if (ids.length === 0) return
  await tx.updateTable('agent_source_item').set({ is_used: true, used_in_run: run_id }).where('id', 'in', ids).execute()
}

/**
 * Notes that a text was refused which the model could write from these entries. A single one is not offered again. Of
 * several, each is offered alone from then on, because a hostile one can make the text name another.
 */
export async function noteRefusal(tx: Tx, run_id: string, material: readonly Material[]) {
  const ids = material.flatMap(({ entry_id }) => entry_id ?? [])
  if (ids.length === 0) return
  await tx
    .updateTable('agent_source_item')
    .set({ refused_in_run: run_id, ...(ids.length === 1 && { is_used: true }) })
    .where('id', 'in', ids)
    .execute()
}
