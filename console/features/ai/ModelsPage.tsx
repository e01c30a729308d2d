import { useTranslation } from 'react-i18next'
import { PageHead } from '../../ui/screens'
import { useTitle } from '../../ui/useTitle'

/** The models of AI vendors that this installation may call. */
export function ModelsPage() {
  const { t } = useTranslation()
  useTitle(t('rooms.ai_models'))
  return <PageHead title={t('rooms.ai_models')} />
}
