import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api, unwrap } from '../../../api'
import { useErrorNotification } from '../../../ui/feedback/useErrorNotification'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { useFormat } from '../../../ui/text/format'
import { useMe } from '../../auth/queries'
import classes from '../../billing/Billing.module.css'
import { OpenReportsBadge } from '../../marketplace/admin/moderation/OpenReportsBadge'
import { RestoreButton } from '../../marketplace/admin/moderation/RestoreButton'
import { TakeDownButton } from '../../marketplace/admin/moderation/TakeDownButton'
import { useCurrentWorkspace } from '../../workspaces/queries'
import { RecipeBadge } from '../RecipeBadge'
import { type AdminRecipe, invalidateAdminRecipes } from './admin-queries'
import { ReportsButton } from './RecipeReports'

/** A recipe of any workspace. */
export function AdminRecipeRow({ recipe }: { recipe: AdminRecipe }) {
  const { t } = useTranslation()
  const format = useFormat(useMe().timezone)
  const { id, name, creator, is_built_in, install_count, open_reports, created_at, take_down_reason } = recipe
  const from = is_built_in ? 'Meydan' : creator ? `${creator.name}, ${creator.email}` : t('orders.gone')
  return (
    <>
      <div className={classes.what}>
        <Group gap="xs">
          <RecipeName recipe={recipe} />
          <RecipeBadge recipe={recipe} isInstalled={false} />
          <OpenReportsBadge count={open_reports} />
        </Group>
        <Text c="dimmed" fz="sm" className="text">
          {from} · {format.date(created_at)} · {t('catalog.workspaces', { count: install_count })}
        </Text>
        {take_down_reason && (
          <Text fz="sm" className="text">
            {t('orders.cancel_reason', { reason: take_down_reason })}
          </Text>
        )}
      </div>
      <Group gap="xs">
        <ReportsButton id={id} name={name} />
        {open_reports > 0 && <DismissButton recipe={recipe} />}
        {recipe.taken_down_at ? (
          <RestoreButton
            title={name}
            send={() => unwrap(api.POST('/api/v1/admin/agent-recipes/{id}/restore', { params: { path: { id } } }))}
            onDone={invalidateAdminRecipes}
          />
        ) : (
          <TakeDownRecipe recipe={recipe} />
        )}
      </Group>
    </>
  )
}

/** Leads to the texts of a recipe while others see them. */
function RecipeName({ recipe: { id, name, published, taken_down_at } }: { recipe: AdminRecipe }) {
  const workspace = useCurrentWorkspace()
  if (!workspace || !published || taken_down_at)
    return (
      <Text fw={600} className="text">
        {name}
      </Text>
    )
  return (
    <AnchorLink
      to="/w/$workspace/catalog/$recipe"
      params={{ workspace: workspace.slug, recipe: id }}
      fw={600}
      className="text"
    >
      {name}
    </AnchorLink>
  )
}

type Row = { recipe: AdminRecipe }

function TakeDownRecipe({ recipe: { id, name, is_built_in } }: Row) {
  const { t } = useTranslation()
  return (
    <TakeDownButton
      title={name}
      detail={t('admin.catalog.take_down_detail')}
      about={t(is_built_in ? 'admin.catalog.admins_read' : 'admin.catalog.creator_reads')}
      send={(reason) =>
        unwrap(api.POST('/api/v1/admin/agent-recipes/{id}/take-down', { params: { path: { id } }, body: { reason } }))
      }
      onDone={invalidateAdminRecipes}
    />
  )
}

function DismissButton({ recipe: { id, name } }: Row) {
  const { t } = useTranslation()
  const dismiss = useMutation({
    mutationFn: () =>
      unwrap(api.POST('/api/v1/admin/agent-recipes/{id}/dismiss-reports', { params: { path: { id } } })),
    onSuccess: () => notifications.show({ message: t('admin.catalog.dismissed', { name }) }),
    onSettled: invalidateAdminRecipes,
    onError: useErrorNotification(),
  })
  return (
    <Button
      variant="default"
      loading={dismiss.isPending}
      onClick={() => dismiss.mutate()}
      aria-label={t('admin.catalog.dismiss_one', { name })}
    >
      {t('admin.catalog.dismiss')}
    </Button>
  )
}
