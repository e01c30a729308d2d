import type { components } from '../../api.gen'
import { type Search, textParam, uuidParam } from '../../ui/navigation/search-params'

export type MailState = components['schemas']['Mail']['state']

export const mailStates = ['kept', 'queued', 'sent', 'failed'] as const satisfies MailState[]
export const stateOf = (name: unknown) => mailStates.find((known) => known === name)

/** The outbox filters and the id of the open mail, as in the address. */
export type OutboxSearch = { search?: string; state?: MailState | undefined; mail?: string | undefined }
export type OutboxFilters = Pick<OutboxSearch, 'search' | 'state'>

export const validateOutboxSearch = (search: Search): OutboxSearch => ({
  ...textParam(search, 'search'),
  state: stateOf(search.state),
  mail: uuidParam(search.mail),
})

/** `locale`: stored templates in this language; `own`: mails without a stored template. */
export type TemplateFilters = { search?: string; locale?: string }

export const validateTemplateSearch = (search: Search): TemplateFilters => ({
  ...textParam(search, 'search'),
  ...textParam(search, 'locale'),
})

/** The start of a new template. `from`: the id of the template to copy. */
export const validateNewTemplateSearch = (
  search: Search,
): { key?: string; locale?: string; from?: string | undefined } => ({
  ...textParam(search, 'key'),
  ...textParam(search, 'locale'),
  from: uuidParam(search.from),
})
