import type { components } from '../../api.gen'
import { idOf, type Search, text } from '../../ui/search'

export type MailState = components['schemas']['Mail']['state']

export const mailStates = ['kept', 'queued', 'sent', 'failed'] as const satisfies MailState[]
export const stateOf = (name: unknown) => mailStates.find((known) => known === name)

/** What the outbox is filtered by, and the mail that is open, as the address keeps them. */
export type OutboxSearch = { search?: string; state?: MailState | undefined; mail?: string | undefined }
export type OutboxFilters = Pick<OutboxSearch, 'search' | 'state'>

export const outboxSearch = (search: Search): OutboxSearch => ({
  ...text(search, 'search'),
  state: stateOf(search.state),
  mail: idOf(search.mail),
})

/** `locale`: those that are stored in this language; `own`: Meydan's own text, which nothing stored stands before. */
export type TemplateFilters = { search?: string; locale?: string }

export const templateSearch = (search: Search): TemplateFilters => ({
  ...text(search, 'search'),
  ...text(search, 'locale'),
})

/** What a new template begins with. `from`: the stored one that it begins as a copy of. */
export const newTemplateSearch = (search: Search): { key?: string; locale?: string; from?: string | undefined } => ({
  ...text(search, 'key'),
  ...text(search, 'locale'),
  from: idOf(search.from),
})
