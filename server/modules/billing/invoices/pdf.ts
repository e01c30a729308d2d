import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { InvoiceDocument } from './document.ts'

type Pdf = PDFKit.PDFDocument

/** Points of an A4 page: 72 are an inch. */
const PAGE = { width: 595.28, height: 841.89, margin: 56 }
const LEFT = PAGE.margin
const RIGHT = PAGE.width - PAGE.margin
const WIDTH = RIGHT - LEFT
/** Leaves space for the footer. */
const BOTTOM = PAGE.height - PAGE.margin - 16
/** Left edge and width of each column of the table. */
const COLUMNS = {
  item: { x: LEFT, width: WIDTH - 190 },
  vat: { x: RIGHT - 180, width: 85 },
  amount: { x: RIGHT - 90, width: 90 },
}
const INK = '#1a1b1e'
const MUTED = '#495057'
const RULE = '#dee2e6'

let loading: ReturnType<typeof load> | undefined

/** Inter has the letters of all languages in Latin script, and the sign of the lira. */
async function load() {
  const font = (path: string) => readFile(fileURLToPath(import.meta.resolve(`@expo-google-fonts/inter/${path}`)))
  const [{ default: PDFDocument }, regular, bold] = await Promise.all([
    import('pdfkit'),
    font('400Regular/Inter_400Regular.ttf'),
    font('600SemiBold/Inter_600SemiBold.ttf'),
  ])
  return { PDFDocument, regular, bold }
}

/** The same document always gives the same bytes. */
export async function toPdf(shown: InvoiceDocument): Promise<Buffer> {
  loading ??= load().catch((error) => {
    loading = undefined
    throw error
  })
  const { PDFDocument, regular, bold } = await loading
  const pdf = new PDFDocument({
    size: 'A4',
    margin: PAGE.margin,
    bufferPages: true,
    // The default font is not embedded, and has no Turkish letters.
    font: '',
    lang: shown.language,
    displayTitle: true,
    info: {
      Title: `${shown.title} ${shown.number}`,
      CreationDate: shown.issued_at,
      Producer: 'Meydan',
      Creator: 'Meydan',
    },
  })
  pdf.registerFont('regular', regular).registerFont('bold', bold)
  const chunks: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise((resolve, reject) => pdf.on('end', resolve).on('error', reject))
  draw(pdf, shown)
  pdf.end()
  await ended
  return Buffer.concat(chunks)
}

type Style = { size?: number; bold?: boolean; color?: string; align?: 'left' | 'right' }

/** Writes text at a place, wrapped to its width. Returns its height. */
function write(pdf: Pdf, text: string, at: { x: number; y: number; width: number }, style: Style = {}) {
  const { size = 10, bold = false, color = INK, align = 'left' } = style
  const options: PDFKit.Mixins.TextOptions = { width: at.width, align }
  pdf.font(bold ? 'bold' : 'regular', size).fillColor(color)
  const height = pdf.heightOfString(text, options)
  pdf.text(text, at.x, at.y, options)
  return height
}

const rule = (pdf: Pdf, y: number) => pdf.moveTo(LEFT, y).lineTo(RIGHT, y).lineWidth(0.5).strokeColor(RULE).stroke()

function draw(pdf: Pdf, shown: InvoiceDocument) {
  let y = drawHead(pdf, shown)
  y = drawTableHead(pdf, shown, y)
  for (const line of shown.lines) {
    const height = heightOfLine(pdf, line.item)
    if (y + height > BOTTOM) y = drawTableHead(pdf, shown, nextPage(pdf))
    write(pdf, line.item, { ...COLUMNS.item, y })
    write(pdf, line.vat, { ...COLUMNS.vat, y }, { align: 'right' })
    write(pdf, line.amount, { ...COLUMNS.amount, y }, { align: 'right' })
    y += height
    rule(pdf, y - 6)
  }
  drawEnd(pdf, shown, y)
  drawFooters(pdf, shown)
}

function nextPage(pdf: Pdf) {
  pdf.addPage()
  return PAGE.margin
}

function heightOfLine(pdf: Pdf, item: string) {
  pdf.font('regular', 10)
  return pdf.heightOfString(item, { width: COLUMNS.item.width }) + 13
}

/** Title, facts and parties. Returns where the table begins. */
function drawHead(pdf: Pdf, { title, status, facts, parties }: InvoiceDocument) {
  let y = PAGE.margin
  if (status) write(pdf, status, { x: LEFT, y: y + 8, width: WIDTH }, { bold: true, align: 'right', size: 12 })
  y += write(pdf, title, { x: LEFT, y, width: WIDTH - 120 }, { bold: true, size: 22 }) + 18
  for (const { label, value } of facts) {
    const label_height = write(pdf, label, { x: LEFT, y, width: 130 }, { color: MUTED })
    y += Math.max(label_height, write(pdf, value, { x: LEFT + 140, y, width: WIDTH - 140 })) + 4
  }
  y += 20
  const width = WIDTH / 2 - 12
  const ends = parties.map(({ label, lines }, index) => {
    const x = LEFT + index * (WIDTH / 2 + 12)
    let below = y + write(pdf, label, { x, y, width }, { color: MUTED, size: 9 }) + 3
    for (const [at, line] of lines.entries()) below += write(pdf, line, { x, y: below, width }, { bold: at === 0 }) + 2
    return below
  })
  return Math.max(...ends) + 26
}

/** Names of the columns, on each page. Returns where the lines begin. */
function drawTableHead(pdf: Pdf, { columns }: InvoiceDocument, y: number) {
  const style: Style = { color: MUTED, size: 9 }
  write(pdf, columns.item, { ...COLUMNS.item, y }, style)
  write(pdf, columns.vat, { ...COLUMNS.vat, y }, { ...style, align: 'right' })
  write(pdf, columns.amount, { ...COLUMNS.amount, y }, { ...style, align: 'right' })
  rule(pdf, y + 16)
  return y + 23
}

/** Totals and note, on one page. */
function drawEnd(pdf: Pdf, { totals, note }: InvoiceDocument, from: number) {
  const height = totals.length * 18 + 80
  let y = (from + height > BOTTOM ? nextPage(pdf) : from) + 8
  for (const [index, { label, value }] of totals.entries()) {
    const bold = index === totals.length - 1
    const style: Style = { bold, align: 'right', size: bold ? 12 : 10 }
    write(pdf, label, { x: LEFT, y, width: WIDTH - 110 }, style)
    write(pdf, value, { x: RIGHT - 100, y, width: 100 }, style)
    y += 18
  }
  write(pdf, note, { x: LEFT, y: y + 24, width: WIDTH }, { color: MUTED, size: 9 })
}

function drawFooters(pdf: Pdf, { number, page }: InvoiceDocument) {
  const { count } = pdf.bufferedPageRange()
  for (let index = 0; index < count; index++) {
    pdf.switchToPage(index)
    // Inside the margin, where text would begin another page.
    pdf.page.margins.bottom = 0
    const y = PAGE.height - PAGE.margin
    write(pdf, number, { x: LEFT, y, width: WIDTH }, { color: MUTED, size: 8 })
    write(pdf, page(index + 1, count), { x: LEFT, y, width: WIDTH }, { color: MUTED, size: 8, align: 'right' })
  }
}
