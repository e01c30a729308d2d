import { problem } from '../../errors.ts'
import type { Text } from '../language.ts'
import { type Delimiter, detectDelimiter, type FileRow, readCsv } from './csv.ts'
import { detectEncoding, type Encoding, toUtf8 } from './decode.ts'
import { MAX_COLUMNS, MAX_RECORD_BYTES, MAX_ROWS, MAX_TEXT_BYTES } from './limits.ts'
import { readXlsx } from './xlsx.ts'

type Table = {
  encoding: Encoding | 'xlsx'
  delimiter: Delimiter | null
  rows: AsyncIterable<FileRow>
}

/** Beginnings of files that are no text. */
const otherKinds: [kind: string, magic: number[]][] = [
  ['an Excel file of before 2007. Save it as .xlsx or .csv', [0xd0, 0xcf, 0x11, 0xe0]],
  ['a PDF', [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ['an image', [0x89, 0x50, 0x4e, 0x47]],
  ['an image', [0xff, 0xd8, 0xff]],
  ['a compressed file', [0x1f, 0x8b]],
]

/** Excel workbooks are ZIP files. */
const ZIP = [0x50, 0x4b, 0x03, 0x04]

const startsWith = (bytes: Buffer, magic: readonly number[]) => magic.every((byte, index) => bytes[index] === byte)

function openTable(bytes: Buffer, { fallback, chosen }: { fallback: Encoding; chosen: Encoding | undefined }): Table {
  const [kind] = otherKinds.find(([, magic]) => startsWith(bytes, magic)) ?? []
  if (kind) throw problem('file_type_refused', { detail: `This is ${kind}.` })
  if (startsWith(bytes, ZIP)) return { encoding: 'xlsx', delimiter: null, rows: readXlsx(bytes) }
  const detected = detectEncoding(bytes, fallback)
  const encoding = chosen ?? detected.encoding
  const text = toUtf8(bytes.subarray(detected.encoding === encoding ? detected.mark : 0), encoding)
  const { delimiter, start } = detectDelimiter(text)
  return { encoding, delimiter, rows: readCsv(text, { delimiter, start }) }
}

const tooManyCells: Text = {
  en: `A row may have up to ${MAX_COLUMNS} cells. The others are left out.`,
  tr: `Bir satırda en çok ${MAX_COLUMNS} hücre olabilir. Diğerleri alınmadı.`,
}
const nulInCell: Text = {
  en: 'A cell has a character that no text can have (NUL).',
  tr: 'Bir hücrede hiçbir metinde olamayacak bir karakter (NUL) var.',
}

/** A row with cells that can be stored. */
function storable({ line, cells, fault }: FileRow): FileRow {
  const kept = cells.slice(0, MAX_COLUMNS)
  const hasNul = kept.some((cell) => cell.includes('\0'))
  const found = fault ?? (cells.length > MAX_COLUMNS ? tooManyCells : hasNul ? nulInCell : undefined)
  return {
    line,
    cells: hasNul ? kept.map((cell) => cell.replaceAll('\0', '\ufffd')) : kept,
    ...(found && { fault: found }),
  }
}

/** Reads all rows of a file. `chosen`: the encoding that somebody chose. `fallback`: the one of a text that is not Unicode. */
export async function readFile(bytes: Buffer, how: { fallback: Encoding; chosen: Encoding | undefined }) {
  const { encoding, delimiter, rows } = openTable(bytes, how)
  const read: FileRow[] = []
  let total = 0
  for await (const row of rows) {
    if (read.length === 0 && row.cells.length > MAX_COLUMNS)
      throw problem('file_damaged', {
        detail: `The file has ${row.cells.length} columns. It may have up to ${MAX_COLUMNS}.`,
      })
    const bytes = row.cells.reduce((sum, cell) => sum + Buffer.byteLength(cell), 0)
    if (bytes > MAX_RECORD_BYTES)
      throw problem('file_too_large', { detail: `Row ${row.line} has more than ${MAX_RECORD_BYTES / 1024} KB.` })
    total += bytes
    if (total > MAX_TEXT_BYTES)
      throw problem('file_too_large', {
        detail: `The texts of a file may have up to ${MAX_TEXT_BYTES / 1024 / 1024} MB. Split it.`,
      })
    read.push(storable(row))
    // The first row may be the header.
    if (read.length > MAX_ROWS + 1)
      throw problem('file_too_large', { detail: `A file may have up to ${MAX_ROWS} rows. Split it.` })
  }
  const [first] = read
  if (!first) throw problem('file_damaged', { detail: 'The file has no rows.' })
  if (first.fault) throw problem('file_damaged', { detail: `Line ${first.line}: ${first.fault.en}` })
  return { encoding, delimiter, first: first.cells, rows: read }
}
