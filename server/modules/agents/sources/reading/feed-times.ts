/** Zones that feeds name, by the hours by which they are ahead of UTC. `Date.parse` knows only those of America. */
const named = {
  0: ['GMT', 'UTC', 'WET'],
  1: ['WEST', 'BST', 'IST', 'CET', 'MEZ'],
  2: ['CEST', 'MESZ', 'EET'],
  3: ['EEST', 'TRT', 'TSİ', 'MSK'],
  4: ['GST'],
  5: ['PKT'],
  9: ['JST', 'KST'],
  10: ['AEST'],
  11: ['AEDT'],
}
const zones = new Map(Object.entries(named).flatMap(([hours, names]) => names.map((name) => [name, hours])))

const months = ['oca', 'şub', 'mar', 'nis', 'may', 'haz', 'tem', 'ağu', 'eyl', 'eki', 'kas', 'ara']

/** Writes a number with two digits. */
const two = (number: number | string) => String(number).padStart(2, '0')

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
  const [, day = '', monthName = '', year, hour = '0', minute = '00', second = '00', zone = 'Z'] = parts
  const month = /^\d/.test(monthName)
    ? Number(monthName)
    : months.indexOf(monthName.toLocaleLowerCase('tr').slice(0, 3)) + 1
  if (month === 0) return
  const offset = zone.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')
  return `${year}-${two(month)}-${two(day)}T${two(hour)}:${minute}:${second}${offset}`
}

/** A time as feeds write it: by RFC 5322 or ISO 8601, in Turkish, in seconds. null for one that cannot be read. */
export function timeOf(written: string | undefined): Date | null {
  const text = (written ?? '')
    .trim()
    .slice(0, 100)
    .replace(/\s(\p{L}{2,4})$/u, (whole, zone: string) => {
      const hours = zones.get(zone.toUpperCase())
      return hours === undefined ? whole : ` +${two(hours)}00`
    })
  if (/^\d{9,13}$/.test(text)) return new Date(Number(text) * (text.length > 10 ? 1 : 1000))
  const time = Date.parse(isoOf(text) ?? text)
  return Number.isNaN(time) || Math.abs(time) > 8e12 ? null : new Date(time)
}
