import { Anchor, Button, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyText } from '../../ui/copy/CopyText'
import { LostSecret, OneTimeSecret } from '../../ui/forms/OneTimeSecret'
import { useWorkspace } from '../workspaces/queries'
import { useRotateToken } from './mutations'
import type { CreatedApiToken } from './queries'

/** A form that creates a token, then that token, shown once. */
export function TokenDialog({
  made,
  onRotated,
  ...dialog
}: {
  opened: boolean
  onClose: () => void
  onClosed: () => void
  title: string
  made: CreatedApiToken | undefined
  onRotated: (token: CreatedApiToken) => void
  children: ReactNode
}) {
  const { t } = useTranslation()
  const { onClose } = dialog
  return (
    <OneTimeSecret
      {...dialog}
      titleOfSecret={t('tokens.secret')}
      secret={made?.token}
      shown={made?.token && <Token made={made} token={made.token} onClose={onClose} />}
      lost={made && <LostToken id={made.id} onRotated={onRotated} onClose={onClose} />}
    />
  )
}

function Token({ made, token, onClose }: { made: CreatedApiToken; token: string; onClose: () => void }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const path = made.scopes.length > 0 ? '/api/v1/public/token' : '/api/v1/me'
  const header = made.team_id ? '' : ` \\\n  -H "X-Workspace-Id: ${slug}"`
  return (
    <>
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
    </>
  )
}

type LostProps = { id: string; onRotated: (token: CreatedApiToken) => void; onClose: () => void }

function LostToken({ id, onRotated, onClose }: LostProps) {
  const { t } = useTranslation()
  const { mutate, error, isPending } = useRotateToken(onRotated)
  return (
    <LostSecret
      title={t('tokens.lost')}
      detail={t('tokens.lost_detail')}
      again={t('tokens.lost_rotate')}
      error={error}
      isPending={isPending}
      onAgain={() => mutate({ id, overlap_seconds: 0 })}
      onClose={onClose}
    />
  )
}
