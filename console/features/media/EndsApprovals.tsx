import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useWorkspace } from '../workspaces/queries'
import { type Media, mediaUsesQuery } from './queries'

type Props = {
  media: Media
  /** Whether readers would see something else: another alternative text, or another name of a document. */
  isChanged: boolean
}

/** Says before a change of a file is saved that approved posts will be in review again. */
export function EndsApprovals({ media, isChanged }: Props) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const uses = useQuery({ ...mediaUsesQuery(slug, media.id), enabled: isChanged })
  const count = uses.data?.approved_posts ?? 0
  return (
    <div role="status">
      {isChanged && count > 0 && (
        <Alert color="orange" icon={<TriangleAlert size={18} />}>
          {t('media.ends_approvals', { count })}
        </Alert>
      )}
    </div>
  )
}
