import { Button, Group, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../dialog/Dialog'

type Props = {
  when: () => boolean
  /** Saves the changes if it can. Returns whether nothing is left unsaved. */
  save?: () => Promise<boolean>
}

/** Asks before the user leaves a page with unsaved changes that cannot be saved first. */
export function UnsavedChangesGuard({ when, save }: Props) {
  const { t } = useTranslation()
  const leaving = useBlocker({
    shouldBlockFn: async () => when() && !(await save?.()),
    enableBeforeUnload: when,
    withResolver: true,
  })
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
