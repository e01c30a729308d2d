import { Text, type TextProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { langOfEnglishText } from '../../i18n'

type Props = TextProps & {
  network: string
  message: string
}

/** Shows what a network responded, in its own words. Most networks have them in English only. */
export function NetworkResponse({ network, message, ...props }: Props) {
  const { t } = useTranslation()
  return (
    <Text fz="sm" className="text" {...props}>
      {t('networks.responded', { network })}{' '}
      <span lang={langOfEnglishText()} dir="auto">
        {message}
      </span>
    </Text>
  )
}
