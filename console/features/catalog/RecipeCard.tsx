import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Clock, Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import rows from '../../ui/layout/LinkedRow.module.css'
import { useFormat } from '../../ui/text/format'
import { useScheduleText } from '../agents/schedule-text'
import { useWorkspace } from '../workspaces/queries'
import { CategoryIcon } from './CategoryIcon'
import classes from './catalog.module.css'
import type { Recipe } from './queries'
import { RecipeBadge } from './RecipeBadge'

export function RecipeCard({ recipe, isInstalled }: { recipe: Recipe; isInstalled: boolean }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const format = useFormat()
  const scheduleText = useScheduleText()
  const { id, name, description, category, schedule_cron, install_count, is_built_in } = recipe
  return (
    <li className={classes.card} aria-label={name}>
      <div className={classes.head}>
        <CategoryIcon category={category} />
        <div>
          <Link to="/w/$workspace/catalog/$recipe" params={{ workspace: slug, recipe: id }} className={rows.name}>
            {name}
          </Link>
          <Text fz="sm" c="dimmed">
            {t(`agents.categories.${category}`)}
          </Text>
        </div>
      </div>
      <Text fz="sm" lineClamp={4} className={classes.description}>
        {description}
      </Text>
      <RecipeBadge recipe={recipe} isInstalled={isInstalled} />
      <div className={classes.facts}>
        <span>
          <Clock size={14} aria-hidden="true" /> {scheduleText(schedule_cron)}
        </span>
        {is_built_in && <span>{t('catalog.built_in')}</span>}
        {install_count > 0 && (
          <span>
            <Download size={14} aria-hidden="true" />{' '}
            {t('catalog.installs', { count: install_count, number: format.number(install_count) })}
          </span>
        )}
      </div>
    </li>
  )
}
