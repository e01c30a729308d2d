import {
  Bookmark,
  Ellipsis,
  Forward,
  Heart,
  type LucideIcon,
  MessageCircle,
  MessageSquareText,
  Repeat2,
  Send,
  Share,
  Star,
  ThumbsUp,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Network } from '../../../api'
import classes from './previews.module.css'

type Action = Network['preview']['actions'][number]

const icons: Record<Action, LucideIcon> = {
  reply: MessageCircle,
  comment: MessageSquareText,
  repost: Repeat2,
  share: Share,
  send: Send,
  like: Heart,
  thumb: ThumbsUp,
  star: Star,
  bookmark: Bookmark,
  more: Ellipsis,
}

/** Undefined for an action of a later version, which a server may send while it is updated. */
const iconOf = (action: string) => (Object.hasOwn(icons, action) ? icons[action as Action] : undefined)

/** The buttons below a post, which only decorate. */
export function ActionBar({ preview: { actions, action_labels } }: Pick<Network, 'preview'>) {
  const { t } = useTranslation()
  const labels: Partial<Record<Action, string>> = {
    thumb: t('compose.preview_like'),
    comment: t('compose.preview_comment'),
    repost: t('compose.preview_repost'),
    share: t('compose.preview_share'),
    send: t('compose.preview_send'),
  }
  if (actions.length === 0) return null
  return (
    <div className={classes.actions} data-labels={action_labels || undefined} aria-hidden="true">
      {actions.map((action) => {
        const Icon = action_labels && action === 'share' ? Forward : iconOf(action)
        if (!Icon) return null
        return (
          <span key={action} data-action={action}>
            <Icon size={18} strokeWidth={1.75} />
            {action_labels && <span>{labels[action]}</span>}
          </span>
        )
      })}
    </div>
  )
}
