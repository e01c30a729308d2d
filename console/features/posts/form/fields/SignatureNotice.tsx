import { Anchor, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../../ui/text/format'
import type { Signatures } from '../useSignatures'

/** Names the accounts whose signatures end the text, and offers to leave them out. */
export function SignatureNotice({ signed, leaveOut }: Signatures) {
  const { t } = useTranslation()
  const format = useFormat()
  if (signed.length === 0) return null
  const names = format.list(new Set(signed.map(({ name }) => name)))
  return (
    <Text fz="sm" mt={6} role="status">
      {t('compose.signed', { names, count: signed.length })}{' '}
      <Anchor component="button" type="button" fz="sm" onClick={leaveOut}>
        {t('compose.leave_out_signature', { count: signed.length })}
      </Anchor>
    </Text>
  )
}
