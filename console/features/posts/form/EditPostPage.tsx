import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { RoleRequired } from '../../../ui/feedback/RoleRequired'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { accountsQuery } from '../../accounts/queries'
import { useNetworks } from '../../networks/queries'
import { useWorkspace } from '../../workspaces/queries'
import { usePermissions } from '../PostActions'
import { postQuery, postVersionQuery } from '../queries'
import { PostEditor } from './PostEditor'

const route = getRouteApi('/signed-in/shell/w/$workspace/posts/$post/edit')

export function EditPostPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('edit.title'))
  const { slug } = useWorkspace()
  const { post: id } = route.useParams()
  const navigate = route.useNavigate()
  const permissions = usePermissions()
  const accounts = useQuery(accountsQuery(slug))
  const networks = useNetworks()
  const post = useQuery(postQuery(slug, id))
  const opened = useQuery(postVersionQuery(slug, id))
  const error = accounts.error ?? networks.error ?? post.error ?? opened.error
  const ready = accounts.data && networks.data && post.data && opened.data
  if (post.data && !permissions(post.data).own) return <RoleRequired needs="editor" />
  return (
    <>
      <PageHeader title={t('edit.title')} />
      {error && <ProblemAlert error={error} />}
      {!ready && !error && <LoadingSkeleton lines={3} height={120} />}
      {ready && (
        <PostEditor
          key={id}
          opened={opened.data}
          accounts={accounts.data}
          networks={networks.data}
          onSaved={(saved) =>
            void navigate({ to: '/w/$workspace/posts/$post', params: { workspace: slug, post: saved.id } })
          }
        />
      )}
    </>
  )
}
