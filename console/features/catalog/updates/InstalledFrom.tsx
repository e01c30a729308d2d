import { Alert, Text } from '@mantine/core'
import { RefreshCw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'
import type { Agent } from '../../agents/queries'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'

/** The recipe that an agent was installed from, and whether there is a newer version of it. */
export function InstalledFrom({ agent: { id, recipe } }: { agent: Agent }) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  if (!recipe) return null
  const { slug } = workspace
  const version = recipe.version
  if (recipe.latest_version === version || !isAtLeast(workspace, 'editor'))
    return (
      <Text fz="sm" c="dimmed" mb="md">
        <AnchorLink to="/w/$workspace/catalog/$recipe" params={{ workspace: slug, recipe: recipe.id }} inherit>
          {t('catalog.from_recipe')}
        </AnchorLink>{' '}
        · {t('catalog.version', { version })}
      </Text>
    )
  return (
    <Alert icon={<RefreshCw size={20} />} title={t('catalog.newer')} mb="md">
      <Text mb="sm">{t('catalog.newer_detail', { version: recipe.latest_version })}</Text>
      <ButtonLink
        size="compact-md"
        to="/w/$workspace/agents/$agent/recipe-update"
        params={{ workspace: slug, agent: id }}
      >
        {t('catalog.compare')}
      </ButtonLink>
    </Alert>
  )
}
