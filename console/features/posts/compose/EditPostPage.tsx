import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { useWorkspace } from '../../workspaces/queries'
import { EditPostForm } from './EditPostForm'

const route = getRouteApi('/signed-in/shell/w/$workspace/posts/$post/edit')

export function EditPostPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('edit.title'))
  const { slug } = useWorkspace()
  const { post: id } = route.useParams()
  const navigate = route.useNavigate()
  return (
    <>
      <PageHeader title={t('edit.title')} />
      <EditPostForm
        key={id}
        id={id}
        onSaved={(saved) =>
          void navigate({ to: '/w/$workspace/posts/$post', params: { workspace: slug, post: saved.id } })
        }
      />
    </>
  )
}
