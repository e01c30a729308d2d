import { setImmediate } from 'node:timers/promises'
import { Unzip, UnzipInflate } from 'fflate'
import { Parser } from 'htmlparser2'
import { problem } from '../../errors.ts'
import type { FileRow } from './csv.ts'
import { MAX_COLUMNS, MAX_ROWS } from './limits.ts'

/** Bytes that the parts of a workbook may have when they are inflated: a file of a few KB can claim gigabytes. */
const MAX_INFLATED = 64 * 1024 * 1024
/** Bytes that are inflated before they are counted. Each can become a thousand. */
const CHUNK = 4 * 1024
/** Characters that are parsed before other requests have a turn. */
const PARSED = 256 * 1024
const DAY_MS = 86_400_000
/** 30 December 1899, from which Excel counts days. */
const EPOCH = Date.UTC(1899, 11, 30)
/** Days by which workbooks of old Macs are off. */
const SHIFT_1904 = 1462

const damaged = (detail: string, cause?: unknown) => problem('file_damaged', { detail, cause })
const noWorkbook = (cause?: unknown) => damaged('This is not a spreadsheet that can be read. Save it as .csv.', cause)

/** Inflates the parts of a workbook whose names are wanted. */
async function inflate(bytes: Buffer, wants: (name: string) => boolean) {
  const parts = new Map<string, Buffer[]>()
  let inflated = 0
  let failure: unknown
  const unzip = new Unzip((file) => {
    if (!wants(file.name) || parts.has(file.name)) return
    const chunks: Buffer[] = []
    parts.set(file.name, chunks)
    file.ondata = (error, chunk) => {
      inflated += chunk?.length ?? 0
      if (error) failure ??= noWorkbook(error)
      else if (inflated > MAX_INFLATED) failure ??= damaged('The spreadsheet is too large when it is unpacked.')
      else chunks.push(Buffer.from(chunk))
    }
    file.start()
  })
  unzip.register(UnzipInflate)
  try {
    for (let at = 0; at < bytes.length && !failure; at += CHUNK) {
      unzip.push(bytes.subarray(at, at + CHUNK), at + CHUNK >= bytes.length)
      if (at % (64 * CHUNK) === 0) await setImmediate()
    }
  } catch (error) {
    failure ??= noWorkbook(error)
  }
  if (failure) throw failure
  return new Map([...parts].map(([name, chunks]) => [name, Buffer.concat(chunks).toString()]))
}

type Handlers = {
  open: (name: string, attributes: Record<string, string>) => void
  text?: (text: string) => void
  close?: (name: string) => void
}

/** Parses XML without its prefixes. Entities of a document type are not expanded. */
async function parseXml(xml: string, { open, text, close }: Handlers) {
  const plain = (name: string) => name.slice(name.indexOf(':') + 1)
  const parser = new Parser(
    {
      onopentag: (name, attributes) => open(plain(name), attributes),
      ...(text && { ontext: text }),
      ...(close && { onclosetag: (name: string) => close(plain(name)) }),
    },
    { xmlMode: true, decodeEntities: true },
  )
  for (let at = 0; at < xml.length; at += PARSED) {
    parser.write(xml.slice(at, at + PARSED))
    await setImmediate()
  }
  parser.end()
}

/** The path of the first sheet, and whether its days are counted from 1904. */
async function readWorkbook(parts: ReadonlyMap<string, string>) {
  let first: string | undefined
  let is1904 = false
  await parseXml(parts.get('xl/workbook.xml') ?? '', {
    open: (name, attributes) => {
      if (name === 'workbookPr') is1904 = ['1', 'true'].includes(attributes.date1904 ?? '')
      if (name === 'sheet') first ??= attributes['r:id'] ?? ''
    },
  })
  let target: string | undefined
  await parseXml(parts.get('xl/_rels/workbook.xml.rels') ?? '', {
    open: (name, { Id, Target }) => {
      if (name === 'Relationship' && Id === first) target = Target
    },
  })
  const path = target?.startsWith('/') ? target.slice(1) : `xl/${target ?? 'worksheets/sheet1.xml'}`
  return { path, is1904 }
}

async function readSharedStrings(xml: string) {
  const texts: string[] = []
  let isText = false
  await parseXml(xml, {
    open: (name) => {
      if (name === 'si') texts.push('')
      isText = name === 't'
    },
    text: (text) => {
      if (isText) texts[texts.length - 1] += text
    },
    close: () => {
      isText = false
    },
  })
  return texts
}

