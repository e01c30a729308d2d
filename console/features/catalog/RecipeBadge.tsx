import { Group } from '@mantine/core'
import { CircleCheck, CirclePause, ShieldAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { StatusBadge } from '../../ui/feedback/StatusBadge'
import type { Recipe } from './queries'

/** Shows whether a recipe is installed here, or is not in the catalogue. */
export function RecipeBadge({
  recipe,
  isInstalled,
}: {
  recipe: Pick<Recipe, 'published' | 'taken_down_at'>
  isInstalled: boolean
}) {
  const { t } = useTranslation()
  const { published, taken_down_at } = recipe
  if (!isInstalled && published && !taken_down_at) return null
  return (
    <Group gap={6}>
      {taken_down_at && (
        <StatusBadge color="coral" icon={ShieldAlert}>
          {t('catalog.taken_down')}
        </StatusBadge>
      )}
      {!published && !taken_down_at && (
        <StatusBadge color="gray" icon={CirclePause}>
          {t('catalog.unpublished')}
        </StatusBadge>
      )}
      {isInstalled && (
        <StatusBadge color="success" icon={CircleCheck}>
          {t('catalog.installed')}
        </StatusBadge>
      )}
    </Group>
  )
}
