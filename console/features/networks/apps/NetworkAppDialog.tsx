import { Anchor, Group, List, Stack, Text } from '@mantine/core'
import { ExternalLink } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { CopyText } from '../../../ui/copy/CopyText'
import { Dialog } from '../../../ui/dialog/Dialog'
import { NetworkAppForm } from './NetworkAppForm'
import type { AppCalls, NetworkApp } from './queries'

type Props = { app: NetworkApp; calls: AppCalls; opened: boolean; onClose: () => void }

/** Leads through the registration of Meydan at a network, and takes what the network gives for it. */
export function NetworkAppDialog({ app, calls, opened, onClose }: Props) {
  const { t } = useTranslation()
  const { name, registration, notice_uris } = app
  return (
    <Dialog opened={opened} onClose={onClose} title={t('network_apps.set_up_of', { network: name })} size="lg">
      <Stack>
        {registration.notes && (
          <Text c="dimmed" fz="sm">
            {registration.notes}
          </Text>
        )}
        <List type="ordered" spacing="xs">
          {registration.steps.map((step) => (
            <List.Item key={step}>{step}</List.Item>
          ))}
        </List>
        <Anchor href={registration.url} target="_blank" rel="noreferrer">
          <Group gap={6} component="span" display="inline-flex">
            {t('network_apps.open', { network: name })}
            <ExternalLink size={15} aria-hidden="true" />
          </Group>
        </Anchor>
        <NamedText name={t('network_apps.redirect_uri')} text={app.redirect_uri} />
        <NamedText name={t('network_apps.privacy_uri')} text={app.privacy_uri} />
        {notice_uris && (
          <>
            <NamedText name={t('network_apps.deauthorize_uri')} text={notice_uris.deauthorize} />
            <NamedText name={t('network_apps.data_deletion_uri')} text={notice_uris.data_deletion} />
          </>
        )}
        <NamedText name={t('network_apps.scopes')} text={app.scopes.join(' ')} />
        <NetworkAppForm app={app} calls={calls} onDone={onClose} />
      </Stack>
    </Dialog>
  )
}

const NamedText = ({ name, text }: { name: string; text: string }) => (
  <Stack gap={4}>
    <Text fw={600} fz="sm">
      {name}
    </Text>
    <CopyText text={text} name={name} />
  </Stack>
)
