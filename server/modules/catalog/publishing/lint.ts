import { type FieldError, problem, toMessage } from '../../../errors.ts'
import type { Text } from '../../../lib/language.ts'
import { withoutHiddenCharacters } from '../../../lib/text.ts'
import { MENTIONS, SECRETS } from '../../agents/drafts/checks.ts'
import { hostsIn } from '../../agents/drafts/links.ts'
import { hasExactPhrase, hasPhrase } from '../../agents/drafts/phrases.ts'
import type { RecipeBody } from '../recipes.schema.ts'

/** Names of the publisher that a recipe must not contain. */
type PrivateNames = { workspace: string; accounts: readonly string[] }

type Rule = { finds: (text: string, names: PrivateNames) => boolean; message: Text }

const EMAIL = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/u
const PHONE = /(?<![\p{L}\p{N}])\+?\d[\d ()./-]{8,}\d(?![\p{L}\p{N}])/u
const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b/
const BASE64 = /[A-Za-z0-9+/_-]{200}/

/** Names shorter than this are ordinary words too often. */
const MIN_NAME = 4

const rules: Rule[] = [
  {
    finds: (text) => SECRETS.test(text) || BASE64.test(text),
    message: {
      en: 'Remove what looks like a key or encoded data.',
      tr: 'Anahtara veya kodlanmış veriye benzeyeni silin.',
    },
  },
  {
    finds: (text) => withoutHiddenCharacters(text) !== text,
    message: { en: 'Remove the invisible characters.', tr: 'Görünmeyen karakterleri silin.' },
  },
  {
    finds: (text) => EMAIL.test(text) || PHONE.test(text) || IBAN.test(text),
    message: {
      en: 'Remove e-mail addresses, phone numbers and account numbers.',
      tr: 'E-posta adreslerini, telefon ve hesap numaralarını silin.',
    },
  },
  {
    finds: (text) => !EMAIL.test(text) && (hostsIn(text).length > 0 || text.match(MENTIONS) !== null),
    message: { en: 'Remove links and @names.', tr: 'Bağlantıları ve @adları silin.' },
  },
  {
    finds: (text, { workspace, accounts }) =>
      // The exact case: a name such as "Kahve" is also a word.
      hasExactPhrase(text, workspace) ||
      accounts.some((account) => account.length >= MIN_NAME && hasPhrase(text, account)),
    message: {
      en: 'Remove the names of your workspace and accounts.',
      tr: 'Çalışma alanınızın ve hesaplarınızın adlarını silin.',
    },
  },
]

function textsOf({ tags, sources, ...body }: RecipeBody): [pointer: string, text: string][] {
  return [
    ...Object.entries(body).flatMap(([field, value]): [string, string][] =>
      typeof value === 'string' && field !== 'schedule_cron' ? [[`/${field}`, value]] : [],
    ),
    ...tags.map((tag, at): [string, string] => [`/tags/${at}`, tag]),
    ...sources.map(({ label }, at): [string, string] => [`/sources/${at}/label`, label]),
  ]
}

/** Lists the rules of sharing that the texts of a recipe break. */
export const unsafeTexts = (body: RecipeBody, names: PrivateNames): FieldError[] =>
  textsOf(body).flatMap(([pointer, text]) =>
    rules
      .filter(({ finds }) => finds(text, names))
      .map(({ message }) => ({ pointer, code: 'invalid' as const, ...toMessage(message) })),
  )

/** Throws 400 with a pointer to each text that would give away something private. */
export function checkSafe(body: RecipeBody, names: PrivateNames) {
  const errors = unsafeTexts(body, names)
  if (errors.length) throw problem('recipe_unsafe', { errors })
}
