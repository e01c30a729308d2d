import { HOUR, MINUTE } from '../../../../../shared/time.ts'
import { isId } from '../../../../lib/http/schema/schema.ts'
import { distinctLabels } from '../../../../lib/text.ts'
import { type Clock, clockOf, firstInstant } from '../../../../lib/wall-clock.ts'
import { isTimeZone } from '../../../auth/locale.ts'
import { networkNamed, plainName } from '../file/columns.ts'
import {
  type DateOrder,
  parseDate,
  parseSerial,
  parseTime,
  splitDate,
  type WallDate,
  type WallTime,
} from '../file/dates.ts'
import type { AccountNames } from './account-names.ts'
import { type Columns, type RowProblem, rowProblem } from './row-problems.ts'

export const importStatuses = ['draft', 'scheduled', 'review'] as const
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

/** Rules for reading the cells of an import. */
export type Reading = {
  fields: Columns
  columns: readonly string[]
  date_order: DateOrder | null
  /** Years of two digits are of this century. */
  shortYears: boolean
  timezone: string
  account_ids: readonly string[]
  accounts: AccountNames
  clocks: Map<string, Clock | null>
}

/** A cross is one too. */
const yes = [...'1x', 'yes', 'true', 'evet', 'dogru']
const no = ['no', 'false', '0', 'hayir', 'yanlis']
const statuses: Record<ImportStatus, readonly string[]> = {
  draft: ['draft', 'taslak', ...yes],
  scheduled: ['scheduled', 'schedule', 'planned', 'planlandi', 'planlanmis', 'zamanlandi', ...no],
  review: ['review', 'inreview', 'pending', 'pendingapproval', 'onay', 'onayda', 'onaybekliyor', 'inceleme'],
}

/** Lines of a cell from which it is likely that a quotation mark was closed too late. */
const LONG_CELL_LINES = 20
const MAX_URL = 2000

const offsetMinutes = (offset: string) => {
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number)
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}

function clockOfZone(clocks: Reading['clocks'], timezone: string) {
  const known = clocks.get(timezone)
  if (known !== undefined) return known
  const clock = isTimeZone(timezone) ? clockOf(timezone) : null
  clocks.set(timezone, clock)
  return clock
}

/** The instant at which the clocks of a zone show a time. */
function instantOf(clock: Clock, wall: number) {
  const instant = firstInstant(clock, wall)
  const isSkipped = clock(instant) !== wall
  const isTwice = !isSkipped && [HOUR, HOUR / 2].some((later) => clock(instant + later) === wall)
  return { instant, change: isSkipped ? ('time_skipped' as const) : isTwice ? ('time_repeated' as const) : null }
}

