import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { HOUR, MINUTE } from '../../../shared/time.ts'
import { problem } from '../../errors.ts'
import { PARTIAL_PAGES, Page, pageOfWorkspace } from '../../lib/db/page.ts'
import type { Deps } from '../../lib/deps.ts'
import { createStopSignal } from '../../lib/http/abort-signals.ts'
import { anyone, author, user, viewer } from '../../lib/http/access.ts'
import { FileResponse } from '../../lib/http/response/send-file.ts'
import { routes } from '../../lib/http/route.ts'
import { Closed, idParams, NoContent } from '../../lib/http/schema/schema.ts'
import { CROP_MS, cropMedia } from './crop.ts'
import { deleteMedia, listDeletedMedia, listUses, restoreMedia } from './deletion.ts'
import { limits } from './files/rules/upload-limits.ts'
import { listMedia } from './list.ts'
import {
  ChangeMedia,
  CropMedia,
  DeletedMedia,
  DeletedMediaQuery,
  DeleteMediaQuery,
  ImportMedia,
  Media,
  MediaQuery,
  MediaUses,
  Upload,
} from './media.schema.ts'
import { changeMedia, readMedia } from './media.ts'
import { serveFile, serveSigned, serveThumbnail } from './serving.ts'
import { inTemporaryFolder, removeOldUploads } from './storage/temporary.ts'
import { formLimits, receiveForm } from './upload/form.ts'
import { IMPORT_MS, importMedia } from './upload/import.ts'
import { beyond } from './upload/receive.ts'
import { resumableRoutes } from './upload/resumable.routes.ts'
import { assertRoom, keepReceived } from './upload/upload.ts'

/** Bytes of a form besides its file. */
const FORM_BYTES = 1_000_000
/** Time of an import before and after its file is fetched. */
const MARGIN_MS = 2 * MINUTE
const STOPPED = 'Meydan is stopping, and the file had not arrived. Nothing was kept: send it again.'

const served = { 'image/*': 'An image.', 'video/*': 'A video.', 'application/*': 'A document.' }