/** Formats of dates and times that every workbook has. */
const isBuiltInDate = (id: number) => (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 58)
const isDateCode = (code: string) => /[ymdhs]/i.test(code.replace(/"[^"]*"|\[[^\]]*\]|\\./g, ''))

/** Whether each style of a workbook shows a number as a date. */
async function readDateStyles(xml: string) {
  const dates = new Set<number>()
  const styles: boolean[] = []
  let isInCells = false
  await parseXml(xml, {
    open: (name, { numFmtId, formatCode }) => {
      if (name === 'numFmt' && isDateCode(formatCode ?? '')) dates.add(Number(numFmtId))
      if (name === 'cellXfs') isInCells = true
      if (name === 'xf' && isInCells) styles.push(isBuiltInDate(Number(numFmtId)) || dates.has(Number(numFmtId)))
    },
    close: (name) => {
      if (name === 'cellXfs') isInCells = false
    },
  })
  return styles
}

/** A number that a cell shows as a date, as text. */
function dateText(value: string, is1904: boolean) {
  const days = Number(value)
  if (!Number.isFinite(days) || days < 0 || days > 100_000) return value
  const time = new Date(EPOCH + Math.round(((days + (is1904 ? SHIFT_1904 : 0)) * DAY_MS) / 1000) * 1000)
  const [date = '', clock = ''] = time.toISOString().slice(0, 19).split('T')
  if (days < 1) return clock
  return Number.isInteger(days) ? date : `${date} ${clock}`
}

/** Rows that Excel has. */
const LAST_ROW = 1_048_576

/** The number of a row. One without a number that Excel would write follows the former. */
function lineOf(number: string | undefined, former: number) {
  const line = Number(number)
  return Number.isInteger(line) && line > 0 && line <= LAST_ROW ? line : former + 1
}

/** A number as Excel shows it: it stores 4.35 as 4.3499999999999996. */
const numberText = (text: string) => (/^-?\d*\.\d{10,}(?:E[+-]?\d{1,3})?$/i.test(text) ? shortest(text) : text)
const shortest = (text: string) => String(Number(Number(text).toPrecision(15)))

/** The index of a column, such as 27 of `AB12`. */
const columnOf = (reference: string) =>
  [...(/^[A-Z]{1,3}/.exec(reference)?.[0] ?? '')].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1

type Sheet = { strings: readonly string[]; dates: readonly boolean[]; is1904: boolean }

async function readSheet(xml: string, { strings, dates, is1904 }: Sheet) {
  const rows: FileRow[] = []
  let row: FileRow | undefined
  let cell = { column: 0, type: '', style: 0, text: '' }
  let isValue = false
  const shownValue = () => {
    if (cell.type === 's') return strings[Number(cell.text)] ?? ''
    if (cell.type === 'b') return cell.text === '1' ? 'TRUE' : 'FALSE'
    if (cell.type !== '') return cell.text
    return dates[cell.style] ? dateText(cell.text, is1904) : numberText(cell.text)
  }
  await parseXml(xml, {
    open: (name, { r, t, s }) => {
      if (name === 'row') row = { line: lineOf(r, rows.at(-1)?.line ?? 0), cells: [] }
      if (name === 'c') {
        const column = r === undefined ? (row?.cells.length ?? 0) : columnOf(r)
        cell = { column, type: t === 'n' ? '' : (t ?? ''), style: Number(s ?? 0), text: '' }
        if (column >= MAX_COLUMNS) throw damaged(`The spreadsheet has more than ${MAX_COLUMNS} columns.`)
      }
      isValue = name === 'v' || name === 't'
    },
    text: (text) => {
      if (isValue) cell.text += text
    },
    close: (name) => {
      isValue = false
      if (name === 'c' && row) {
        while (row.cells.length < cell.column) row.cells.push('')
        row.cells[cell.column] = shownValue()
      }
      if (name !== 'row' || !row) return
      if (row.cells.some((text) => text.trim() !== '')) rows.push(row)
      if (rows.length > MAX_ROWS + 1)
        throw problem('file_too_large', { detail: `A file may have up to ${MAX_ROWS} rows. Split it.` })
      row = undefined
    },
  })
  return rows
}

const shared = ['xl/workbook.xml', 'xl/_rels/workbook.xml.rels', 'xl/sharedStrings.xml', 'xl/styles.xml']

/** Reads the rows of the first sheet of an Excel workbook. Formulas have the value that was last calculated. */
export async function* readXlsx(bytes: Buffer): AsyncGenerator<FileRow> {
  const parts = await inflate(bytes, (name) => shared.includes(name))
  if (!parts.has('xl/workbook.xml')) throw noWorkbook()
  const { path, is1904 } = await readWorkbook(parts)
  const strings = await readSharedStrings(parts.get('xl/sharedStrings.xml') ?? '')
  const dates = await readDateStyles(parts.get('xl/styles.xml') ?? '')
  const sheet = (await inflate(bytes, (name) => name === path)).get(path)
  if (sheet === undefined) throw noWorkbook()
  yield* await readSheet(sheet, { strings, dates, is1904 })
}
