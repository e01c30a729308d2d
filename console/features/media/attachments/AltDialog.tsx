import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../../api'
import { Dialog } from '../../../ui/feedback/Dialog'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useFormat } from '../../../ui/text/format'
import { useWorkspace } from '../../workspaces/queries'
import classes from '../media.module.css'
import { type Media, showMedia } from '../queries'
import { Thumbnail } from '../Thumbnail'

type Props = { media: Media | undefined; max: number; onClose: () => void }

/** Edits the alternative text of a file, which every post that uses the file shares. */
export function AltDialog({ media, max, onClose }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog
      opened={media !== undefined}
      onClose={onClose}
      size="lg"
      title={t('compose.describe', { name: media?.name ?? '' })}
    >
      {media && <AltForm key={media.id} media={media} max={max} onClose={onClose} />}
    </Dialog>
  )
}

function AltForm({ media, max, onClose }: { media: Media; max: number; onClose: () => void }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const format = useFormat()
  const [alt, setAlt] = useState(media.alt)
  const save = useMutation({
    mutationFn: () => {
      const params = { path: { id: media.id } }
      return unwrap(workspaceApi(slug).PATCH('/api/v1/media/{id}', { params, body: { alt: alt.trim() } }))
    },
    onSuccess: (changed) => {
      showMedia(slug, changed)
      onClose()
    },
  })
  return (
    <Stack>
      {save.error && <ProblemAlert error={save.error} />}
      {media.kind === 'image' || media.kind === 'gif' ? (
        <img className={classes.large} src={media.url} alt="" />
      ) : (
        <Thumbnail {...media} isDecorative />
      )}
      <Textarea
        label={t('media.alt')}
        description={t('media.alt_about')}
        autosize
        minRows={3}
        maxRows={8}
        maxLength={max}
        dir="auto"
        data-autofocus
        value={alt}
        onChange={({ currentTarget }) => setAlt(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          event.stopPropagation()
          save.mutate()
        }}
      />
      <Group justify="space-between">
        <Text fz="sm" c="dimmed" className="tabular">
          {format.number(alt.length)} / {format.number(max)}
        </Text>
        <Group gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button loading={save.isPending} onClick={() => save.mutate()}>
            {t('media.save')}
          </Button>
        </Group>
      </Group>
    </Stack>
  )
}
