import { sql } from 'kysely'
import type { Static } from 'typebox'
import { problem } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { inTransaction, newId, type Tx } from '../../../lib/db/database.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import { distinctLabels } from '../../../lib/text.ts'
import { assertWithinLimit } from '../../usage/quotas.ts'
import { restoreRow } from '../deletion.ts'
import { prepareFile } from '../files/client/prepare.ts'
import type { Inspected } from '../files/rules/protocol.ts'
import { megabytes, storage } from '../media.meters.ts'
import type { ChangeMedia } from '../media.schema.ts'
import { readMedia } from '../media.ts'
import { announceFolder, giveUpFolder, keepFolder, type NewFolder } from '../storage/erasure.ts'
import { originalKey, thumbnailKey } from '../storage/keys.ts'
import { fileName } from './file-name.ts'
import type { Received } from './receive.ts'

/** Fields of a new record. `sent_name`: what the client calls the file, which may be anything. */
export type NewFields = Static<typeof ChangeMedia> & { sent_name?: string | undefined }

export type StoreDeps = Pick<Deps, 'db' | 'clock' | 'storage'>

/** A file in storage that has no record yet. */
export type Stored = {
  id: string
  folder: NewFolder
  facts: Inspected
  sha256: string
  placeholder: string | null
  thumbnail_bytes: number | null
}

/** Refuses an upload early for which the workspace has no room. The transaction of its record decides. */
export const assertRoom = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { workspace_id }: { workspace_id: string },
  bytes: number,
) =>
  inTransaction(db, (tx) =>
    assertWithinLimit(
      tx,
      { ...storage, count: (id, now) => sql<number>`${storage.count(id, now)} + ${megabytes(bytes)}::int` },
      { workspace_id, amount: megabytes(bytes), now: clock.now() },
    ),
  )

/** Inspects a received file, makes it upright, without location and with a thumbnail, and moves it into storage. */
export async function storeFile(deps: StoreDeps, workspace_id: string, { path, sha256 }: Received): Promise<Stored> {
  const prepared = await prepareFile({ workspace_id, lane: 'uploads' }, path)
  const { facts, thumbnail, placeholder } = prepared
  const id = await newId(deps.db)
  const folder = await announceFolder(deps, { id, workspace_id })
  const stored = {
    ...{ id, folder, facts, sha256, placeholder },
    thumbnail_bytes: thumbnail?.length ?? null,
  }
  try {
    if (thumbnail) await deps.storage.put(thumbnailKey(folder.folder), thumbnail, 'image/webp')
    await deps.storage.moveIn(prepared.path, originalKey(folder.folder), facts.mime)
  } catch (error) {
    await giveUpFolder(deps.db, folder)
    throw error
  }
  return stored
}

/** The workspace and user of a record, and who acts: a caller, or Meydan on behalf of the user. */
export type Owner = Pick<Member, 'workspace_id'> & Omit<Parameters<typeof audit>[1], 'workspace_id'>

/** Writes the record of a stored file. If the workspace has the file already, that record is used, and restored. */
export async function recordMedia(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  owner: Owner,
  stored: Stored,
  { name, alt = '', labels = [], sent_name }: NewFields,
): Promise<{ id: string; isNew: boolean }> {
  const { workspace_id, user_id } = owner
  const { id, folder, facts, sha256, placeholder, thumbnail_bytes } = stored
  const { extension, kind, mime, bytes, width, height, duration_s, opaque } = facts
  const now = clock.now()
  const made = await tx
    .insertInto('media')
    .values({
      ...{ id, workspace_id, kind, mime, extension, bytes, width, height, duration_s, opaque, alt, sha256 },
      labels: distinctLabels(labels),
      ...{ placeholder, thumbnail_bytes, created_at: now, updated_at: now },
      uploaded_by_id: user_id,
      name: name ?? fileName(sent_name, extension),
    })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'sha256']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) {
    await giveUpFolder(tx, folder)
    const known = await reviveKnown(tx, owner, sha256, now)
    if (!known) throw erasedMeanwhile()
    return { id: known, isNew: false }
  }
  if (!(await keepFolder(tx, folder))) throw erasedMeanwhile()
  await audit(tx, owner, 'media.uploaded', id, { kind, bytes })
  return { id, isNew: true }
}

export const erasedMeanwhile = () => problem('unavailable', { detail: 'The file was just erased. Upload it again.' })

/** Finds the record of a file by its hash, and restores it if it was deleted. */
export async function reviveKnown(tx: Tx, owner: Owner, sha256: string, now: Date) {
  const known = await tx
    .selectFrom('media')
    .select(['id', 'deleted_at'])
    .where('workspace_id', '=', owner.workspace_id)
    .where('sha256', '=', sha256)
    .forUpdate()
    .executeTakeFirst()
  if (known?.deleted_at) await restoreRow(tx, owner, known.id, now)
  return known?.id
}

/** Checks the storage of the plan. The last statement of a transaction that added a file. */
export const assertStorage = (tx: Tx, workspace_id: string, bytes: number, now: Date) =>
  assertWithinLimit(tx, storage, { workspace_id, amount: megabytes(bytes), now })

/** Runs in the transaction of a record, such as to complete a resumable upload. */
type Finish = (tx: Tx, media_id: string) => Promise<unknown>

/** Keeps a received file as a record. The same bytes again give the record that exists, restored if it was deleted. */
export async function keepReceived(
  deps: StoreDeps,
  caller: Member,
  received: Received,
  fields: NewFields,
  finish: Finish = async () => undefined,
) {
  const { db, clock } = deps
  const { workspace_id } = caller
  const known = await inTransaction(db, async (tx) => {
    const id = await reviveKnown(tx, caller, received.sha256, clock.now())
    if (!id) return
    await finish(tx, id)
    return readMedia(tx, caller, id)
  })
  if (known) return { media: known, isNew: false }
  const stored = await storeFile(deps, workspace_id, received)
  try {
    return await inTransaction(db, async (tx) => {
      const { id, isNew } = await recordMedia(tx, deps, caller, stored, fields)
      await finish(tx, id)
      const media = await readMedia(tx, caller, id)
      if (isNew) await assertStorage(tx, workspace_id, media.bytes, clock.now())
      return { media, isNew }
    })
  } catch (error) {
    await giveUpFolder(db, stored.folder)
    throw error
  }
}
