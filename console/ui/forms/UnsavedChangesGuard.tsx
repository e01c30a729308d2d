import { Button, Group, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../feedback/Dialog'

/** Asks before the user leaves a page with unsaved changes. */
export function UnsavedChangesGuard({ when }: { when: () => boolean }) {
  const { t } = useTranslation()
  const leaving = useBlocker({ shouldBlockFn: when, enableBeforeUnload: when, withResolver: true })
  const stay = () => leaving.reset?.()
  return (
    <Dialog opened={leaving.status === 'blocked'} onClose={stay} title={t('compose.leave_ask')}>
      <Text>{t('compose.leave_detail')}</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={stay}>
          {t('compose.stay')}
        </Button>
        <Button color="coral" onClick={() => leaving.proceed?.()}>
          {t('compose.leave')}
        </Button>
      </Group>
    </Dialog>
  )
}
