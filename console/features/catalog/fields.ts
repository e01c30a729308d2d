import { useTranslation } from 'react-i18next'
import { translateDynamic } from '../../i18n'

export function useFieldName() {
  const { t } = useTranslation()
  const names: Record<string, string> = {
    ...{ name: t('agents.name'), description: t('agents.description'), category: t('agents.category') },
    ...{ tags: t('agents.tags'), role: t('agents.role'), persona: t('agents.persona'), voice: t('agents.voice') },
    ...{ system_prompt: t('agents.instructions'), image_style: t('catalog.image_style') },
    ...{ language: t('agents.language'), schedule_cron: t('agents.schedule'), timezone: t('agents.zone') },
    ...{ posts_per_run: t('agents.posts_per_run'), daily_limit: t('agents.daily_limit') },
    ...{ autonomy_level: t('agents.autonomy'), sources: t('catalog.material') },
  }
  return (field: string) => names[field] ?? translateDynamic(t, `catalog.extra.${field}`, field)
}
