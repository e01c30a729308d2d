import { Box, Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from './Dialog'
import { Problem } from './screens'

type Act = { isPending: boolean; error: Error | null; reset: () => void }

/** Asks before something that is not easily taken back; `act` is the mutation that `onConfirm` begins. */
export function Confirm({
  opened,
  onClose,
  title,
  children,
  confirm,
  act,
  onConfirm,
}: {
  opened: boolean
  onClose: () => void
  title: string
  children: ReactNode
  confirm: string
  act: Act
  onConfirm: () => void
}) {
  const { t } = useTranslation()
  return (
    <Dialog opened={opened} onClose={onClose} onExitTransitionEnd={act.reset} title={title}>
      <Box mb="md">{children}</Box>
      {act.error && <Problem error={act.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('ui.cancel')}
        </Button>
        <Button color="coral" loading={act.isPending} onClick={onConfirm}>
          {confirm}
        </Button>
      </Group>
    </Dialog>
  )
}
