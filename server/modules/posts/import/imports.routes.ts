import { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { problem } from '../../../errors.ts'
import { Page, PageQuery, pageOfWorkspace } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import { author, viewer } from '../../../lib/http/access.ts'
import { routes } from '../../../lib/http/route.ts'
import { Closed, idParams, NoContent } from '../../../lib/http/schema/schema.ts'
import { fileFormLimits } from '../../../lib/spreadsheet/receive-file.ts'
import { createImport, receiveImport } from './create-import.ts'
import { exportPosts } from './export-posts.ts'
import * as schema from './imports.schema.ts'
import { changeImport, confirmImport, deleteImport, listImports, readImport, undoImport } from './imports.ts'
import { changeRow, exportErrors, listRows } from './rows/import-rows.ts'
import { templateOf } from './template.ts'

const Bytes = Type.Unsafe<never>({ type: 'string', format: 'binary' })
const access = author({ scope: 'posts:write' })

/** Registers the routes in a scope of their own: only there are forms accepted. */
export async function importRoutes(app: FastifyInstance, deps: Deps) {
  await app.register(multipart, { limits: { ...fileFormLimits, fileSize: Infinity }, throwFileSizeLimit: false })
  const route = routes(app, deps, 'Posts')
  const params = idParams('import')

  route.get('/imports', {
    operationId: 'listImports',
    summary: 'List imports',
    description: 'Returns the imports of the last day, newest first. Authors see only their own.',
    access,
    query: Closed(PageQuery),
    response: { 200: Page(schema.ListedImport) },
    handler: ({ db, caller, query }) =>
      pageOfWorkspace(listImports(db, caller), 'post_import', caller.workspace_id, query),
  })
  route.post('/imports', {
    operationId: 'createImport',
    summary: 'Upload a spreadsheet of posts',
    description:
      'Send a CSV file or an Excel workbook (.xlsx), of which the first sheet is read, as `multipart/form-data`, with up to 20 MB, 5,000 rows and 120 columns. Nothing becomes a post before `POST /imports/{id}/confirm`. The file is not kept; its rows are erased after a day.',
    access,
    form: schema.UploadImport,
    response: { 201: schema.PostImport },
    ownTransactions: true,
    handler: async ({ deps, caller, request }) => {
      if (!request.isMultipart())
        throw problem('unsupported_media_type', { detail: 'Send the file as multipart/form-data.' })
      return createImport(deps, caller, await receiveImport(request.raw, request.parts()))
    },
  })
  route.get('/imports/template.csv', {
    operationId: 'readImportTemplate',
    summary: 'Download a template for imports',
    description: 'Returns a CSV file with the columns that an import knows, and three rows as samples.',
    access,
    query: schema.TemplateQuery,
    response: { 200: Bytes },
    instead: { 'text/csv': 'The names of the columns, then three rows.' },
    handler: async ({ deps, caller, query, reply }) => {
      reply.type('text/csv; charset=utf-8')
      reply.header('content-disposition', 'attachment; filename="posts.csv"')
      return reply.send(await templateOf(deps, caller, query)) as never
    },
  })
  route.get('/posts/export.csv', {
    operationId: 'exportPosts',
    summary: 'Export posts',
    description:
      'Returns the posts of the workspace as CSV, in the columns that an import knows, with times on the clocks of the workspace, and after them when and where each was published, and the sums of its numbers over its accounts. Posts are in the order in which they were created. With `from` or `to`, only posts with a time are exported, in the order of their times.',
    access: viewer({ scope: 'posts:read' }),
    query: schema.ExportPostsQuery,
    response: { 200: Bytes },
    weight: 'export',
    instead: { 'text/csv': 'One line for each post, after a line with the names of the columns.' },
    handler: ({ db, caller, query, reply }) => {
      reply.type('text/csv; charset=utf-8')
      reply.header('content-disposition', 'attachment; filename="posts.csv"')
      return reply.send(Readable.from(exportPosts(db, caller, query))) as never
    },
  })
  route.get('/imports/:id', {
    operationId: 'readImport',
    summary: 'Retrieve an import',
    access,
    params,
    response: { 200: schema.PostImport },
    handler: ({ deps, caller, params }) => readImport(deps, caller, params.id),
  })
  route.patch('/imports/:id', {
    operationId: 'changeImport',
    summary: 'Change how a spreadsheet is read',
    description:
      'Sets the fields of its columns, the order of its dates, the time zone, or accounts. All rows are checked again. Not possible after the confirmation.',
    access,
    params,
    body: schema.ChangeImport,
    response: { 200: schema.PostImport },
    handler: ({ deps, caller, params, body, ifMatch }) => changeImport(deps, caller, params.id, body, ifMatch),
  })
  route.delete('/imports/:id', {
    operationId: 'deleteImport',
    summary: 'Delete an import',
    description: 'Erases the import and its rows. Posts that it created stay.',
    access,
    params,
    response: { 204: NoContent },
    handler: ({ deps, caller, params }) => deleteImport(deps, caller, params.id),
  })
  route.get('/imports/:id/rows', {
    operationId: 'listImportRows',
    summary: 'List the rows of an import',
    description: 'Returns the rows in their order. A page with long texts may have fewer than `limit`.',
    access,
    params,
    query: schema.ImportRowQuery,
    response: { 200: Page(schema.ImportRow) },
    handler: ({ db, caller, params, query }) => listRows(db, caller, params.id, query),
  })
  route.patch('/imports/:id/rows/:row', {
    operationId: 'changeImportRow',
    summary: 'Correct a row of an import',
    description: 'Replaces the cells of a row and checks it at once, or leaves the row out.',
    access,
    params: schema.importRowParams,
    body: schema.ChangeImportRow,
    response: { 200: schema.ImportRow },
    handler: ({ deps, caller, params, body, ifMatch }) => changeRow(deps, caller, params, body, ifMatch),
  })
  route.get('/imports/:id/errors.csv', {
    operationId: 'exportImportErrors',
    summary: 'Export the rows with errors',
    description:
      'Returns the rows with errors as CSV, with a column that says why, to be corrected and imported again.',
    access,
    params,
    response: { 200: Bytes },
    weight: 'export',
    instead: { 'text/csv': 'One line for each row with errors, after a line with the names of the columns.' },
    handler: async ({ db, caller, params, reply }) => {
      const lines = await exportErrors(db, caller, params.id)
      reply.type('text/csv; charset=utf-8')
      reply.header('content-disposition', 'attachment; filename="errors.csv"')
      return reply.send(Readable.from(lines)) as never
    },
  })
  route.post('/imports/:id/confirm', {
    operationId: 'confirmImport',
    summary: 'Create the posts of an import',
    description:
      'The rows become posts of the caller, each once and by the rules of `POST /posts`. They are created in the background: see `status` and `counts` of `GET /imports/{id}`. Files are fetched first; a post whose file cannot be fetched becomes a draft.',
    access,
    params,
    body: schema.ConfirmImport,
    response: { 200: schema.PostImport },
    takesIfMatch: true,
    handler: ({ deps, caller, params, body, ifMatch }) => confirmImport(deps, caller, params.id, body, ifMatch),
  })
  route.post('/imports/:id/undo', {
    operationId: 'undoImport',
    summary: 'Undo an import',
    description:
      'Deletes the posts of an import within a day, except those that were published. They can be restored one by one for another day.',
    access,
    params,
    response: { 200: schema.PostImport },
    handler: ({ deps, caller, params }) => undoImport(deps, caller, params.id),
  })
}
