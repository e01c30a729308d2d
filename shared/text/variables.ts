/** Names that a snippet can have in double braces besides the variables of its workspace. */
export const builtInVariables = ['date', 'time', 'weekday', 'account', 'workspace'] as const

const reference = /\{\{([^{}\r\n]{0,100})\}\}/g

/** The names between double braces. */
export const variablesIn = (text: string) => [
  ...new Set(Array.from(text.matchAll(reference), ([, name = '']) => name.trim())),
]

/** The text with values in place of names. Names without a value stay as they are. */
export const fillVariables = (text: string, values: ReadonlyMap<string, string>) =>
  text.replace(reference, (whole, name: string) => values.get(name.trim()) ?? whole)

type Filling = {
  workspace: { name: string; timezone: string; locale: string }
  variables: readonly { name: string; value: string }[]
  /** Time that the post is planned for. */
  time: Date
  /** Names of the accounts that get the text. Accounts of the same name are named once. */
  accounts: readonly string[]
}

/** Values of all variables, in the language and the time zone of the workspace. Without accounts, its name is theirs. */
export function valuesOf({ workspace, variables, time, accounts }: Filling): ReadonlyMap<string, string> {
  const { name, timezone: timeZone, locale } = workspace
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone, ...options }).format(time)
  const names = accounts.length > 0 ? new Set(accounts) : [name]
  const builtIn: Record<(typeof builtInVariables)[number], string> = {
    date: format({ dateStyle: 'long' }),
    // Separated by a usual space, as people type it.
    time: format({ timeStyle: 'short' }).replace('\u202f', ' '),
    weekday: format({ weekday: 'long' }),
    account: new Intl.ListFormat(locale).format(names),
    workspace: name,
  }
  return new Map([...variables.map(({ name, value }) => [name, value] as const), ...Object.entries(builtIn)])
}
