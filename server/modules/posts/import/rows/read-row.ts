import { isId } from '../../../../lib/http/schema/schema.ts'
import { distinctLabels, quoted } from '../../../../lib/text.ts'
import { networkNamed, plainName } from '../file/columns.ts'
import { cellOf, cellsOf, type Reading, type Row, report } from './row.ts'
import { type RowProblem, SHOWN } from './row-problems.ts'
import { timeOf } from './row-time.ts'

export const importStatuses = ['draft', 'scheduled', 'review', 'idea'] as const
type ImportStatus = (typeof importStatuses)[number]

/** The post that a row becomes. */
export type ImportedPost = {
  content: string
  account_ids: string[]
  scheduled_at: string | null
  first_comment: string | null
  labels: string[]
  media_ids: string[]
  /** Files that are fetched when the import is confirmed. */
  media_urls: { url: string; alt: string | null }[]
  /** Status that the row asks for. Null: the one of the confirmation. */
  status: ImportStatus | null
}

/** Words for yes, and the marks with which tables choose an account. */
const yes = [...'1x', 'yes', 'true', 'evet', 'dogru']
const no = ['no', 'false', '0', 'hayir', 'yanlis']
const statuses: Record<ImportStatus, readonly string[]> = {
  draft: ['draft', 'taslak', ...yes],
  scheduled: ['scheduled', 'schedule', 'planned', 'planlandi', 'planlanmis', 'zamanlandi', ...no],
  review: ['review', 'inreview', 'pending', 'pendingapproval', 'onay', 'onayda', 'onaybekliyor', 'inceleme'],
  idea: ['idea', 'fikir'],
}

/** Lines of a cell from which it is likely that a quotation mark was closed too late. */
const LONG_CELL_LINES = 20
const MAX_URL = 2000

/** Reads the cells of a row. The post is checked later, by the rules of all posts. */
export function readRow(cells: readonly string[], reading: Reading): { post: ImportedPost; problems: RowProblem[] } {
  const row: Row = { ...reading, cells, problems: [] }
  reportShape(row)
  const status = statusOf(row)
  const content = contentOf(row)
  const time = timeOf(row)?.toISOString() ?? null
  const files = filesOf(row)
  const isEmpty = !content && files.media_ids.length + files.media_urls.length === 0
  if (status === 'idea') reportIdea(row, { isEmpty, time })
  const post: ImportedPost = {
    content,
    account_ids: accountsOf(row),
    scheduled_at: status === 'idea' ? null : time,
    first_comment: cellOf(row, 'first_comment') || null,
    labels: distinctLabels(listIn(row, 'labels')),
    ...files,
    status,
  }
  return { post, problems: row.problems }
}

/** Reports cells that a wrong separator or quotation mark has split or joined. */
function reportShape(row: Row) {
  const { cells, fields } = row
  if (cells.length > fields.length && cells.slice(fields.length).some((cell) => cell.trim()))
    report(row, {
      ...{ field: 'text', code: 'too_long', value: cells.slice(fields.length).join(' ') },
      text: {
        en: `This row has ${cells.length} cells, the table ${fields.length} columns. Put texts with the separator between quotation marks.`,
        tr: `Bu satırda ${cells.length} hücre, tabloda ${fields.length} sütun var. Ayırıcı içeren metinleri tırnak içine alın.`,
      },
    })
  const long = cells.find((cell) => cell.split('\n', LONG_CELL_LINES + 1).length > LONG_CELL_LINES)
  if (long !== undefined)
    report(row, {
      ...{ field: 'text', code: 'long_cell', severity: 'warning', value: long },
      text: {
        en: `A cell has more than ${LONG_CELL_LINES} lines. A quotation mark may be closed too late.`,
        tr: `Bir hücrede ${LONG_CELL_LINES} satırdan fazla var. Bir tırnak işareti geç kapanmış olabilir.`,
      },
    })
}