/** Reads the cells of a row. The post is checked later, by the rules of all posts. */
export function readRow(cells: readonly string[], reading: Reading): { post: ImportedPost; problems: RowProblem[] } {
  const { fields, columns } = reading
  const problems: RowProblem[] = []
  const report = (found: Parameters<typeof rowProblem>[1]) => problems.push(rowProblem(fields, found))
  const all = (field: Columns[number]) =>
    fields.flatMap((one, index) => (one === field && cells[index]?.trim() ? [cells[index]] : []))
  const one = (field: Columns[number]) => all(field)[0]?.trim() ?? ''

  if (cells.length > fields.length && cells.slice(fields.length).some((cell) => cell.trim()))
    report({
      ...{ field: 'text', code: 'too_long', value: cells.slice(fields.length).join(' ') },
      text: {
        en: `This row has ${cells.length} cells, the table ${fields.length} columns. Put texts with the separator between quotation marks.`,
        tr: `Bu satırda ${cells.length} hücre, tabloda ${fields.length} sütun var. Ayırıcı içeren metinleri tırnak içine alın.`,
      },
    })
  const long = cells.find((cell) => cell.split('\n', LONG_CELL_LINES + 1).length > LONG_CELL_LINES)
  if (long !== undefined)
    report({
      ...{ field: 'text', code: 'long_cell', severity: 'warning', value: long },
      text: {
        en: `A cell has more than ${LONG_CELL_LINES} lines. A quotation mark may be closed too late.`,
        tr: `Bir hücrede ${LONG_CELL_LINES} satırdan fazla var. Bir tırnak işareti geç kapanmış olabilir.`,
      },
    })

  const text = one('text')
  const links = all('link')
    .flatMap((cell) => cell.trim().split(/\s+/))
    .filter((link) => !text.includes(link))
  const media = all('media').flatMap(filesIn)
  const alts = all('alt').flatMap((cell) => cell.split(/\s*[|\n]\s*/))
  const post: ImportedPost = {
    content: [text, ...links].filter(Boolean).join(text.includes('\n') ? '\n\n' : ' '),
    account_ids: accountsIn(),
    scheduled_at: timeIn()?.toISOString() ?? null,
    first_comment: one('first_comment') || null,
    labels: distinctLabels(
      all('labels')
        .flatMap((cell) => cell.split(/[,;\n]/))
        .map((label) => label.trim())
        .filter(Boolean),
    ),
    media_ids: [...new Set(media.filter(isId).map((id) => id.toLowerCase()))],
    media_urls: media.flatMap((url, index) =>
      isId(url) || !isUrl(url) ? [] : [{ url, alt: alts[index]?.trim() || null }],
    ),
    status: statusIn(),
  }
  return { post, problems }

  function isUrl(file: string) {
    const isAddress = file.length <= MAX_URL && /^https?:\/\/\S+$/i.test(file) && URL.canParse(file)
    if (!isAddress)
      report({
        ...{ field: 'media', code: 'invalid', value: file },
        text: {
          en: 'This is neither an address that begins with https:// nor the id of a file.',
          tr: 'Bu ne https:// ile başlayan bir adres ne de bir dosyanın kimliği.',
        },
      })
    return isAddress
  }

  function accountsIn() {
    const named = all('accounts')
      .flatMap((cell) => cell.split(/[,;\n]/))
      .map((name) => name.trim())
      .filter(Boolean)
    const marked = fields.flatMap((field, index) =>
      field === 'network' && yes.includes(plainName(cells[index] ?? '')) ? [columns[index] ?? ''] : [],
    )
    const listed = [...named, ...marked]
    if (listed.length === 0) return [...reading.account_ids]
    const ids = listed.flatMap((name) => {
      const found = reading.accounts.find(name)
      if (typeof found === 'object') return [found.id]
      report({
        field: marked.includes(name) ? 'network' : 'accounts',
        code: found === 'several' ? 'ambiguous_account' : 'unknown_account',
        value: name,
        text:
          found === 'several'
            ? {
                en: `Several accounts are called ${name}. Choose one for the whole file, or write its handle.`,
                tr: `${name} adında birden çok hesap var. Tüm dosya için birini seçin ya da kullanıcı adını yazın.`,
              }
            : networkNamed(name)
              ? { en: `No account of ${name} is connected.`, tr: `Bağlı bir ${name} hesabı yok.` }
              : { en: `No account is called ${name}.`, tr: `${name} adında bir hesap yok.` },
      })
      return []
    })
    return [...new Set(ids)]
  }

  function statusIn(): ImportStatus | null {
    const cell = one('status')
    if (!cell) return null
    const plain = plainName(cell)
    const found = importStatuses.find((status) => statuses[status].includes(plain))
    if (!found)
      report({
        ...{ field: 'status', code: 'invalid', value: cell, suggestion: 'scheduled' },
        text: {
          en: 'Write draft, scheduled or review.',
          tr: 'Taslak, planlandı ya da onay yazın.',
        },
      })
    return found ?? null
  }

  /** Undefined without a time, or with one that cannot be read. */
  function timeIn() {
    const [date, timeCell] = [one('date'), one('time')]
    if (!date && !timeCell) return
    const [datePart, rest] = splitDate(date)
    const serial = parseSerial(date)
    const day = serial ?? parseDate(datePart, reading.date_order, reading)
    const timeText = timeCell || rest
    const time = parseTime(timeText) ?? (timeText === '' && date.includes('.') ? serial : undefined)
    if (!day) return reportDate(date, datePart)
    if (!time) return reportTime(timeText, timeCell)
    return instantIn(day, time)
  }

  function reportDate(date: string, datePart: string) {
    const isShort = /\D\d{2}$/.test(datePart) && !/^\d{4}/.test(datePart)
    report({
      ...{ field: 'date', code: date ? 'invalid' : 'required', value: date },
      text: !date
        ? { en: 'The date is missing.', tr: 'Tarih eksik.' }
        : isShort
          ? { en: 'Write the year with four digits.', tr: 'Yılı dört haneyle yazın.' }
          : {
              en: 'This is not a date such as 2026-03-28 that the other rows agree with.',
              tr: 'Bu, 2026-03-28 gibi ve diğer satırlara uyan bir tarih değil.',
            },
    })
  }

  function reportTime(timeText: string, timeCell: string) {
    const mended = timeText.replace(/^(\d{1,2})[-h ](\d{2})$/i, '$1:$2')
    report({
      field: timeCell || fields.includes('time') ? 'time' : 'date',
      code: timeText ? 'invalid' : 'required',
      value: timeText,
      ...(mended !== timeText && parseTime(mended) && { suggestion: mended }),
      text: timeText
        ? { en: 'This is not a time such as 17:30.', tr: 'Bu, 17:30 gibi bir saat değil.' }
        : { en: 'The time is missing.', tr: 'Saat eksik.' },
    })
  }

  function instantIn({ year, month, day }: WallDate, { hour, minute, second, offset }: WallTime) {
    const wall = Date.UTC(year, month - 1, day, hour, minute, second)
    if (offset !== null) return new Date(wall - offsetMinutes(offset) * MINUTE)
    const zone = one('timezone')
    const clock = clockOfZone(reading.clocks, zone || reading.timezone)
    if (!clock) {
      report({
        ...{ field: 'timezone', code: 'invalid', value: zone, suggestion: reading.timezone },
        text: {
          en: 'This is not a time zone such as Europe/Istanbul.',
          tr: 'Bu, Europe/Istanbul gibi bir saat dilimi değil.',
        },
      })
      return
    }
    const { instant, change } = instantOf(clock, wall)
    if (change)
      report({
        ...{ field: fields.includes('time') ? 'time' : 'date', code: change, severity: 'warning' },
        value: `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`,
        text:
          change === 'time_skipped'
            ? {
                en: 'Clocks skip this time on that day. The post goes out when they have moved on.',
                tr: 'Saatler o gün bu saati atlıyor. Gönderi, saatler ilerleyince yayımlanır.',
              }
            : {
                en: 'Clocks show this time twice on that day. The post goes out at the first.',
                tr: 'Saatler o gün bu saati iki kez gösteriyor. Gönderi ilkinde yayımlanır.',
              },
      })
    return new Date(instant)
  }
}

/** The files that a cell lists: between spaces, line breaks, `|` or `;`, or between commas before another address. */
const filesIn = (cell: string) =>
  cell
    .split(/[\s|;]+|,(?=\s*(?:https?:|[0-9a-f]{8}-))/i)
    .map((file) => file.trim())
    .filter(Boolean)
