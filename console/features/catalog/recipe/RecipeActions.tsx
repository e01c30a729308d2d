import { Alert, Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { Download, EyeOff, Flag, Gem, Pencil } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog'
import { Dialog } from '../../../ui/dialog/Dialog'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { useHasEntitlement } from '../../plans/useHasEntitlement'
import { isAtLeast, useWorkspace, workspacesQuery } from '../../workspaces/queries'
import { useUnpublishRecipe } from '../mutations'
import type { Recipe } from '../queries'
import { EditRecipeForm } from '../sharing/EditRecipeForm'
import { InstallForm } from './InstallForm'
import { ReportForm } from './ReportForm'

/** Installs or reports a recipe; its own workspace changes and unpublishes it. */
export function RecipeActions({ recipe, etag }: { recipe: Recipe; etag: string }) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const mayInstall = useHasEntitlement('ai.agents')
  const isEditor = isAtLeast(workspace, 'editor')
  const home = useQuery(workspacesQuery).data?.find(({ id }) => id === recipe.workspace_id)
  const isOwn = recipe.workspace_id === workspace.id
  return (
    <>
      <Group gap="sm" mb="lg">
        {isEditor && mayInstall !== false && <InstallButton recipe={recipe} />}
        {isEditor && isOwn && <EditButton recipe={recipe} etag={etag} />}
        {isEditor && isOwn && recipe.published && <UnpublishButton recipe={recipe} />}
        {recipe.workspace_id === null && !recipe.is_built_in && <ReportButton recipe={recipe} />}
      </Group>
      {home && home.id !== workspace.id && (
        <Alert mb="lg">
          {t('catalog.elsewhere')}{' '}
          <AnchorLink to="/w/$workspace/catalog/$recipe" params={{ workspace: home.slug, recipe: recipe.id }}>
            {t('catalog.open_there')}
          </AnchorLink>
        </Alert>
      )}
      {!isEditor && <Alert mb="lg">{t('catalog.editors_install')}</Alert>}
      {isEditor && mayInstall === false && (
        <Alert icon={<Gem size={20} />} mb="lg">
          {t('catalog.not_in_plan')} <AnchorLink to="/pricing">{t('usage.compare')}</AnchorLink>
        </Alert>
      )}
    </>
  )
}

function InstallButton({ recipe }: { recipe: Recipe }) {
  const { t } = useTranslation()
  const [opened, { open, close }] = useDisclosure(false)
  return (
    <>
      <Button leftSection={<Download size={17} />} onClick={open}>
        {t('catalog.install')}
      </Button>
      <Dialog opened={opened} onClose={close} title={t('catalog.install_named', { name: recipe.name })}>
        <InstallForm recipe={recipe} onCancel={close} />
      </Dialog>
    </>
  )
}

function EditButton({ recipe, etag }: { recipe: Recipe; etag: string }) {
  const { t } = useTranslation()
  const [opened, { open, close }] = useDisclosure(false)
  return (
    <>
      <Button variant="default" leftSection={<Pencil size={17} />} onClick={open}>
        {t('catalog.edit')}
      </Button>
      <Dialog opened={opened} onClose={close} title={t('catalog.edit_title')}>
        <EditRecipeForm recipe={recipe} etag={etag} onClose={close} />
      </Dialog>
    </>
  )
}

function UnpublishButton({ recipe: { id, name } }: { recipe: Recipe }) {
  const { t } = useTranslation()
  const [opened, { open, close }] = useDisclosure(false)
  const unpublish = useUnpublishRecipe(id, () => {
    close()
    notifications.show({ message: t('catalog.unpublished_done', { name }) })
  })
  return (
    <>
      <Button variant="subtle" color="gray" leftSection={<EyeOff size={17} />} onClick={open}>
        {t('catalog.unpublish')}
      </Button>
      <ConfirmDialog
        opened={opened}
        onClose={close}
        title={t('catalog.unpublish_ask', { name })}
        confirm={t('catalog.unpublish')}
        mutation={unpublish}
        onConfirm={() => unpublish.mutate()}
      >
        {t('catalog.unpublish_detail')}
      </ConfirmDialog>
    </>
  )
}

function ReportButton({ recipe: { id, name } }: { recipe: Recipe }) {
  const { t } = useTranslation()
  const [opened, { open, close }] = useDisclosure(false)
  return (
    <>
      <Button variant="subtle" color="gray" leftSection={<Flag size={17} />} onClick={open}>
        {t('catalog.report')}
      </Button>
      <Dialog opened={opened} onClose={close} title={t('catalog.report_named', { name })}>
        <ReportForm id={id} onClose={close} />
      </Dialog>
    </>
  )
}
