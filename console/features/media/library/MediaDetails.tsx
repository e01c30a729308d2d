import { Button, Group, Stack, TagsInput, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Crop, Download, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { unwrap, workspaceApi } from '../../../api'
import { Dialog } from '../../../ui/dialog/Dialog'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { useErrorNotification } from '../../../ui/feedback/useErrorNotification'
import { useUndoNotification } from '../../../ui/feedback/useUndoNotification'
import { useFormSubmit } from '../../../ui/forms/useFormSubmit'
import { AnchorLink } from '../../../ui/navigation/AnchorLink'
import { useFormat } from '../../../ui/text/format'
import { useMe } from '../../auth/queries'
import { isAtLeast, useWorkspace } from '../../workspaces/queries'
import { CropImage } from '../CropImage'
import { EndsApprovals } from '../EndsApprovals'
import classes from '../media.module.css'
import { type Media, mediaUsesQuery, oneMediaQuery, refreshMedia, showMedia } from '../queries'
import { SuggestAlt } from '../SuggestAlt'
import { Thumbnail } from '../Thumbnail'
import { formatBytes } from './format-bytes'

/** Maximum length of an alternative text, as in the API. */
const MAX_ALT = 2000

type Props = {
  id: string | undefined
  onClose: () => void
  /** Shows the new file with the part of an image. */
  onCropped: (id: string) => void
}

/** A file with its name, alternative text and labels, and the posts that use it. */
export function MediaDetails({ id, onClose, onCropped }: Props) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const media = useQuery({ ...oneMediaQuery(slug, id ?? ''), enabled: id !== undefined })
  const [cropping, setCropping] = useState<string>()
  const isCropping = id !== undefined && cropping === id
  const close = () => {
    setCropping(undefined)
    onClose()
  }
  return (
    <Dialog
      opened={id !== undefined}
      onClose={close}
      size="xl"
      title={isCropping ? t('crop.title', { name: media.data?.name ?? '' }) : t('media.details')}
    >
      {media.error && <ProblemAlert error={media.error} onRetry={() => media.refetch()} />}
      {id !== undefined && !media.data && !media.error && <LoadingSkeleton lines={3} height={60} />}
      {media.data && isCropping && (
        <CropImage
          media={media.data}
          onCancel={() => setCropping(undefined)}
          onCropped={(part) => onCropped(part.id)}
        />
      )}
      {media.data && id !== undefined && !isCropping && (
        <Details key={media.data.updated_at} media={media.data} onClose={close} onCrop={() => setCropping(id)} />
      )}
    </Dialog>
  )
}

function Details({ media, onClose, onCrop }: { media: Media; onClose: () => void; onCrop: () => void }) {
  return (
    <div className={classes.details}>
      <div>
        {media.kind === 'image' || media.kind === 'gif' ? (
          <img className={classes.large} src={media.url} alt={media.alt} />
        ) : media.kind === 'video' ? (
          // biome-ignore lint/a11y/useMediaCaption: an upload has no captions
          <video className={classes.large} src={media.url} controls preload="metadata" />
        ) : (
          <Thumbnail {...media} />
        )}
        <Facts media={media} onCrop={onCrop} />
      </div>
      <DetailsForm media={media} onClose={onClose} />
    </div>
  )
}

