import { strToU8, Zip, ZipDeflate } from 'fflate'
import type { Static } from 'typebox'
import { csvText } from '../../../lib/csv.ts'
import type { Db } from '../../../lib/db/database.ts'
import type { UblExportQuery } from './invoices.schema.ts'
import { invoicesByNumber } from './list-invoices.ts'
import { toUbl, ublNumber, ublRefusal } from './ubl.ts'

/** The paid invoices and the credit notes of a span as UBL documents in a ZIP file, which is made while it is sent. */
export async function* exportUbl(db: Db, { profile, usd_rate, ...span }: Static<typeof UblExportQuery>) {
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
      else yield* add(`${ublNumber(row)}.xml`, toUbl(row, options))
    }
  if (missing.length > 0) yield* add('missing.csv', `number,reason\r\n${missing.join('')}`)
  zip.end()
  yield* made
}
