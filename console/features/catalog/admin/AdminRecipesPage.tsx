import { SegmentedControl } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { BookOpen } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { ListCard } from '../../billing/admin/ListCard'
import { AdminRecipeRow } from './AdminRecipeRow'
import { adminRecipesQuery, recipeViews } from './admin-queries'

const route = getRouteApi('/signed-in/shell/admin/agent-recipes')

/** The recipes of all workspaces, to be taken down or restored. */
export function AdminRecipesPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.recipe_moderation'))
  const { view = 'reported' } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <>
      <PageHeader title={t('pages.recipe_moderation')} about={t('admin.catalog.about')}>
        <SegmentedControl
          aria-label={t('admin.catalog.view')}
          value={view}
          onChange={(chosen) =>
            void navigate({ search: { view: recipeViews.find((one) => one === chosen) }, replace: true })
          }
          data={recipeViews.map((value) => ({ value, label: t(`admin.catalog.views.${value}`) }))}
        />
      </PageHeader>
      <ListCard
        of={useInfiniteQuery(adminRecipesQuery(view))}
        icon={BookOpen}
        label={t('pages.recipe_moderation')}
        none={t(`admin.catalog.none.${view}`)}
        noneDetail={t(`admin.catalog.none_detail.${view}`)}
        row={(recipe) => <AdminRecipeRow recipe={recipe} />}
      />
    </>
  )
}
