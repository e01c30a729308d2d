import { HOUR, MINUTE } from '../../../../../shared/time.ts'
import { type Clock, clockOf, firstInstant } from '../../../../lib/wall-clock.ts'
import { isTimeZone } from '../../../auth/locale.ts'
import { parseDate, parseSerial, parseTime, splitDate, type WallDate, type WallTime } from '../file/dates.ts'
import { cellOf, type Reading, type Row, report } from './row.ts'

/** The planned time of a row. Undefined without one, or with one that cannot be read, which is reported. */
export function timeOf(row: Row) {
  const [date, timeCell] = [cellOf(row, 'date'), cellOf(row, 'time')]
  if (!date && !timeCell) return
  const [datePart, rest] = splitDate(date)
  const serial = parseSerial(date)
  const day = serial ?? parseDate(datePart, row.date_order, row)
  const timeText = timeCell || rest
  const time = parseTime(timeText) ?? (timeText === '' && date.includes('.') ? serial : undefined)
  if (!day) return reportDate(row, date, datePart)
  if (!time) return reportTime(row, timeText, timeCell)
  return instantIn(row, day, time)
}

function reportDate(row: Row, date: string, datePart: string) {
  const isShort = /\D\d{2}$/.test(datePart) && !/^\d{4}/.test(datePart)
  report(row, {
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

function reportTime(row: Row, timeText: string, timeCell: string) {
  const corrected = timeText.replace(/^(\d{1,2})[-h ](\d{2})$/i, '$1:$2')
  report(row, {
    field: timeCell || row.fields.includes('time') ? 'time' : 'date',
    code: timeText ? 'invalid' : 'required',
    value: timeText,
    ...(corrected !== timeText && parseTime(corrected) && { suggestion: corrected }),
    text: timeText
      ? { en: 'This is not a time such as 17:30.', tr: 'Bu, 17:30 gibi bir saat değil.' }
      : { en: 'The time is missing.', tr: 'Saat eksik.' },
  })
}

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

function instantIn(row: Row, { year, month, day }: WallDate, { hour, minute, second, offset }: WallTime) {
  const wall = Date.UTC(year, month - 1, day, hour, minute, second)
  if (offset !== null) return new Date(wall - offsetMinutes(offset) * MINUTE)
  const zone = cellOf(row, 'timezone')
  const clock = clockOfZone(row.clocks, zone || row.timezone)
  if (!clock) {
    report(row, {
      ...{ field: 'timezone', code: 'invalid', value: zone, suggestion: row.timezone },
      text: {
        en: 'This is not a time zone such as Europe/Istanbul.',
        tr: 'Bu, Europe/Istanbul gibi bir saat dilimi değil.',
      },
    })
    return
  }
  const { instant, change } = instantOf(clock, wall)
  if (change)
    report(row, {
      ...{ field: row.fields.includes('time') ? 'time' : 'date', code: change, severity: 'warning' },
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
