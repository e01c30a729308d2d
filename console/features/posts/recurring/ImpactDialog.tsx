import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../ui/dialog/Dialog'
import { DialogActions } from '../../../ui/dialog/DialogActions'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useWorkspace } from '../../workspaces/queries'
import { impactQuery } from './queries'

type Props = {
  opened: boolean
  onClose: () => void
  id: string
  from: string | undefined
  /** The id of the form that the button sends. */
  form: string
}

/** Says which posts a change concerns, before it is made. */
export function ImpactDialog({ opened, onClose, id, from, form }: Props) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const impact = useQuery({ ...impactQuery(slug, id, from), enabled: opened })
  return (
    <Dialog opened={opened} onClose={onClose} title={t('recurring.impact.title')}>
      {from !== undefined && <Text mb="xs">{t('recurring.impact.split')}</Text>}
      {impact.error && <ProblemAlert error={impact.error} />}
      {impact.isPending && <LoadingSkeleton lines={1} height={60} />}
      {impact.data && (
        <ul style={{ margin: 0, paddingInlineStart: '1.2rem' }}>
          <li>{t('recurring.impact.replaced', { count: impact.data.replaced })}</li>
          {impact.data.edited > 0 && <li>{t('recurring.impact.edited', { count: impact.data.edited })}</li>}
          {impact.data.published > 0 && <li>{t('recurring.impact.published', { count: impact.data.published })}</li>}
          <li>{t('recurring.impact.later')}</li>
        </ul>
      )}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('ui.cancel')}
        </Button>
        <Button type="submit" form={form}>
          {t('recurring.save')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
