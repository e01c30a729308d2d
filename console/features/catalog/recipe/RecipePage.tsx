import { Alert, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ShieldAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { isStatus } from '../../../api'
import { NotFoundPage } from '../../../ui/feedback/error-pages'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { BackLink } from '../../../ui/navigation/BackLink'
import agentClasses from '../../agents/agents.module.css'
import { useWorkspace } from '../../workspaces/queries'
import { CategoryIcon } from '../CategoryIcon'
import { type Recipe, recipeQuery, useInstalledRecipes } from '../queries'
import { RecipeBadge } from '../RecipeBadge'
import { RecipeActions } from './RecipeActions'
import { RecipeInstructions, RecipeSetUp } from './RecipeSetUp'
import { RecipeVersions } from './RecipeVersions'

const route = getRouteApi('/signed-in/shell/w/$workspace/catalog/$recipe')

/** Everything that an install of a recipe copies, before it is installed. */
export function RecipePage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.catalog'))
  const { recipe: id } = route.useParams()
  const recipe = useQuery(recipeQuery(id))
  if (isStatus(recipe.error, 404) || isStatus(recipe.error, 400)) return <NotFoundPage />
  if (recipe.error && !recipe.data) return <ProblemAlert error={recipe.error} onRetry={() => recipe.refetch()} />
  if (!recipe.data) return <LoadingSkeleton lines={4} height={110} />
  return <RecipeDetails recipe={recipe.data.record} etag={recipe.data.etag} />
}

function RecipeDetails({ recipe, etag }: { recipe: Recipe; etag: string }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const { id, name, description, category, taken_down_at, take_down_reason } = recipe
  useDocumentTitle(name)
  const isInstalled = useInstalledRecipes(slug).has(id)
  return (
    <>
      <BackLink to="/w/$workspace/catalog" params={{ workspace: slug }}>
        {t('pages.catalog')}
      </BackLink>
      <Group gap="sm" align="center" mb={4}>
        <CategoryIcon category={category} />
        <Title order={1} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Title>
        <RecipeBadge recipe={recipe} isInstalled={isInstalled} />
      </Group>
      {description && (
        <Text className="text" c="dimmed" mb="md" maw={640}>
          {description}
        </Text>
      )}
      {taken_down_at && (
        <Alert color="coral" icon={<ShieldAlert size={20} />} title={t('catalog.taken_down')} mb="md">
          {t('catalog.taken_down_reason', { reason: take_down_reason ?? '' })}
        </Alert>
      )}
      <RecipeActions recipe={recipe} etag={etag} />
      <div className={agentClasses.columns}>
        <Card component="section" aria-labelledby="instructions">
          <RecipeInstructions recipe={recipe} />
        </Card>
        <Stack gap="lg">
          <Card component="section" aria-labelledby="set-up">
            <RecipeSetUp recipe={recipe} />
          </Card>
          <RecipeVersions id={id} />
        </Stack>
      </div>
    </>
  )
}
