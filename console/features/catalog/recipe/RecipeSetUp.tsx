import { Badge, Group, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Fact, FactList } from '../../../ui/layout/FactList'
import { useFormat } from '../../../ui/text/format'
import { useScheduleText } from '../../agents/schedule-text'
import { useWorkspace } from '../../workspaces/queries'
import classes from '../catalog.module.css'
import type { Recipe } from '../queries'

/** The texts that the model gets. They are foreign, so all of them are shown before an install. */
export function RecipeInstructions({ recipe }: { recipe: Recipe }) {
  const { t } = useTranslation()
  const { role, persona, voice, system_prompt, image_style } = recipe
  const others = [
    [t('agents.role'), role],
    [t('agents.persona'), persona],
    [t('agents.voice'), voice],
    [t('catalog.image_style'), image_style],
  ].filter(([, text]) => text !== '')
  return (
    <>
      <Title order={2} size="h3" id="instructions">
        {t('agents.instructions')}
      </Title>
      <Text c="dimmed" fz="sm" mb="sm">
        {t('catalog.instructions_about')}
      </Text>
      <Text className="text">{system_prompt}</Text>
      {others.map(([name, text]) => (
        <div key={name}>
          <Title order={3} size="h5" mt="lg" mb={4}>
            {name}
          </Title>
          <Text className="text">{text}</Text>
        </div>
      ))}
    </>
  )
}

/** When and how much an installed agent writes, and what becomes of its posts. */
export function RecipeSetUp({ recipe }: { recipe: Recipe }) {
  const { t } = useTranslation()
  const { timezone } = useWorkspace()
  const format = useFormat()
  const scheduleText = useScheduleText()
  const { schedule_cron, posts_per_run, daily_limit, autonomy_level, install_count, tags, sources } = recipe
  const extras = (['generate_image', 'design', 'video'] as const).filter((name) => recipe[name])
  return (
    <>
      <Title order={2} size="h3" id="set-up" mb="sm">
        {t('agents.set_up')}
      </Title>
      <FactList>
        <Fact name={t('agents.category')}>{t(`agents.categories.${recipe.category}`)}</Fact>
        <Fact name={t('agents.schedule')}>{scheduleText(schedule_cron)}</Fact>
        {schedule_cron !== null && <Fact name={t('agents.zone')}>{timezone}</Fact>}
        <Fact name={t('agents.posts_per_run')}>{format.number(posts_per_run)}</Fact>
        <Fact name={t('agents.daily_limit')}>{format.number(daily_limit)}</Fact>
        <Fact name={t('agents.autonomy')}>
          {t(`agents.levels.${autonomy_level === 'draft' ? 'draft' : 'approve'}`)}
        </Fact>
        {extras.length > 0 && (
          <Fact name={t('catalog.extras')}>{format.list(extras.map((name) => t(`catalog.extra.${name}`)))}</Fact>
        )}
        <Fact name={t('catalog.installed_by')}>{t('catalog.workspaces', { count: install_count })}</Fact>
        {recipe.is_built_in && <Fact name={t('catalog.made_by')}>Meydan</Fact>}
      </FactList>
      {sources.length > 0 && (
        <>
          <Title order={3} size="h5" mt="lg" mb={4}>
            {t('catalog.material')}
          </Title>
          <ul className={classes.list}>
            {sources.map(({ kind, label }) => (
              <li key={`${kind} ${label}`}>
                {label} ({t(`catalog.source.${kind}`)})
              </li>
            ))}
          </ul>
        </>
      )}
      {tags.length > 0 && (
        <Group gap={6} mt="lg">
          {tags.map((tag) => (
            <Badge key={tag} variant="light" color="gray" tt="none">
              {tag}
            </Badge>
          ))}
        </Group>
      )}
    </>
  )
}
