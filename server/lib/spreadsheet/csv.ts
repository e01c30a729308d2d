import { setImmediate } from 'node:timers/promises'
import { problem } from '../../errors.ts'
import type { Text } from '../language.ts'
import { MAX_RECORD_BYTES } from './limits.ts'

/** A row of a file, with the line at which it begins. `fault`: why its cells cannot be separated. */
export type FileRow = { line: number; cells: string[]; fault?: Text }

const delimiters = [',', ';', '\t', '|'] as const
export type Delimiter = (typeof delimiters)[number]

const LF = 10
const CR = 13
/** Part of a file that shows its delimiter. */
const SAMPLE = 256 * 1024
const SAMPLED_ROWS = 50
/** Bytes that are parsed before other requests have a turn. */
const CHUNK = 64 * 1024
/** Rows whose quotes do not match, after which a file is refused. Each of them costs reading the same bytes again. */
const MAX_FAULTS = 20
/** Characters of such a row that are shown. */
const SHOWN = 2000

const unmatchedQuote: Text = {
  en: 'The quotation marks of this row do not match. Put texts that contain one between quotation marks, and double those inside.',
  tr: 'Bu satırın tırnak işaretleri eşleşmiyor. Tırnak içeren metni tırnak içine alın ve içindeki tırnakları ikileyin.',
}
const tooLargeRow: Text = {
  en: `A row may have up to ${MAX_RECORD_BYTES / 1024} KB. A quotation mark may never be closed.`,
  tr: `Bir satır en çok ${MAX_RECORD_BYTES / 1024} KB olabilir. Kapanmayan bir tırnak işareti olabilir.`,
}

/** Counts of each delimiter outside of quotation marks, in each of the first rows. */
function countDelimiters(sample: string) {
  const rows: number[][] = []
  let row = delimiters.map(() => 0)
  let isQuoted = false
  for (const character of sample) {
    if (character === '"') isQuoted = !isQuoted
    if (isQuoted) continue
    const index = (delimiters as readonly string[]).indexOf(character)
    if (index >= 0) row[index] = (row[index] ?? 0) + 1
    if (character !== '\n' && character !== '\r') continue
    if (rows.push(row) === SAMPLED_ROWS) return rows
    row = delimiters.map(() => 0)
  }
  return [...rows, row]
}

/** The delimiter that most rows have equally often, or else the first row has most. */
export function detectDelimiter(text: Buffer): { delimiter: Delimiter; start: number } {
  const sample = text.subarray(0, SAMPLE).toString()
  // A line that names the delimiter for Excel.
  const [line, mark] = /^sep=([,;\t|])(?:\r\n|\r|\n)/i.exec(sample) ?? []
  const named = delimiters.find((delimiter) => delimiter === mark)
  if (line && named) return { delimiter: named, start: line.length }
  const rows = countDelimiters(sample).filter((row) => row.some((count) => count > 0))
  const scores = delimiters.map((delimiter, index) => {
    const counts = rows.map((row) => row[index] ?? 0).filter((count) => count > 0)
    const same = Math.max(0, ...counts.map((count) => counts.filter((other) => other === count).length))
    return { delimiter, same, first: rows[0]?.[index] ?? 0 }
  })
  const [best] = scores.toSorted((a, b) => b.same - a.same || b.first - a.first)
  return { delimiter: best && best.same > 0 ? best.delimiter : ',', start: 0 }
}

/** Counts the lines that end in a part of a text. */
function countLines(text: Buffer, from: number, to: number) {
  let count = 0
  for (let at = from; at < to; at++) if (text[at] === LF || (text[at] === CR && text[at + 1] !== LF)) count++
  return count
}

const skipBreaks = (text: Buffer, from: number) => {
  let at = from
  while (text[at] === LF || text[at] === CR) at++
  return at
}

function endOfLine(text: Buffer, from: number) {
  let at = from
  while (at < text.length && text[at] !== LF && text[at] !== CR) at++
  return at
}

type Parsed = { cells: string[]; end: number }

/** Parses from `start` to the end, or to the first row whose quotation marks do not match. */
async function* parseFrom(
  text: Buffer,
  start: number,
  delimiter: Delimiter,
): AsyncGenerator<Parsed, string | undefined> {
  const { parse } = await import('csv-parse')
  const found: Parsed[] = []
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_RECORD_BYTES,
    on_record: (cells: string[], { bytes }) => {
      found.push({ cells, end: start + bytes })
      return null
    },
  })
  // Each write also gets its error.
  parser.on('error', () => undefined)
  parser.resume()
  const settled = (act: (done: (error?: Error | null) => void) => void) =>
    new Promise<string | undefined>((resolve) =>
      act((error) => resolve(error ? ((error as { code?: string }).code ?? 'unknown') : undefined)),
    )
  try {
    for (let at = start; at < text.length; at += CHUNK) {
      const code = await settled((done) => parser.write(text.subarray(at, at + CHUNK), done))
      yield* found.splice(0)
      if (code) return code
      await setImmediate()
    }
    const code = await settled((done) => {
      parser.once('error', done)
      parser.once('end', () => done())
      parser.end()
    })
    yield* found.splice(0)
    return code
  } finally {
    parser.destroy()
  }
}

/**
 * Reads the rows of a text in UTF-8. A row whose quotation marks do not match is one with a fault, and reading goes on
 * with the next line.
 */
export async function* readCsv(
  text: Buffer,
  { delimiter, start }: { delimiter: Delimiter; start: number },
): AsyncGenerator<FileRow> {
  let at = start
  let line = 1 + countLines(text, 0, start)
  const moveTo = (to: number) => {
    line += countLines(text, at, to)
    at = to
  }
  for (let faults = 0; ; ) {
    moveTo(skipBreaks(text, at))
    const rows = parseFrom(text, at, delimiter)
    let next = await rows.next()
    for (; !next.done; next = await rows.next()) {
      moveTo(skipBreaks(text, at))
      const { cells, end } = next.value
      if (cells.some((cell) => cell.trim() !== '')) yield { line, cells }
      moveTo(end)
    }
    const code = next.value
    if (code === undefined) return
    moveTo(skipBreaks(text, at))
    const end = endOfLine(text, at)
    const fault = code === 'CSV_MAX_RECORD_SIZE' ? tooLargeRow : unmatchedQuote
    if (++faults > MAX_FAULTS)
      throw problem('file_damaged', {
        detail: `More than ${MAX_FAULTS} rows have quotation marks that do not match; the last one begins in line ${line}.`,
      })
    yield { line, cells: [text.subarray(at, end).toString().slice(0, SHOWN).toWellFormed()], fault }
    if (end >= text.length) return
    moveTo(end)
  }
}
