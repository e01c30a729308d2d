import { dateTimeParam, type Search, uuidParam } from '../../ui/navigation/search-params'

/** `since` and `until`: days in the workspace's zone, YYYY-MM-DD, both inclusive. */
export type AuditSearch = { actor?: string; action?: string; since?: string; until?: string }

export const validateAuditSearch = (search: Search): AuditSearch => ({
  actor: uuidParam(search.actor),
  action:
    typeof search.action === 'string' && /^[a-z_]+(\.[a-z_]+)*(\.\*)?$/.test(search.action) ? search.action : undefined,
  since: dateTimeParam(search.since, /^\d{4}-\d\d-\d\d$/),
  until: dateTimeParam(search.until, /^\d{4}-\d\d-\d\d$/),
})
