import { Card, Group, SegmentedControl } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { BookOpen } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { currentLanguage, languages } from '../../i18n'
import { EmptyState } from '../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../ui/feedback/LoadingSkeleton'
import { NoMatches } from '../../ui/feedback/NoMatches'
import { ProblemAlert } from '../../ui/feedback/ProblemAlert'
import { FilterSelect } from '../../ui/fields/filters'
import { SearchField } from '../../ui/fields/SearchField'
import { PageHeader } from '../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../ui/layout/useDocumentTitle'
import { BackLink } from '../../ui/navigation/BackLink'
import { LoadMore } from '../../ui/navigation/LoadMore'
import { WithGuide } from '../../ui/navigation/WithGuide'
import { categories } from '../agents/queries'
import { useWorkspace } from '../workspaces/queries'
import classes from './catalog.module.css'
import { recipesQuery, useInstalledRecipes } from './queries'
import { RecipeCard } from './RecipeCard'
import { type CatalogSearch, catalogSearch } from './search-params'

const route = getRouteApi('/signed-in/shell/w/$workspace/catalog')

type ChangedSearch = { [Key in keyof CatalogSearch]: CatalogSearch[Key] | undefined }

/** The recipes that can be installed, or those of one's own workspaces. Filters are kept in the address. */
export function CatalogPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.catalog'))
  const { slug } = useWorkspace()
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const recipes = useInfiniteQuery(recipesQuery(filters))
  const installed = useInstalledRecipes(slug)
  const shown = recipes.data?.pages.flatMap(({ data }) => data) ?? []
  const { mine, search, category } = filters
  const change = (changed: ChangedSearch) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true, resetScroll: false })
  return (
    <>
      <BackLink to="/w/$workspace/agents" params={{ workspace: slug }}>
        {t('pages.agents')}
      </BackLink>
      <PageHeader title={t('pages.catalog')} about={<WithGuide name="recipes">{t('catalog.about')}</WithGuide>}>
        <SegmentedControl
          aria-label={t('catalog.view')}
          value={mine ? 'mine' : 'all'}
          onChange={(view) => change({ ...catalogSearch({}), mine: view === 'mine' || undefined })}
          data={[
            { value: 'all', label: t('catalog.all') },
            { value: 'mine', label: t('catalog.mine') },
          ]}
        />
      </PageHeader>
      <CatalogFilters filters={filters} onChange={change} />
      {recipes.error && <ProblemAlert error={recipes.error} onRetry={() => recipes.refetch()} />}
      {recipes.isPending && <LoadingSkeleton lines={3} height={150} />}
      {recipes.data && shown.length === 0 && !recipes.hasNextPage && (
        <Card padding={0}>
          {search || category || !mine ? (
            <NoMatches
              title={t('catalog.none_found')}
              onClear={() => change({ ...catalogSearch({}), language: 'all' })}
            >
              {t('catalog.none_found_detail')}
            </NoMatches>
          ) : (
            <EmptyState icon={<BookOpen size={26} />} title={t('catalog.none_mine')}>
              {t('catalog.none_mine_detail')}
            </EmptyState>
          )}
        </Card>
      )}
      {shown.length > 0 && (
        <ul className={classes.cards} aria-label={t('pages.catalog')}>
          {shown.map((recipe) => (
            <RecipeCard key={recipe.id} recipe={recipe} isInstalled={installed.has(recipe.id)} />
          ))}
        </ul>
      )}
      <LoadMore of={recipes} />
    </>
  )
}

function CatalogFilters({ filters, onChange }: { filters: ChangedSearch; onChange: (changed: ChangedSearch) => void }) {
  const { t } = useTranslation()
  const { search, category, sort, mine } = filters
  return (
    <Group mb="md" gap="sm" role="search" aria-label={t('catalog.filters')}>
      <SearchField label={t('catalog.search')} value={search ?? ''} onChange={(text) => onChange({ search: text })} />
      <FilterSelect
        aria-label={t('agents.category')}
        placeholder={t('catalog.any_category')}
        data={categories.map((value) => ({ value, label: t(`agents.categories.${value}`) }))}
        value={category ?? null}
        onChange={(chosen) => onChange({ category: categories.find((value) => value === chosen) })}
      />
      <FilterSelect
        aria-label={t('catalog.language')}
        clearable={false}
        allowDeselect={false}
        data={[
          ...Object.entries(languages).map(([value, label]) => ({ value, label })),
          { value: 'all', label: t('catalog.any_language') },
        ]}
        value={filters.language ?? (mine ? 'all' : currentLanguage())}
        onChange={(language) => onChange({ language: language ?? undefined })}
      />
      <FilterSelect
        aria-label={t('catalog.order')}
        clearable={false}
        allowDeselect={false}
        data={[
          { value: 'installs', label: t('catalog.by_installs') },
          { value: 'new', label: t('catalog.by_new') },
        ]}
        value={sort ?? 'installs'}
        onChange={(chosen) => onChange({ sort: chosen === 'new' ? 'new' : undefined })}
      />
    </Group>
  )
}
