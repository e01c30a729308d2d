import { createHash } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { problem, refusedFields, toMessage } from '../../../errors.ts'
import { audit } from '../../../lib/db/audit.ts'
import { type Db, inTransaction } from '../../../lib/db/database.ts'
import type { SettlementLine as Row } from '../../../lib/db/database-types.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { User } from '../../../lib/http/access.ts'
import { Closed } from '../../../lib/http/schema/schema.ts'
import { toMajor } from '../../../lib/money.ts'
import { readFile } from '../../../lib/spreadsheet/read-file.ts'
import { fileReceiver, type ReceivedFile } from '../../../lib/spreadsheet/receive-file.ts'
import { quoted } from '../../../lib/text.ts'
import type { ProviderName, SettlementLine } from '../providers/provider.ts'
import { bookLines, lockLines } from './book-lines.ts'
import { changedLine, columnsOf, type LineFault, lineOf, repeatedReference } from './parse-lines.ts'
import { UploadReport } from './settlements.schema.ts'

/** Faults that are returned. */
const MAX_FAULTS = 50

const { file: _, ...properties } = UploadReport.properties

export const receiveReport = fileReceiver(Closed(properties))

type ReceivedReport = ReceivedFile<{ provider: ProviderName }>

type Numbered = { line: number; movement: SettlementLine }

/** Reads a report and compares it with what was imported before. Nothing is kept. */
export async function previewReport(deps: Deps, report: ReceivedReport) {
  const read = await readReport(deps, report)
  return summaryOf(report, await compareReport(deps.db, report, read))
}

/** Books each line of a report that was not booked before, or nothing: a report with a faulty line is refused. */
export async function importReport(deps: Deps, caller: User, report: ReceivedReport) {
  const { provider } = report.fields
  const sha256 = createHash('sha256').update(report.bytes).digest('hex')
  const read = await readReport(deps, report)
  return inTransaction(deps.db, async (tx) => {
    // No line is imported by somebody else between the comparison and the booking, so the summary says what was booked.
    await lockLines(tx, provider)
    const compared = await compareReport(tx, report, read)
    const { known, fresh, faults } = compared
    if (faults.length > 0)
      throw refusedFields(
        faults.slice(0, MAX_FAULTS).map(({ line, message: { en, tr } }) => ({
          pointer: '/file',
          code: 'invalid' as const,
          ...toMessage({ en: `Line ${line}: ${en}`, tr: `Satır ${line}: ${tr}` }),
        })),
      )
    const details = { provider, name: quoted(report.name, 150), sha256, lines: fresh.length, known }
    await audit(tx, caller, 'ledger.settlements_imported', null, details)
    // Reports begin with their first line or with their last one.
    const inTime = fresh
      .map(({ movement }) => movement)
      .toSorted((a, b) => Number(a.occurred_at) - Number(b.occurred_at))
    await bookLines(tx, provider, inTime.toReversed())
    return summaryOf(report, compared)
  })
}

async function readReport(deps: Deps, { bytes }: ReceivedReport) {
  const file = await readFile(bytes, { fallback: 'windows-1254', chosen: undefined })
  const { places, missing, repeated } = columnsOf(file.first)
  if (missing.length > 0)
    throw problem('file_damaged', {
      detail: `The first row must name the columns. Missing: ${missing.join(', ')}.`,
    })
  if (repeated.length > 0)
    throw problem('file_damaged', {
      detail: `The first row must name each column once. Repeated: ${repeated.join(', ')}.`,
    })
  const now = deps.clock.now()
  const lines: Numbered[] = []
  const faults: LineFault[] = []
  const references = new Set<string>()
  for (const { line, cells, fault } of file.rows.slice(1)) {
    const read = fault ?? lineOf(cells, places, now)
    if ('en' in read) faults.push({ line, message: read })
    else if (references.has(read.reference)) faults.push({ line, message: repeatedReference })
    else lines.push({ line, movement: read })
    if ('reference' in read) references.add(read.reference)
  }
  return { lines, faults }
}

/** Takes apart which lines of a report are new, and which were imported before. */
async function compareReport(
  db: Db,
  { fields: { provider } }: ReceivedReport,
  { lines, faults: unread }: { lines: readonly Numbered[]; faults: readonly LineFault[] },
) {
  const faults = [...unread]
  const references = lines.map(({ movement }) => movement.reference)
  const before = await importedBefore(db, provider, references)
  const fresh = lines.filter(({ movement }) => !before.has(movement.reference))
  for (const { line, movement } of lines) {
    const row = before.get(movement.reference)
    if (row && !isSame(row, movement)) faults.push({ line, message: changedLine })
  }
  faults.sort((a, b) => a.line - b.line)
  return { fresh, faults, known: lines.length - fresh.length }
}

async function importedBefore(db: Db, provider: ProviderName, references: readonly string[]) {
  if (references.length === 0) return new Map<string, Selectable<Row>>()
  const rows = await db
    .selectFrom('settlement_line')
    .selectAll()
    .where('provider', '=', provider)
    .where(sql<boolean>`reference = any(${references}::text[])`)
    .execute()
  return new Map(rows.map((row) => [row.reference, row]))
}

const isSame = (row: Selectable<Row>, line: SettlementLine) =>
  row.kind === line.kind &&
  row.provider_payment_id === line.provider_payment_id &&
  row.currency === line.currency &&
  BigInt(row.amount) === line.amount &&
  BigInt(row.fee) === line.fee &&
  row.occurred_at.getTime() === line.occurred_at.getTime()

/** Counts the new lines of a report, with sums by kind and currency. */
function summaryOf(
  { fields: { provider } }: ReceivedReport,
  { known, fresh, faults }: { known: number; fresh: readonly Numbered[]; faults: readonly LineFault[] },
) {
  const sums = new Map<
    string,
    { kind: SettlementLine['kind']; currency: string; count: number; amount: bigint; fee: bigint }
  >()
  for (const { movement } of fresh) {
    const { kind, currency, amount, fee } = movement
    const key = `${kind} ${currency}`
    const sum = sums.get(key) ?? { kind, currency, count: 0, amount: 0n, fee: 0n }
    sums.set(key, { ...sum, count: sum.count + 1, amount: sum.amount + amount, fee: sum.fee + fee })
  }
  return {
    provider,
    new_lines: fresh.length,
    known_lines: known,
    sums: [...sums.values()].map((sum) => ({
      ...sum,
      amount: toMajor(sum.amount, sum.currency),
      fee: toMajor(sum.fee, sum.currency),
    })),
    fault_count: faults.length,
    faults: faults.slice(0, MAX_FAULTS).map(({ line, message }) => ({ line, ...toMessage(message) })),
  }
}
