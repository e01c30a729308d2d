import { languages } from '../../i18n'
import { type Search, textParam } from '../../ui/navigation/search-params'
import { categories } from '../agents/queries'

/** `language`: a language of the console, or `all`. */
const catalogLanguages = [...Object.keys(languages), 'all']

/** Filters of the list. Without `language` it has recipes in the language of the console. */
export type CatalogSearch = {
  search?: string
  category?: (typeof categories)[number]
  language?: string
  sort?: 'new'
  mine?: true
}

/** Reads the address of the list; unknown values filter nothing. */
export function catalogSearch(search: Search): { [Key in keyof CatalogSearch]: CatalogSearch[Key] | undefined } {
  return {
    ...textParam(search, 'search'),
    category: categories.find((category) => category === search.category),
    language: catalogLanguages.find((language) => language === search.language),
    sort: search.sort === 'new' ? 'new' : undefined,
    mine: search.mine === true ? true : undefined,
  }
}
