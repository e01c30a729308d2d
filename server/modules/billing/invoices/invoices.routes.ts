import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Static } from 'typebox'
import { Page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import { admin, instanceAdmin, user } from '../../../lib/http/access.ts'
import { Bytes } from '../../../lib/http/response/send-file.ts'
import { routes } from '../../../lib/http/route.ts'
import { idParams } from '../../../lib/http/schema/schema.ts'
import { documentOf } from './document.ts'
import { invoicePagePolicy, toHtml } from './html.ts'
import * as schema from './invoices.schema.ts'
import { exportInvoices } from './invoices-csv.ts'
import { listAllInvoices, listInvoices, readForLink, readInvoice, setOfficialNumber } from './list-invoices.ts'
import { toPdf } from './pdf.ts'
import { type InvoiceRow, readRow } from './records.ts'
import { toUbl, ublNumber } from './ubl.ts'
import { exportUbl } from './ubl-zip.ts'

const withTag = (reply: FastifyReply, content: string | Buffer) =>
  reply.header('etag', `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`).send(content)

async function sendPdf(reply: FastifyReply, row: InvoiceRow) {
  const content = await toPdf(documentOf(row))
  reply.type('application/pdf').header('content-disposition', `inline; filename="${row.number}.pdf"`)
  return withTag(reply, content) as never
}

function sendUbl(reply: FastifyReply, row: InvoiceRow, query: Static<typeof schema.UblQuery>) {
  const content = toUbl(row, query)
  reply.type('application/xml; charset=utf-8')
  reply.header('content-disposition', `attachment; filename="${ublNumber(row)}.xml"`)
  return withTag(reply, content) as never
}

export function invoiceRoutes(app: FastifyInstance, deps: Deps) {
  const route = routes(app, deps, 'Billing')
  const params = idParams('invoice')
  const anywhere =
    'Opens an invoice of any workspace in which you are owner or admin, so `X-Workspace-Id` is not needed.'

  route.get('/billing/invoices', {
    operationId: 'listInvoices',
    summary: 'List invoices',
    description: 'Returns invoices and credit notes, newest first.',
    access: admin({ scope: 'billing:read' }),
    query: schema.InvoiceQuery,
    response: { 200: Page(schema.Invoice) },
    handler: ({ db, caller, query }) => listInvoices(db, caller.workspace_id, query),
  })
  route.get('/billing/invoices/:id', {
    operationId: 'readInvoice',
    summary: 'Retrieve an invoice',
    access: admin({ scope: 'billing:read' }),
    params,
    response: { 200: schema.Invoice },
    handler: ({ db, caller, params }) => readInvoice(db, caller.workspace_id, params.id),
  })
  route.get('/billing/invoices/:id/pdf', {
    operationId: 'downloadInvoice',
    summary: 'Download an invoice as PDF',
    description: `The document is in the language that the workspace had when it was issued. ${anywhere}`,
    access: user({ scope: 'billing:read' }),
    params,
    response: { 200: Bytes },
    weight: 'export',
    instead: { 'application/pdf': 'The document.' },
    handler: async ({ db, caller, params, reply }) => sendPdf(reply, await readForLink(db, caller, params.id)),
  })
  route.get('/billing/invoices/:id/html', {
    operationId: 'readInvoicePage',
    summary: 'Open an invoice as a page',
    description: `The page can be printed, and has the content of the PDF. ${anywhere}`,
    access: user({ scope: 'billing:read' }),
    params,
    response: { 200: Bytes },
    instead: { 'text/html': 'The document.' },
    handler: async ({ db, caller, params, reply }) => {
      const page = toHtml(documentOf(await readForLink(db, caller, params.id)))
      reply.type('text/html; charset=utf-8').header('content-security-policy', invoicePagePolicy)
      return withTag(reply, page) as never
    },
  })
  route.get('/billing/invoices/:id/ubl', {
    operationId: 'downloadInvoiceUbl',
    summary: 'Download an invoice as UBL-TR',
    description: `Returns a paid invoice or a credit note as an unsigned UBL-TR 1.2 document for an e-invoice program. ${anywhere}`,
    access: user({ scope: 'billing:read' }),
    params,
    query: schema.UblQuery,
    response: { 200: Bytes },
    instead: { 'application/xml': 'The document.' },
    handler: async ({ db, caller, params, query, reply }) =>
      sendUbl(reply, await readForLink(db, caller, params.id), query),
  })
  route.get('/admin/invoices', {
    operationId: 'listAllInvoices',
    summary: 'List invoices of all workspaces',
    description: 'Returns invoices and credit notes, newest first.',
    access: instanceAdmin(),
    query: schema.AdminInvoiceQuery,
    response: { 200: Page(schema.AdminInvoice) },
    handler: ({ db, query }) => listAllInvoices(db, query),
  })
  route.get('/admin/invoices/export', {
    operationId: 'exportInvoices',
    summary: 'Export invoices',
    description:
      'Returns the invoices and credit notes of all workspaces as CSV in UTF-8, by number: those of a month, or all.',
    access: instanceAdmin(),
    query: schema.ExportQuery,
    response: { 200: Bytes },
    weight: 'export',
    instead: { 'text/csv': 'One line for each invoice, after a line with the names of the columns.' },
    handler: ({ db, query, reply }) => {
      reply.type('text/csv; charset=utf-8')
      reply.header('content-disposition', `attachment; filename="invoices${query.month ? `-${query.month}` : ''}.csv"`)
      return reply.send(Readable.from(exportInvoices(db, query))) as never
    },
  })
  route.get('/admin/invoices/ubl', {
    operationId: 'exportInvoicesUbl',
    summary: 'Export invoices as UBL-TR',
    description:
      'Returns the paid invoices and the credit notes of a month, of a span of days, or all, as a ZIP file with an unsigned UBL-TR 1.2 document for each, named by the number of the invoice: at most 65,000. `missing.csv` in it names those whose seller has no Turkish tax number.',
    access: instanceAdmin(),
    query: schema.UblExportQuery,
    response: { 200: Bytes },
    weight: 'export',
    instead: { 'application/zip': 'The documents.' },
    handler: async ({ db, query, reply }) => {
      const documents = await exportUbl(db, query)
      const span = query.month ?? [query.from, query.to].filter(Boolean).join('_')
      reply.type('application/zip')
      reply.header('content-disposition', `attachment; filename="invoices-ubl${span && `-${span}`}.zip"`)
      return reply.send(documents) as never
    },
  })
  route.get('/admin/invoices/:id/ubl', {
    operationId: 'downloadAnyInvoiceUbl',
    summary: 'Download an invoice of any workspace as UBL-TR',
    access: instanceAdmin(),
    params,
    query: schema.UblQuery,
    response: { 200: Bytes },
    instead: { 'application/xml': 'The document.' },
    handler: async ({ db, params, query, reply }) => sendUbl(reply, await readRow(db, params.id), query),
  })
  route.get('/admin/invoices/:id/pdf', {
    operationId: 'downloadAnyInvoice',
    summary: 'Download an invoice of any workspace as PDF',
    access: instanceAdmin(),
    params,
    response: { 200: Bytes },
    weight: 'export',
    instead: { 'application/pdf': 'The document.' },
    handler: async ({ db, params, reply }) => sendPdf(reply, await readRow(db, params.id)),
  })
  route.patch('/admin/invoices/:id', {
    operationId: 'setOfficialNumber',
    summary: 'Store the official number of an invoice',
    description:
      'Stores the ETTN and the number of the e-Fatura or e-Arşiv document that was issued for it. The document shows them. Null removes one. No two invoices have one number, and numbers that Meydan gives to documents, such as `MYD2026000000042`, are for their own invoice only.',
    access: instanceAdmin(),
    params,
    body: schema.OfficialInvoice,
    response: { 200: schema.AdminInvoice },
    handler: ({ db, caller, params, body }) => setOfficialNumber(db, caller, params.id, body),
  })
}
