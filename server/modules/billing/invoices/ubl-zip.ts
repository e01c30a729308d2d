import { Readable } from 'node:stream'
import { strToU8, Zip, ZipDeflate } from 'fflate'
import type { Static } from 'typebox'
import { invalid } from '../../../errors.ts'
import { csvText } from '../../../lib/csv.ts'
import type { Db } from '../../../lib/db/database.ts'
import type { UblExportQuery } from './invoices.schema.ts'
import { countInvoices, invoicesByNumber } from './list-invoices.ts'
import { toUbl, ublRefusal } from './ubl.ts'

/** A ZIP file without Zip64 has 65,535 files at most. The rest is for invoices that are paid while it is sent. */
const MAX_FILES = 65_000

/**
 * The paid invoices and the credit notes of a span as UBL documents in a ZIP file, which is made while it is sent.
 * Throws 400 for a span that is reversed, or has too many.
 */
export async function exportUbl(db: Db, query: Static<typeof UblExportQuery>) {
  const { month, from, to } = query
  if (from && to && from > to) throw invalid('/to', 'This is before the first day.')
  if ((await countInvoices(db, { ...query, status: 'paid' }, MAX_FILES + 1)) > MAX_FILES)
    throw invalid(month ? '/month' : '/from', `A ZIP file has at most ${MAX_FILES} invoices. Choose a shorter span.`)
  return Readable.from(zipOf(db, query))
}

async function* zipOf(db: Db, { profile, usd_rate, ...span }: Static<typeof UblExportQuery>) {
  const made: Uint8Array[] = []
  const zip = new Zip((error, bytes) => {
    if (error) throw error
    made.push(bytes)
  })
  const add = (name: string, content: string) => {
    const file = new ZipDeflate(name, { level: 6 })
    zip.add(file)
    file.push(strToU8(content), true)
    return made.splice(0)
  }
  const options = { ...(profile && { profile }), ...(usd_rate !== undefined && { usd_rate }) }
  const missing: string[] = []
  for await (const rows of invoicesByNumber(db, { ...span, status: 'paid' }))
    for (const row of rows) {
      const refusal = ublRefusal(row)
      if (refusal) missing.push(`${row.number},${csvText(refusal.message)}\r\n`)
      else yield* add(`${row.number}.xml`, toUbl(row, options))
    }
  if (missing.length > 0) yield* add('missing.csv', `number,reason\r\n${missing.join('')}`)
  zip.end()
  yield* made
}
