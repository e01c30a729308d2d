import { ActionIcon, Button, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { PenLine } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Post, type Target, unwrap, workspaceApi } from '../../../api'
import { Dialog } from '../../../ui/dialog/Dialog'
import { DialogActions } from '../../../ui/dialog/DialogActions'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useNetworks } from '../../networks/queries'
import { useWorkspace } from '../../workspaces/queries'
import { showPost } from '../changes'
import { PostTextarea } from '../form/fields/PostTextarea'

type Props = { post: Post; target: Target; network: string }

/** Changes the text of a published post on its network. */
export function EditPublishedButton(props: Props) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState(false)
  const title = t('post.edit_on', { network: props.network })
  return (
    <>
      <ActionIcon variant="subtle" aria-label={title} title={title} onClick={() => setOpened(true)}>
        <PenLine size={17} />
      </ActionIcon>
      <Dialog opened={opened} onClose={() => setOpened(false)} size="lg" title={title}>
        {opened && <EditForm {...props} onDone={() => setOpened(false)} />}
      </Dialog>
    </>
  )
}

function EditForm({ post, target, network, onDone }: Props & { onDone: () => void }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const networks = useNetworks().data ?? []
  const [content, setContent] = useState(target.content ?? post.content)
  const save = useMutation({
    mutationFn: () =>
      unwrap(
        workspaceApi(slug).PATCH('/api/v1/posts/{id}/targets/{target_id}', {
          params: { path: { id: post.id, target_id: target.id } },
          body: { content },
        }),
      ),
    onSuccess: (changed) => {
      showPost(slug, changed)
      onDone()
    },
  })
  return (
    <Stack>
      {save.error && <ProblemAlert error={save.error} />}
      <PostTextarea
        accounts={[{ id: target.account_id, network: target.network, status: 'connected' }]}
        networks={networks}
        label={t('compose.text')}
        description={t('post.edit_about', { network })}
        autosize
        minRows={5}
        maxRows={16}
        maxLength={65_536}
        dir="auto"
        data-autofocus
        value={content}
        onChange={setContent}
      />
      <DialogActions>
        <Button variant="default" onClick={onDone}>
          {t('ui.cancel')}
        </Button>
        <Button loading={save.isPending} onClick={() => save.mutate()}>
          {t('compose.submit_change')}
        </Button>
      </DialogActions>
    </Stack>
  )
}
