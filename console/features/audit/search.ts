import { idOf, moment, type Search } from '../../ui/search'

/** `since` and `until`: days in the workspace's zone, YYYY-MM-DD, both of them inside. */
export type AuditSearch = { actor?: string; action?: string; since?: string; until?: string }

export const auditSearch = (search: Search): AuditSearch => ({
  actor: idOf(search.actor),
  action:
    typeof search.action === 'string' && /^[a-z_]+(\.[a-z_]+)*(\.\*)?$/.test(search.action) ? search.action : undefined,
  since: moment(search.since, /^\d{4}-\d\d-\d\d$/),
  until: moment(search.until, /^\d{4}-\d\d-\d\d$/),
})
