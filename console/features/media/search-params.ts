import { type Search, textParam, uuidParam } from '../../ui/navigation/search-params'

export const kinds = ['image', 'gif', 'video', 'document'] as const

/** `file`: the id of the file whose details are shown. */
export type MediaSearch = { kind?: (typeof kinds)[number]; label?: string; search?: string; file?: string }

export const validateMediaSearch = (search: Search): MediaSearch => ({
  kind: kinds.find((name) => name === search.kind),
  ...textParam(search, 'label'),
  ...textParam(search, 'search'),
  file: uuidParam(search.file),
})
