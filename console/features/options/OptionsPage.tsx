import { useTranslation } from 'react-i18next'
import { PageHead } from '../../ui/screens'
import { useTitle } from '../../ui/useTitle'

/** How this installation behaves, option by option. */
export function OptionsPage() {
  const { t } = useTranslation()
  useTitle(t('rooms.options'))
  return <PageHead title={t('rooms.options')} />
}
