import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyText } from '../../ui/CopyText'
import { Dialog } from '../../ui/Dialog'
import { Problem } from '../../ui/screens'
import { useWorkspace } from '../workspaces/queries'
import { useRotate } from './acts'
import type { CreatedApiToken } from './queries'

/** The form that had the focus has gone. */
const focusButton = (shown: HTMLElement | null) => {
  shown?.querySelector('button')?.focus()
}

/** A form that makes a token, then that token. It is never shown again, so nothing but its button closes it. */
export function ShownOnce({
  opened,
  onClose,
  onClosed,
  title,
  made,
  onRotated,
  children,
}: {
  opened: boolean
  onClose: () => void
  /** Once it is out of sight. */
  onClosed: () => void
  title: string
  made: CreatedApiToken | undefined
  onRotated: (token: CreatedApiToken) => void
  children: ReactNode
}) {
  const { t } = useTranslation()
  const shown = made !== undefined
  const mustStay = opened && typeof made?.token === 'string'
  useBlocker({ shouldBlockFn: () => mustStay, enableBeforeUnload: () => mustStay })
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={onClosed}
      size="lg"
      title={shown ? t('tokens.secret') : title}
      withCloseButton={!shown}
      closeOnEscape={!shown}
      closeOnClickOutside={!shown}
    >
      {!made ? (
        children
      ) : made.token === null ? (
        <Lost made={made} onRotated={onRotated} onClose={onClose} />
      ) : (
        <Secret made={made} token={made.token} onClose={onClose} />
      )}
    </Dialog>
  )
}

function Secret({ made, token, onClose }: { made: CreatedApiToken; token: string; onClose: () => void }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const path = made.scopes.length > 0 ? '/api/v1/public/token' : '/api/v1/me'
  const header = made.team_id ? '' : ` \\\n  -H "X-Workspace-Id: ${slug}"`
  return (
    <Stack ref={focusButton}>
      <Text>{t('tokens.secret_detail')}</Text>
      <CopyText text={token} />
      <Stack gap="xs">
        <div>
          <Text fw={600}>{t('tokens.example')}</Text>
          <Text c="dimmed" fz="sm">
            {t('tokens.example_about')}{' '}
            <Anchor href="/docs" target="_blank" inherit>
              {t('tokens.docs')}
            </Anchor>
          </Text>
        </div>
        <CopyText
          name={t('tokens.example')}
          text={`curl ${location.origin}${path} \\\n  -H "Authorization: Bearer ${token}"${header}`}
        >
          <Button onClick={onClose}>{t('tokens.secret_kept')}</Button>
        </CopyText>
      </Stack>
    </Stack>
  )
}

/** The first answer got lost, and the one that repeats it holds no secret. */
function Lost({
  made: { id },
  onRotated,
  onClose,
}: {
  made: CreatedApiToken
  onRotated: (token: CreatedApiToken) => void
  onClose: () => void
}) {
  const { t } = useTranslation()
  const rotate = useRotate(onRotated)
  return (
    <Stack ref={focusButton}>
      <Alert color="yellow" icon={<TriangleAlert size={20} />} title={t('tokens.lost')}>
        {t('tokens.lost_detail')}
      </Alert>
      {rotate.error && <Problem error={rotate.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('ui.close')}
        </Button>
        <Button loading={rotate.isPending} onClick={() => rotate.mutate({ id, overlap_seconds: 0 })}>
          {t('tokens.lost_rotate')}
        </Button>
      </Group>
    </Stack>
  )
}
