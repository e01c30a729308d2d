import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Crop } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../../api'
import { Dialog } from '../../../ui/dialog/Dialog'
import { DialogActions } from '../../../ui/dialog/DialogActions'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useFormat } from '../../../ui/text/format'
import { useWorkspace } from '../../workspaces/queries'
import { CropImage } from '../CropImage'
import { EndsApprovals } from '../EndsApprovals'
import classes from '../media.module.css'
import { type Media, showMedia } from '../queries'
import { SuggestAlt } from '../SuggestAlt'
import { Thumbnail } from '../Thumbnail'

type Props = {
  media: Media | undefined
  max: number
  onClose: () => void
  /** Puts the new file in the place of the image that it is a part of. */
  onCropped: (media: Media) => void
}

/** Edits the alternative text of a file, which every post that uses the file shares, and crops images. */
export function AltDialog({ media, max, onClose, onCropped }: Props) {
  const { t } = useTranslation()
  const [cropping, setCropping] = useState<string>()
  const isCropping = media !== undefined && cropping === media.id
  const close = () => {
    setCropping(undefined)
    onClose()
  }
  return (
    <Dialog
      opened={media !== undefined}
      onClose={close}
      size="lg"
      title={t(isCropping ? 'crop.title' : 'compose.describe', { name: media?.name ?? '' })}
    >
      {isCropping && <CropImage media={media} onCancel={() => setCropping(undefined)} onCropped={onCropped} />}
      {media && !isCropping && (
        <AltForm key={media.id} media={media} max={max} onClose={close} onCrop={() => setCropping(media.id)} />
      )}
    </Dialog>
  )
}

type FormProps = { media: Media; max: number; onClose: () => void; onCrop: () => void }

function AltForm({ media, max, onClose, onCrop }: FormProps) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const format = useFormat()
  const [alt, setAlt] = useState(media.alt)
  const field = useRef<HTMLTextAreaElement>(null)
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
      {media.kind === 'image' && (
        <Button
          variant="subtle"
          size="compact-md"
          leftSection={<Crop size={16} />}
          style={{ alignSelf: 'flex-start' }}
          onClick={onCrop}
        >
          {t('crop.button')}
        </Button>
      )}
      <Textarea
        ref={field}
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
      <SuggestAlt
        media={media}
        max={max}
        onSuggest={(suggestion) => {
          setAlt(suggestion)
          field.current?.focus()
        }}
      />
      <EndsApprovals media={media} isChanged={alt.trim() !== media.alt} />
      <DialogActions justify="space-between">
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
      </DialogActions>
    </Stack>
  )
}
