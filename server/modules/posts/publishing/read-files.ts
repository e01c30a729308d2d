import { sql } from 'kysely'
import type { FieldError } from '../../../errors.ts'
import type { Db } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import { batched } from '../../../lib/runtime/concurrency/batched.ts'
import { readStoredMedia } from '../../media/media.ts'
import { type MediaById, mediaIdsOf, missingMedia } from '../record/post-media.ts'
import type { PublishIntent, Target } from './publish-intent.ts'

type Files = { media: MediaById; missing: FieldError[]; isApproved: boolean }

const fileIdsOf = ({ media_ids, thread }: Target) => mediaIdsOf({ media_ids, thread, targets: [] })

/** Reads the files of a target, and whether the post is approved with them. Makes no query for a target without files. */
export const readFiles = async (deps: Deps, intent: PublishIntent): Promise<Files> =>
  fileIdsOf(intent.target).length > 0
    ? readTogether(deps, intent)
    : { media: new Map(), missing: [], isApproved: intent.is_approved }

/** Targets whose files are read in one transaction. */
const MAX_BATCH = 30

const readTogether = batched({
  max: MAX_BATCH,
  keyOf: ({ target }: PublishIntent) => target.id,
  together: readAll,
  alone: async (deps, intent) => {
    const files = (await readAll(deps, [intent])).get(intent.target.id)
    if (!files) throw new Error(`The files of ${intent.target.id} were not read`)
    return files
  },
})

/**
 * Reads both from one snapshot: the texts of the files can have changed since the attempt began, and what is sent is what
 * is approved.
 */
async function readAll({ db }: Deps, intents: readonly PublishIntent[]) {
  const targets = intents.map(({ target }) => target)
  const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  const [files, approved] = await snapshot.execute(async (tx) => [
    await readStoredMedia(tx, [...new Set(targets.flatMap(fileIdsOf))]),
    await readApproved(
      tx,
      targets.map(({ post_id }) => post_id),
    ),
  ])
  const byId = new Map(files.map((file) => [file.id, file]))
  return new Map(
    intents.map(({ target, is_approved }): [string, Files] => {
      const media = new Map(
        fileIdsOf(target).flatMap((id) => {
          const file = byId.get(id)
          return file?.workspace_id === target.workspace_id ? [[id, file] as const] : []
        }),
      )
      const missing = missingMedia({ ...target, targets: [] }, media)
      return [target.id, { media, missing, isApproved: is_approved && approved.has(target.post_id) }]
    }),
  )
}

async function readApproved(db: Db, post_ids: readonly string[]) {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${post_ids}::uuid[]) as id where post_is_approved(id)`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