function Facts({ media, onCrop }: { media: Media; onCrop: () => void }) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const format = useFormat(workspace.timezone)
  const uses = useQuery(mediaUsesQuery(workspace.slug, media.id)).data?.post_ids
  const { width, height, duration_s } = media
  return (
    <>
      <dl className={classes.facts}>
        <dt>{t('media.kind_of')}</dt>
        <dd>{t(`media.kind.${media.kind}`)}</dd>
        <dt>{t('media.size')}</dt>
        <dd>{formatBytes(format.locale, media.bytes)}</dd>
        {width !== null && height !== null && (
          <>
            <dt>{t('media.pixels')}</dt>
            <dd>{`${format.number(width)} × ${format.number(height)}`}</dd>
          </>
        )}
        {duration_s !== null && (
          <>
            <dt>{t('media.duration')}</dt>
            <dd>
              {t('media.seconds', { count: Math.round(duration_s), number: format.number(Math.round(duration_s)) })}
            </dd>
          </>
        )}
        <dt>{t('media.uploaded')}</dt>
        <dd>{format.full(media.created_at)}</dd>
        <dt>{t('media.uses')}</dt>
        <dd>
          {uses?.length === 0 && t('media.unused')}
          {uses?.map((post, index) => (
            <span key={post}>
              {index > 0 && ', '}
              <AnchorLink to="/w/$workspace/posts/$post" params={{ workspace: workspace.slug, post }}>
                {t('media.use', { number: index + 1 })}
              </AnchorLink>
            </span>
          ))}
        </dd>
      </dl>
      <Button
        component="a"
        href={media.url}
        download={media.name}
        variant="subtle"
        size="compact-md"
        mt="xs"
        leftSection={<Download size={16} />}
      >
        {t('media.download')}
      </Button>
      {media.kind === 'image' && isAtLeast(workspace, 'author') && (
        <Button variant="subtle" size="compact-md" mt="xs" leftSection={<Crop size={16} />} onClick={onCrop}>
          {t('crop.button')}
        </Button>
      )}
    </>
  )
}

function DetailsForm({ media, onClose }: { media: Media; onClose: () => void }) {
  const { t } = useTranslation()
  const workspace = useWorkspace()
  const me = useMe()
  const notifyWithUndo = useUndoNotification()
  const { slug } = workspace
  const may = isAtLeast(workspace, 'editor') || (isAtLeast(workspace, 'author') && media.uploaded_by_id === me.id)
  const client = workspaceApi(slug)
  const params = { path: { id: media.id } }
  const { name, alt, labels } = media
  const form = useForm({ initialValues: { name, alt, labels } })
  const altField = useRef<HTMLTextAreaElement>(null)
  const save = useFormSubmit(form, {
    mutationFn: (body) => unwrap(client.PATCH('/api/v1/media/{id}', { params, body })),
    onSuccess: (changed) => {
      showMedia(slug, changed)
      onClose()
    },
  })
  const restore = useMutation({
    mutationFn: () => unwrap(client.POST('/api/v1/media/{id}/restore', { params })),
    onSuccess: () => refreshMedia(slug),
    onError: useErrorNotification(),
  })
  const remove = useMutation({
    mutationFn: () => unwrap(client.DELETE('/api/v1/media/{id}', { params })),
    onSuccess: () => {
      onClose()
      void refreshMedia(slug)
      notifyWithUndo(`deleted-${media.id}`, t('media.deleted'), () => restore.mutate())
    },
  })
  return (
    <form onSubmit={save.onSubmit} noValidate>
      <Stack>
        {save.problem && <ProblemAlert error={save.problem} />}
        {remove.error && <ProblemAlert error={remove.error} />}
        <TextInput label={t('media.name')} maxLength={200} dir="auto" readOnly={!may} {...form.getInputProps('name')} />
        <Textarea
          ref={altField}
          label={t('media.alt')}
          description={t('media.alt_about')}
          autosize
          minRows={3}
          maxRows={8}
          maxLength={MAX_ALT}
          dir="auto"
          readOnly={!may}
          {...form.getInputProps('alt')}
        />
        {may && (
          <SuggestAlt
            media={media}
            max={MAX_ALT}
            onSuggest={(suggestion) => {
              form.setFieldValue('alt', suggestion)
              altField.current?.focus()
            }}
          />
        )}
        <TagsInput
          label={t('compose.labels')}
          maxTags={20}
          maxLength={40}
          readOnly={!may}
          {...form.getInputProps('labels')}
        />
        <EndsApprovals
          media={media}
          isChanged={form.values.alt !== alt || (media.kind === 'document' && form.values.name !== name)}
        />
        {may && (
          <Group justify="space-between">
            <Button
              variant="subtle"
              color="coral"
              leftSection={<Trash2 size={16} />}
              loading={remove.isPending}
              onClick={() => remove.mutate()}
            >
              {t('ui.delete')}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {t('media.save')}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  )
}
