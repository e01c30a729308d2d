import { Alert, Text } from '@mantine/core'
import { ListChecks, RefreshCw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'
import type { Agent } from '../../agents/queries'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import { openQuestion } from '../recipe/facts'

/** The recipe that an agent was installed from, what it leaves open, and whether there is a newer version of it. */
export function InstalledFrom({ agent }: { agent: Agent }) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const { recipe } = agent
  if (!recipe) return null
  return (
    <>
      <Text fz="sm" c="dimmed" mb="md">
        <AnchorLink
          to="/w/$workspace/catalog/$recipe"
          params={{ workspace: workspace.slug, recipe: recipe.id }}
          inherit
        >
          {t('catalog.from_recipe')}
        </AnchorLink>{' '}
        · {t('catalog.version', { version: recipe.version })}
      </Text>
      {isAtLeast(workspace, 'editor') && (
        <>
          <MissingFacts agent={agent} />
          {recipe.latest_version > recipe.version && <NewerVersion id={agent.id} version={recipe.latest_version} />}
        </>
      )}
    </>
  )
}

/** Without these facts, the agent has nothing to write about. */
function MissingFacts({ agent: { id, system_prompt } }: { agent: Agent }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const open = openQuestion(system_prompt)
  if (!open) return null
  return (
    <Alert color="yellow" icon={<ListChecks size={20} />} title={t('catalog.facts_missing')} mb="md">
      <Text mb="sm">{open.question}</Text>
      <ButtonLink
        variant="default"
        size="compact-md"
        to="/w/$workspace/agents/$agent/edit"
        params={{ workspace: slug, agent: id }}
      >
        {t('catalog.add_facts')}
      </ButtonLink>
    </Alert>
  )
}

function NewerVersion({ id, version }: { id: string; version: number }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  return (
    <Alert icon={<RefreshCw size={20} />} title={t('catalog.newer')} mb="md">
      <Text mb="sm">{t('catalog.newer_detail', { version })}</Text>
      <ButtonLink
        variant="default"
        size="compact-md"
        to="/w/$workspace/agents/$agent/recipe-update"
        params={{ workspace: slug, agent: id }}
      >
        {t('catalog.compare')}
      </ButtonLink>
    </Alert>
  )
}