/** Reports an idea without a text or file, and the time that an idea does not keep. */
function reportIdea(row: Row, { isEmpty, time }: { isEmpty: boolean; time: string | null }) {
  if (isEmpty)
    report(row, {
      ...{ field: 'text', code: 'required' },
      text: { en: 'Write the text of the idea.', tr: 'Fikrin metnini yazın.' },
    })
  if (time !== null)
    report(row, {
      ...{ field: 'date', code: 'idea_without_time', severity: 'warning', value: cellOf(row, 'date') },
      text: {
        en: 'Ideas have no time, so this one is left out. Write draft or scheduled to keep it.',
        tr: 'Fikirlerin zamanı yoktur; bu zaman alınmaz. Kalması için taslak ya da planlandı yazın.',
      },
    })
}

function contentOf(row: Row) {
  const text = cellOf(row, 'text')
  const links = cellsOf(row, 'link')
    .flatMap((cell) => cell.trim().split(/\s+/))
    .filter((link) => !text.includes(link))
  return [text, ...links].filter(Boolean).join(text.includes('\n') ? '\n\n' : ' ')
}

/** The entries of cells that list several. */
const listIn = (row: Row, field: 'accounts' | 'labels') =>
  cellsOf(row, field)
    .flatMap((cell) => cell.split(/[,;\n]/))
    .map((entry) => entry.trim())
    .filter(Boolean)

/** The accounts that a row names, or those that are chosen for the whole file. */
function accountsOf(row: Row) {
  const marked = row.fields.flatMap((field, index) =>
    field === 'network' && yes.includes(plainName(row.cells[index] ?? '')) ? [row.columns[index] ?? ''] : [],
  )
  const listed = [...listIn(row, 'accounts'), ...marked]
  if (listed.length === 0) return [...row.account_ids]
  const ids = listed.flatMap((name) => {
    const found = row.accounts.find(name)
    if (typeof found === 'object') return [found.id]
    const shown = quoted(name, SHOWN)
    report(row, {
      field: marked.includes(name) ? 'network' : 'accounts',
      code: found === 'several' ? 'ambiguous_account' : 'unknown_account',
      value: name,
      text:
        found === 'several'
          ? {
              en: `Several accounts are called ${shown}. Choose one for the whole file, or write its handle.`,
              tr: `${shown} adında birden çok hesap var. Tüm dosya için birini seçin ya da kullanıcı adını yazın.`,
            }
          : networkNamed(name)
            ? { en: `No account of ${shown} is connected.`, tr: `Bağlı bir ${shown} hesabı yok.` }
            : { en: `No account is called ${shown}.`, tr: `${shown} adında bir hesap yok.` },
    })
    return []
  })
  return [...new Set(ids)]
}

function statusOf(row: Row): ImportStatus | null {
  const cell = cellOf(row, 'status')
  if (!cell) return null
  const plain = plainName(cell)
  const found = importStatuses.find((status) => statuses[status].includes(plain))
  if (!found)
    report(row, {
      ...{ field: 'status', code: 'invalid', value: cell, suggestion: 'scheduled' },
      text: {
        en: 'Write draft, scheduled, review or idea.',
        tr: 'Taslak, planlandı, onay ya da fikir yazın.',
      },
    })
  return found ?? null
}

/** The files of the workspace and the addresses that a row lists. */
function filesOf(row: Row) {
  const files = cellsOf(row, 'media').flatMap(filesIn)
  const alts = cellsOf(row, 'alt').flatMap((cell) => cell.split(/\s*[|\n]\s*/))
  return {
    media_ids: [...new Set(files.filter(isId).map((id) => id.toLowerCase()))],
    media_urls: files.flatMap((url, index) =>
      isId(url) || !isUrl(row, url) ? [] : [{ url, alt: alts[index]?.trim() || null }],
    ),
  }
}

/** The files that a cell lists: between spaces, line breaks, `|` or `;`, or between commas before another address. */
const filesIn = (cell: string) =>
  cell
    .split(/[\s|;]+|,(?=\s*(?:https?:|[0-9a-f]{8}-))/i)
    .map((file) => file.trim())
    .filter(Boolean)

function isUrl(row: Row, file: string) {
  const isAddress = file.length <= MAX_URL && /^https?:\/\/\S+$/i.test(file) && URL.canParse(file)
  if (!isAddress)
    report(row, {
      ...{ field: 'media', code: 'invalid', value: file },
      text: {
        en: 'This is neither an address that begins with https:// nor the id of a file.',
        tr: 'Bu ne https:// ile başlayan bir adres ne de bir dosyanın kimliği.',
      },
    })
  return isAddress
}
