import { CirclePlay } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../ui/navigation/ButtonLink'
import { useWorkspace } from '../workspaces/queries'

/** Leads to the network inside Meydan, which is not in the sidebar. */
export function TryOutLink() {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  return (
    <ButtonLink
      to="/w/$workspace/playground"
      params={{ workspace: slug }}
      variant="default"
      leftSection={<CirclePlay size={17} />}
    >
      {t('pages.playground')}
    </ButtonLink>
  )
}
