import { Button, Group, Stack, Text } from '@mantine/core'
import { Download } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyText } from '../../../ui/copy/CopyText'
import { saveFile } from '../../../ui/text/save-file'
import { useMe } from '../queries'

/** The codes are never shown again, so only the last button closes the dialog. */
export function BackupCodes({ codes, onKept }: { codes: string[]; onKept: () => void }) {
  const { t } = useTranslation()
  const { email } = useMe()
  const shown = useRef<HTMLDivElement>(null)
  // The form that had the focus is gone.
  useEffect(() => shown.current?.querySelector('button')?.focus(), [])
  const text = codes.join('\n')
  const save = () => {
    saveFile('meydan-backup-codes.txt', `Meydan, ${email}\n\n${text}\n`, 'text/plain')
  }
  return (
    <Stack ref={shown}>
      <Text>{t('two_factor.codes_about')}</Text>
      <CopyText text={text}>
        <Button variant="default" leftSection={<Download size={16} />} onClick={save}>
          {t('two_factor.download')}
        </Button>
      </CopyText>
      <Group justify="flex-end">
        <Button onClick={onKept}>{t('two_factor.kept')}</Button>
      </Group>
    </Stack>
  )
}