/** Registers the routes in a scope of their own: only there are forms accepted. */
export async function mediaRoutes(app: FastifyInstance, deps: Deps) {
  await app.register(multipart, { limits: { ...formLimits, fileSize: Infinity }, throwFileSizeLimit: false })
  const route = routes(app, deps, 'Media')
  removeLeftovers(app, deps)
  const stopped = createStopSignal(app, deps, problem('unavailable', { detail: STOPPED, retryAfter: 5 }))
  await app.register(async (scope) => resumableRoutes(scope, deps))

  route.get('/media', {
    operationId: 'listMedia',
    summary: 'List files',
    description: `Returns the files of the workspace, newest first. ${PARTIAL_PAGES}`,
    access: viewer({ scope: 'media:read' }),
    query: MediaQuery,
    response: { 200: Page(Media) },
    handler: ({ db, caller, query }) => listMedia(db, caller, query),
  })
  route.post('/media', {
    operationId: 'uploadMedia',
    summary: 'Upload a file',
    description:
      'Send one file as `multipart/form-data`; repeat the field `labels` for several labels. Its type is taken from its content. Images may have up to 30 MB, videos 2 GB and documents 100 MB. A workspace keeps every file once: uploading the same bytes again returns the existing record with status 200, restored if it was deleted. An interrupted upload can therefore be repeated without an `Idempotency-Key`.',
    access: author({ scope: 'media:write' }),
    form: Upload,
    response: { 200: Media, 201: Media },
    ownTransactions: true,
    handler: async ({ deps, caller, request, reply }) => {
      if (!request.isMultipart())
        throw problem('unsupported_media_type', { detail: 'Send the file as multipart/form-data.' })
      const announced = Number(request.headers['content-length'] ?? 0)
      if (announced > limits.bytes.video + FORM_BYTES) throw beyond(limits.bytes.video)
      if (announced > FORM_BYTES) await assertRoom(deps, caller, announced - FORM_BYTES)
      return inTemporaryFolder(deps.config, async (folder) => {
        const { received, fields } = await receiveForm(
          { raw: request.raw, parts: request.parts() },
          folder,
          (bytes) => assertRoom(deps, caller, bytes),
          stopped,
        )
        const { media, isNew } = await keepReceived(deps, caller, received, fields)
        reply.code(isNew ? 201 : 200)
        return media
      })
    },
  })
  route.post('/media/import', {
    operationId: 'importMedia',
    summary: 'Import a file from an address',
    description:
      'Fetches a file from the public internet and keeps it like an upload, within five minutes. Redirects are not followed.',
    access: author({ scope: 'media:write' }),
    body: ImportMedia,
    response: { 200: Media, 201: Media },
    ownTransactions: true,
    leaseMs: IMPORT_MS + MARGIN_MS,
    handler: async ({ deps, caller, body, request, reply }) => {
      request.raw.socket.setTimeout(IMPORT_MS + MARGIN_MS)
      const { media, isNew } = await importMedia(deps, caller, body)
      reply.code(isNew ? 201 : 200)
      return media
    },
  })
  route.get('/media/deleted', {
    operationId: 'listDeletedMedia',
    summary: 'List deleted files',
    description: 'Returns the files that were deleted in the last 24 hours and can be restored.',
    access: viewer({ scope: 'media:read' }),
    query: DeletedMediaQuery,
    response: { 200: Page(DeletedMedia) },
    handler: ({ deps, caller, query }) =>
      pageOfWorkspace(listDeletedMedia(deps, query.since), 'media', caller.workspace_id, query),
  })
  route.get('/media/:id', {
    operationId: 'readMedia',
    summary: 'Retrieve a file',
    description: 'Returns the record of a file. Its content is at `url`.',
    access: viewer({ scope: 'media:read' }),
    params: idParams('media'),
    response: { 200: Media },
    handler: ({ db, caller, params }) => readMedia(db, caller, params.id),
  })
  route.patch('/media/:id', {
    operationId: 'changeMedia',
    summary: 'Update a file',
    description:
      'Changes the alternative text, the name or the labels. Authors can change only the files that they uploaded. Approved posts that have the file are put in review again when its alternative text changes, or the name of a document.',
    access: author({ scope: 'media:write' }),
    params: idParams('media'),
    body: ChangeMedia,
    response: { 200: Media },
    handler: ({ deps, caller, params, body, ifMatch }) => changeMedia(deps, caller, params.id, body, ifMatch),
  })
  route.post('/media/:id/crop', {
    operationId: 'cropMedia',
    summary: 'Crop an image',
    description:
      'Keeps a part of an image as a new file, with the same name, alternative text and labels. The image itself stays as it is. The same part again returns the existing record with status 200.',
    access: author({ scope: 'media:write' }),
    params: idParams('media'),
    body: CropMedia,
    response: { 200: Media, 201: Media },
    ownTransactions: true,
    leaseMs: CROP_MS,
    handler: async ({ deps, caller, params, body, reply }) => {
      const { media, isNew } = await cropMedia(deps, caller, params.id, { rotate: 0, ...body })
      reply.code(isNew ? 201 : 200)
      return media
    },
  })
  route.delete('/media/:id', {
    operationId: 'deleteMedia',
    summary: 'Delete a file',
    description:
      'Deletes a file that no post, gig or order uses. It can be restored for 24 hours and counts as stored until it is erased. With `permanent` it is erased at once.',
    access: author({ scope: 'media:write' }),
    params: idParams('media'),
    query: DeleteMediaQuery,
    response: { 204: NoContent },
    handler: ({ deps, caller, params, query }) => deleteMedia(deps, caller, params.id, query),
  })
  route.post('/media/:id/restore', {
    operationId: 'restoreMedia',
    summary: 'Restore a deleted file',
    description: 'Restores a file deleted in the last 24 hours.',
    access: author({ scope: 'media:write' }),
    params: idParams('media'),
    response: { 200: Media },
    handler: ({ deps, caller, params }) => restoreMedia(deps, caller, params.id),
  })
  route.get('/media/:id/uses', {
    operationId: 'listMediaUses',
    summary: 'List what uses a file',
    access: viewer({ scope: 'media:read' }),
    params: idParams('media'),
    response: { 200: MediaUses },
    handler: ({ deps, caller, params }) => listUses(deps, caller, params.id),
  })

  const content =
    'Supports `Range` and `If-None-Match`. Returns a file of any workspace that you belong to, so `X-Workspace-Id` is not needed.'
  route.get('/media/:id/file', {
    operationId: 'downloadMedia',
    summary: 'Download a file',
    description: content,
    access: user({ scope: 'media:read' }),
    params: idParams('media'),
    response: { 200: FileResponse },
    instead: served,
    handler: ({ deps, caller, params }) => serveFile(deps, caller, params.id),
  })
  route.get('/media/:id/thumbnail', {
    operationId: 'downloadMediaThumbnail',
    summary: 'Download the thumbnail of a file',
    description: `A WebP image of at most 400 by 400 pixels. ${content}`,
    access: user({ scope: 'media:read' }),
    params: idParams('media'),
    response: { 200: FileResponse },
    instead: { 'image/*': 'The thumbnail.' },
    handler: ({ deps, caller, params }) => serveThumbnail(deps, caller, params.id),
  })
  route.get('/media/signed/:grant', {
    operationId: 'downloadSignedMedia',
    summary: 'Download a file by a signed address',
    description:
      'Networks that fetch files get such addresses. An address leads to one file, needs no credentials, and expires.',
    access: anyone(),
    params: Closed({
      grant: Type.String({
        maxLength: 200,
        description: 'File, time of expiry and signature.',
        examples: ['01993a4c-2f10-7000-9000-000000000000.original.mf3k2x.c2lnbmF0dXJl.jpg'],
      }),
    }),
    response: { 200: FileResponse },
    instead: served,
    handler: ({ deps, params }) => serveSigned(deps, params.grant),
  })
}

/** Removes, at the start and every hour, what dead processes left in the temporary folder of this machine. */
function removeLeftovers(app: FastifyInstance, { config, log }: Deps) {
  const remove = () =>
    removeOldUploads(config, new Date()).catch((err) => log.warn({ err }, 'old uploads could not be removed'))
  const timer = setInterval(remove, HOUR).unref()
  app.addHook('onReady', remove)
  app.addHook('onClose', async () => clearInterval(timer))
}
