import { Button, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Share } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../../api'
import { Dialog } from '../../../ui/dialog/Dialog'
import { DialogActions } from '../../../ui/dialog/DialogActions'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useFormSubmit } from '../../../ui/forms/useFormSubmit'
import { useIdempotencyKey } from '../../../ui/forms/useIdempotencyKey'
import type { Agent } from '../../agents/queries'
import { useWorkspace } from '../../workspaces/queries'
import { invalidateRecipes, type Recipe, recipeOfAgentQuery } from '../queries'
import { ListingFields, listingOf, toBody, validateListing } from './ListingFields'
import { SharingProblem } from './SharingProblem'

/** Publishes an agent as a recipe, or what changed since as its next version. */
export function PublishAgent({ agent }: { agent: Agent }) {
  const { t } = useTranslation()
  const [opened, { open, close }] = useDisclosure(false)
  return (
    <>
      <Button variant="default" leftSection={<Share size={17} />} onClick={open}>
        {t('catalog.publish_agent')}
      </Button>
      <Dialog opened={opened} onClose={close} title={t('catalog.publish_title')}>
        <PublishDialog agent={agent} onClose={close} />
      </Dialog>
    </>
  )
}

type Props = { agent: Agent; onClose: () => void }

function PublishDialog(props: Props) {
  const recipe = useQuery(recipeOfAgentQuery(props.agent.id))
  if (recipe.error) return <ProblemAlert error={recipe.error} onRetry={() => recipe.refetch()} />
  if (recipe.data === undefined) return <LoadingSkeleton lines={3} />
  return <PublishForm {...props} before={recipe.data} />
}

/** `before`: the recipe that the agent was published as. */
function PublishForm({ agent, before, onClose }: Props & { before: Recipe | null }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const navigate = useNavigate()
  const once = useIdempotencyKey()
  const form = useForm({ initialValues: listingOf(before ?? agent), validate: (values) => validateListing(t, values) })
  const submit = useFormSubmit(form, {
    mutationFn: (values) => {
      const body = { agent_id: agent.id, ...toBody(values) }
      return once(body, (headers) =>
        unwrap(workspaceApi(slug).POST('/api/v1/catalog/agent-recipes/publish', { body, headers })),
      )
    },
    onSuccess: ({ id, version }) => {
      void invalidateRecipes()
      notifications.show({ message: t('catalog.published_done', { version }) })
      return navigate({ to: '/w/$workspace/catalog/$recipe', params: { workspace: slug, recipe: id } })
    },
  })
  return (
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack>
        {submit.problem && <SharingProblem error={submit.problem} />}
        <Text>{t(before ? 'catalog.publish_again_about' : 'catalog.publish_about')}</Text>
        <Text fz="sm" c="dimmed">
          {t('catalog.private_about')}
        </Text>
        <ListingFields form={form} />
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" loading={submit.isPending}>
            {t('catalog.publish')}
          </Button>
        </DialogActions>
      </Stack>
    </form>
  )
}
