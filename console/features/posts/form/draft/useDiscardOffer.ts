import { useTranslation } from 'react-i18next'
import { type Post, unwrap, workspaceApi } from '../../../../api'
import { useErrorNotification } from '../../../../ui/feedback/useErrorNotification'
import { useUndoNotification } from '../../../../ui/feedback/useUndoNotification'
import { useWorkspace } from '../../../workspaces/queries'
import { hidePost } from '../../queries'

/** Tells that a post whose form was left is kept as a draft, and offers to delete it. */
export function useDiscardOffer() {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const notifyWithUndo = useUndoNotification()
  const notifyError = useErrorNotification()
  return ({ id, updated_at }: Post) => {
    const discard = () =>
      void unwrap(workspaceApi(slug).DELETE('/api/v1/posts/{id}', { params: { path: { id } } })).then(
        () => hidePost(slug, id, updated_at),
        notifyError,
      )
    notifyWithUndo(`kept-${id}`, t('autosave.kept'), discard, t('autosave.discard'))
  }
}
