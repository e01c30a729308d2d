/** Hours of zones that feeds name, and that `Date.parse` does not know. */
const zones: Record<string, number> = {
  ...{
    WET: 0,
    WEST: 1,
    BST: 1,
    IST: 1,
    CET: 1,
    MEZ: 1,
    CEST: 2,
    MESZ: 2,
    EET: 2,
    EEST: 3,
    TRT: 3,
    TSİ: 3,
    MSK: 3,
    GST: 4,
  },
  ...{ PKT: 5, JST: 9, KST: 9, AEST: 10, AEDT: 11 },
}

const months = ['oca', 'şub', 'mar', 'nis', 'may', 'haz', 'tem', 'ağu', 'eyl', 'eki', 'kas', 'ara']

const two = (number: number | string) => String(number).padStart(2, '0')

/** Hours of a named zone as an offset, such as `+03:00`. */
const offsetOf = (zone: string | undefined) => {
  if (zone === undefined || zone === '') return 'Z'
  const hours = zones[zone.toUpperCase()]
  return hours === undefined ? zone : `+${two(hours)}:00`
}

const CLOCK = '(?:[,\\s-]+(\\d{1,2}):(\\d{2})(?::(\\d{2}))?)?\\s*(\\S+)?'
const turkish = new RegExp(`^(?:\\p{L}+,?\\s+)?(\\d{1,2})\\s+(\\p{L}+)\\s+(\\d{4})${CLOCK}$`, 'iu')
const dotted = new RegExp(`^(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4})${CLOCK}$`, 'iu')

/** Spellings that are read by their parts, as texts of ISO 8601. */
function isoOf(text: string): string | undefined {
  const compact = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})?(Z|[+-]\d{2}:?\d{2})?$/.exec(text)
  if (compact) {
    const [, year, month, day, hour, minute, second = '00', zone = 'Z'] = compact
    return `${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`
  }
  // An offset of hours only.
  if (/^\d{4}-\d{2}-\d{2}T[\d:.]+[+-]\d{2}$/.test(text)) return `${text}:00`
  const parts = turkish.exec(text) ?? dotted.exec(text)
  if (!parts) return
  const [, day = '', named = '', year, hour = '0', minute = '00', second = '00', zone] = parts
  const month = /^\d/.test(named) ? Number(named) : months.indexOf(named.toLocaleLowerCase('tr').slice(0, 3)) + 1
  if (month === 0) return
  const offset = offsetOf(zone).replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')
  return `${year}-${two(month)}-${two(day)}T${two(hour)}:${minute}:${second}${offset}`
}

/** A time as feeds write it: by RFC 5322 or ISO 8601, in Turkish, in seconds. null for one that cannot be read. */
export function timeOf(written: string | undefined): Date | null {
  const text = written?.trim().slice(0, 100) ?? ''
  if (/^\d{9,13}$/.test(text)) return new Date(Number(text) * (text.length > 10 ? 1 : 1000))
  const named = text.replace(/\s([\p{L}]{2,4})$/u, (whole, zone: string) => {
    const hours = zones[zone.toUpperCase()]
    return hours === undefined ? whole : ` +${two(hours)}00`
  })
  const time = Date.parse(isoOf(text) ?? named)
  return Number.isNaN(time) || Math.abs(time) > 8e12 ? null : new Date(time)
}
