import { Alert } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Account, isCode, type Network, type Post } from '../../../api'
import { focusAndShow } from '../../../ui/focus/focus'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'
import { toWall, type Wall } from '../../../ui/text/time-zone'
import { useWorkspace } from '../../workspaces/queries'
import { usePermissions } from '../PostActions'
import { type LoadedPost, plannedTime } from '../queries'
import { PostConflictPanel } from './draft/PostConflictPanel'
import { usePostDraft } from './draft/usePostDraft'
import { destinationsOf, type PostDraft, toDraft } from './form-values'
import { PostForm } from './PostForm'

/** When a post is published, as the form shows it: a post in review has a time that its approval keeps. */
function whenOf(post: Post, timezone: string): Pick<PostDraft, 'when' | 'wall'> {
  const time = isPlanned(post) ? plannedTime(post) : null
  if (time) return { when: 'later', wall: toWall(timezone, time) }
  return { when: post.status === 'draft' ? 'draft' : 'now', wall: null }
}

const isPlanned = ({ status, review }: Post) => status === 'scheduled' || (status === 'draft' && review === 'pending')

type Props = {
  accounts: Account[]
  networks: Network[]
  /** Reports the draft that a new post became by itself. */
  onDraft?: (id: string) => void
  /** Leaves the form after saving these values. */
  onSaved: (post: Post, another: boolean, values: PostDraft) => void
  /** The time that the user chose outside of the form, such as on the calendar beside it. */
  at?: Wall | undefined
  /** Whether the form is in a panel, which has its own way out and can go on with another post. */
  inPanel?: boolean
} & ({ start: PostDraft; opened?: never } | { start?: never; opened: LoadedPost })

/** The form of a new post or of an existing one, the `opened` version. */
export function PostEditor({ start, opened, at, inPanel = false, accounts, networks, onDraft, onSaved }: Props) {
  const { t } = useTranslation()
  const { slug, timezone } = useWorkspace()
  const permissions = usePermissions()
  const toValues = (version: Post): PostDraft => ({
    ...toDraft(version, destinationsOf(version, accounts)),
    ...whenOf(version, timezone),
  })
  const mayEdit = (post: Post) => permissions(post).edit
  const { draft, state } = usePostDraft({ start, opened, toValues, mayEdit, onDraft })
  const { conflict, post, refusal } = state
  const timeShown = useRef(start ? at : undefined)
  useEffect(() => {
    if (at && at !== timeShown.current) draft.edit({ when: 'later', wall: at })
    timeShown.current = at
  }, [at, draft])
  /** Whether it was editable when the form opened: if so, the user's input is kept. */
  const [begun] = useState(() => !opened || mayEdit(opened.record))
  const panel = useRef<HTMLDivElement>(null)
  const destinations = post ? destinationsOf(post, accounts) : accounts
  const tooLate = draft.isTooLate()
  const params = { workspace: slug, post: post?.id ?? '' }
  const notice = tooLate && (
    <Alert color="yellow" title={t('edit.too_late')} mb="lg">
      {t(begun ? 'edit.too_late_begun' : 'edit.too_late_detail')}{' '}
      <AnchorLink to="/w/$workspace/posts/$post" params={params} c="inherit">
        {t('edit.see')}
      </AnchorLink>
    </Alert>
  )
  if (tooLate && !begun) return notice
  return (
    <>
      {notice}
      {conflict && !tooLate && (
        <PostConflictPanel
          conflict={conflict}
          mine={state.values}
          accounts={destinations}
          onDecide={draft.decide}
          onDismiss={draft.dismiss}
          panelRef={panel}
        />
      )}
      <PostForm
        draft={draft}
        state={state}
        accounts={destinations}
        networks={networks}
        isChange={!tooLate && post !== undefined && isPlanned(post)}
        onConflict={() => focusAndShow(panel.current)}
        onSaved={(saved, another) => onSaved(saved, another, draft.get().values)}
        cancel={
          opened &&
          !inPanel && (
            <ButtonLink to="/w/$workspace/posts/$post" params={params} variant="default" size="md">
              {t(draft.isDraft() ? 'ui.close' : 'ui.cancel')}
            </ButtonLink>
          )
        }
        stored={post?.status === 'draft' ? { warnings: post.warnings, values: toValues(post) } : undefined}
        error={conflict && isCode(refusal?.error, 'version_conflict') ? undefined : refusal?.error}
      />
    </>
  )
}
