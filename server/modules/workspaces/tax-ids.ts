import { invalid } from '../../errors.ts'

/** Countries of the European Union, whose tax numbers have a checked shape. */
const UNION = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ')

const names = [new Intl.DisplayNames('en', { type: 'region' }), new Intl.DisplayNames('tr', { type: 'region' })]
const folded = (text: string) => text.trim().toLocaleLowerCase('tr').replaceAll('ı', 'i')

const codes = new Map([
  ...['TR', ...UNION].flatMap((code) =>
    [code, ...names.map((name) => name.of(code) ?? '')].map((line) => [folded(line), code] as const),
  ),
  ...['turkey', 'turkiye', 'tur'].map((line) => [line, 'TR'] as const),
  ['el', 'GR'],
])

/** The country that a line of an address means: a code, or a name in English or Turkish. */
export const countryOf = (line: string) => codes.get(folded(line))

const messages: Record<string, string> = { TR: 'This is neither a VKN nor a TCKN: a digit may be wrong.' }

/**
 * Rejects a tax number that the country of the address never assigned. One of another country, or without a country,
 * may be anything. Besides numbers for VAT, those of people and companies are accepted.
 */
export async function checkTaxId({ country = '', tax_id = '' }: { country?: string; tax_id?: string }) {
  const code = countryOf(country)
  const number = tax_id.trim()
  if (!code || number === '') return
  // Loaded here, because it takes long and few need it.
  const { stdnum } = await import('stdnum')
  const kinds = Object.values(stdnum[code] ?? {})
  const bare = number.replace(new RegExp(`^${code === 'GR' ? 'EL' : code}`, 'i'), '')
  if (kinds.some((kind) => kind.validate(number).isValid || kind.validate(bare).isValid)) return
  throw invalid('/billing_address/tax_id', messages[code] ?? `This is not a tax number of ${names[0]?.of(code)}.`)
}
