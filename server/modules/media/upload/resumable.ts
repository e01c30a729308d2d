import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { DataStore } from '@tus/server'
import { sql } from 'kysely'
import { DAY } from '../../../../shared/time.ts'
import { invalid, limitExceeded, notFound, Problem } from '../../../errors.ts'
import { inTransaction } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { limits } from '../files/rules/upload-limits.ts'
import { inTemporaryFolder, resumableFolder } from '../storage/temporary.ts'
import { checkFields, type Fields } from './fields.ts'
import { fileName } from './file-name.ts'
import { beyond, receive } from './receive.ts'
import { assertStorage, keepReceived } from './upload.ts'

/** Time in which an upload must be finished. */
const KEPT_MS = DAY
const MAX_UNFINISHED = 100

type ResumableDeps = Pick<Deps, 'db' | 'clock' | 'storage' | 'config'>

const stores = new WeakMap<Deps['storage'], Promise<DataStore>>()

/** Where the bytes of unfinished uploads are: in the bucket, which all nodes reach, or in a folder of this machine. */
export function uploadStore({ storage, config }: Pick<Deps, 'storage' | 'config'>): Promise<DataStore> {
  const open = async () => {
    const { bucket } = storage
    if (!bucket) {
      const { FileStore } = await import('@tus/file-store')
      return new FileStore({ directory: join(resumableFolder(config)) })
    }
    const { S3Store } = await import('@tus/s3-store')
    return new S3Store({ s3ClientConfig: bucket, useTags: false })
  }
  const store = stores.get(storage) ?? open()
  stores.set(storage, store)
  return store
}

/** Name of an upload in its store. In a bucket it stands beside the folders of workspaces. */
export const storedName = (id: string) => `unfinished-${id}`

/** Finds an upload of the caller. Those of others are not found. */
export async function findUpload({ db, clock }: Pick<Deps, 'db' | 'clock'>, caller: Member, id: string) {
  const upload = await db
    .selectFrom('media_upload')
    .select(['id', 'bytes', 'name', 'alt', 'labels', 'media_id', 'expires_at'])
    .where('id', '=', id)
    .where('workspace_id', '=', caller.workspace_id)
    .where('user_id', '=', caller.user_id)
    .where('expires_at', '>', clock.now())
    .executeTakeFirst()
  if (!upload) throw notFound()
  return upload
}

/** The state of an upload: how many of its bytes have arrived, and the file that it became. */
export async function readUpload(deps: ResumableDeps, caller: Member, id: string) {
  const { bytes, media_id, expires_at } = await findUpload(deps, caller, id)
  const offset = media_id ? bytes : (await (await uploadStore(deps)).getUpload(storedName(id))).offset
  return { id, bytes, offset, media_id, expires_at }
}

/**
 * Fields of the header Upload-Metadata, in which `labels` are separated by commas. Clients send fields of their own
 * beside them, which are ignored.
 */
function fieldsOf({ filename, name, alt, labels }: Record<string, string | null>): Fields & { name: string } {
  const fields = checkFields({
    ...(name && { name }),
    ...(alt && { alt }),
    ...(labels && { labels: labels.split(',').map((label) => label.trim()) }),
  })
  return { ...fields, name: fields.name ?? fileName(filename ?? undefined, '') }
}

/** Records an upload before its first byte, and reserves its storage. */
export async function beginUpload(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { workspace_id, user_id }: Member,
  { id, bytes, metadata }: { id: string; bytes: number | undefined; metadata: Record<string, string | null> },
) {
  if (bytes === undefined || !Number.isInteger(bytes) || bytes < 1)
    throw invalid('/Upload-Length', 'This header must be the number of bytes of the file.')
  if (bytes > limits.bytes.video) throw beyond(limits.bytes.video)
  const fields = fieldsOf(metadata)
  const now = clock.now()
  await inTransaction(db, async (tx) => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from media_upload
      where workspace_id = ${workspace_id} and media_id is null`.execute(tx)
    const unfinished = rows[0]?.count ?? 0
    if (unfinished >= MAX_UNFINISHED)
      throw limitExceeded(
        'unfinished_uploads',
        MAX_UNFINISHED,
        unfinished,
        'Finish or delete unfinished uploads, or wait a day until they expire.',
      )
    await tx
      .insertInto('media_upload')
      .values({
        ...{ id, workspace_id, user_id, bytes, ...fields },
        created_at: now,
        expires_at: new Date(now.getTime() + KEPT_MS),
      })
      .execute()
    await assertStorage(tx, workspace_id, bytes, now)
  })
}

/** Turns a received upload into a file. An upload that is refused is erased; after another error it can be repeated. */
export async function finishUpload(deps: ResumableDeps, caller: Member, id: string) {
  const { name, alt, labels, media_id } = await findUpload(deps, caller, id)
  if (media_id) return media_id
  const store = await uploadStore(deps)
  if (!canRead(store)) throw new Error('The store of uploads cannot be read')
  try {
    const media_id = await inTemporaryFolder(deps.config, async (folder) => {
      const received = await receive(await store.read(storedName(id)), folder)
      const fields = { alt, labels, sent_name: name }
      const { media } = await keepReceived(deps, caller, received, fields, (tx, media_id) =>
        tx.updateTable('media_upload').set({ media_id }).where('id', '=', id).execute(),
      )
      return media.id
    })
    await store.remove(storedName(id)).catch(() => undefined)
    return media_id
  } catch (error) {
    if (error instanceof Problem && error.status < 500) await eraseUpload(deps, id)
    throw error
  }
}

type ReadableStore = DataStore & { read: (id: string) => Promise<Readable> | Readable }
const canRead = (store: DataStore): store is ReadableStore => 'read' in store

async function eraseUpload({ db, ...deps }: ResumableDeps, id: string) {
  const store = await uploadStore(deps)
  // Already gone, or on the disk of another node, which removes it by its age.
  await store.remove(storedName(id)).catch((error: { status_code?: number }) => {
    if (error.status_code !== 404 && error.status_code !== 410) throw error
  })
  await db.deleteFrom('media_upload').where('id', '=', id).execute()
}

export async function cancelUpload(deps: ResumableDeps, caller: Member, id: string) {
  await findUpload(deps, caller, id)
  await eraseUpload(deps, id)
}

const BATCH = 100

/** Erases uploads that were not finished in time, and forgets those that were. */
export async function eraseExpiredUploads(deps: ResumableDeps) {
  for (;;) {
    const expired = await deps.db
      .selectFrom('media_upload')
      .select('id')
      .where('expires_at', '<=', deps.clock.now())
      .limit(BATCH)
      .execute()
    for (const { id } of expired) await eraseUpload(deps, id)
    if (expired.length < BATCH) return
  }
}
